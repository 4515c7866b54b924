"""Pools of points and dice."""

from __future__ import annotations
