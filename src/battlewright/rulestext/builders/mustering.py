"""Army building: lists of units, keywords, sizes of battle."""

from __future__ import annotations
