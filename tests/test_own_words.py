"""No sentence of others stands here: nothing in the repository shares a long run of words with the real samples.

Formulas of the rules language ("until the end of the phase, each time a model in that unit makes …") and lists of names
run to a score of words by themselves; a sentence with something to say is longer.
"""

from __future__ import annotations

import gzip
import html
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
LONGEST = 24
_WORD = re.compile(r"[a-z0-9']+")


def words(text: str) -> list[str]:
    return _WORD.findall(re.sub(r"<[^>]+>", " ", text.lower().replace("’", "'").replace("\\n", " ").replace("**", "")))


def runs(text: str) -> Iterator[tuple[str, ...]]:
    found = words(text)
    return (tuple(found[i : i + LONGEST]) for i in range(len(found) - LONGEST + 1))


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def texts_of(path: Path) -> Iterator[str]:
    """What a sample says, in any of the forms people bring."""
    data = path.read_bytes()
    if data[:2] == b"PK":
        archive = zipfile.ZipFile(io.BytesIO(data))
        for name in archive.namelist():
            yield from map(html.unescape, re.findall(r">([^<]{30,})<", archive.read(name).decode("utf-8", "replace")))
        return
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
    for part in text.splitlines() if ".jsonl" in path.name else [text]:
        try:
            yield from strings(json.loads(part))
        except ValueError:
            yield part


def ours() -> list[Path]:
    folders = ("src", "tests", "docs", "benchmarks", ".ci")
    suffixes = (".py", ".md", ".frames", ".json", ".txt", ".toml")
    every = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    return [*every, *ROOT.glob("*.md")]


def test_no_sentence_of_others(shared: Path) -> None:
    others = {
        run
        for folder in ("corpus", "seeds", "pages", "catalogues")
        for path in sorted((shared / folder).rglob("*"))
        if path.is_file() and path.name != "ABOUT.md"
        for text in texts_of(path)
        for run in runs(text)
    }
    assert len(others) > 1000
    files = ours()
    assert len(files) > 100
    taken = [
        f"{path.relative_to(ROOT)}: {' '.join(run)}"
        for path in files
        for run in runs(path.read_text(encoding="utf-8", errors="replace"))
        if run in others
    ]
    assert taken == []


def test_a_sentence_of_others_is_found() -> None:
    sentence = " ".join(f"word{number}" for number in range(LONGEST + 2))
    assert len(set(runs(sentence)) & set(runs(f"Before it. {sentence.upper()} and after"))) == 3
