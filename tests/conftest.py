"""What every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real texts and samples beside the checkout; tests that need it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real samples (../shared) is not here")
    return SHARED
