"""For the tests and the examples in docstrings: the catalogues of whoever runs them are out of sight."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

#: where a change is judged the examples are the same each time; at home new ones are met
settings.register_profile("judged", derandomize=True, deadline=None)
settings.register_profile("home", deadline=None)
settings.load_profile("judged" if os.environ.get("CI") else "home")


@pytest.fixture(scope="session", autouse=True)
def _no_catalogues_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder is a fresh one for the whole run."""
    before = os.environ.get("XDG_DATA_HOME")
    folder = tmp_path_factory.mktemp("data")
    os.environ["XDG_DATA_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["XDG_DATA_HOME"]
    else:
        os.environ["XDG_DATA_HOME"] = before
