"""Rules as short words of our own."""

from __future__ import annotations

from battlewright.codec import to_json


def words_of(value: object) -> str:
    return to_json(value).decode()
