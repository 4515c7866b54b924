"""The gold set: rules written by hand from development texts before the compiler was asked; see :mod:`pick`."""
