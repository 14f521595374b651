"""The box that a test's bots run in, once for each way to run them that the test names."""

from pathlib import Path

import pytest

from tests.arena.confining import Box


@pytest.fixture
def box(
    sandbox: bool,  # noqa: FBT001 -- a parameter of the test's
    tmp_path: Path,
) -> Box:
    return Box(tmp_path, sandbox)
