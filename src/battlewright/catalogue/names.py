"""Names as people type them; the functions live in :mod:`battlewright.names`, where every room can have them."""

from __future__ import annotations

from battlewright.names import fold, near, same, singular, slug

__all__ = ["fold", "near", "same", "singular", "slug"]
