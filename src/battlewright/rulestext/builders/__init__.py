"""What the expressions of the grammar files call: one module a family, one function a family of frames."""
