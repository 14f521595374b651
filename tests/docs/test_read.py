"""A page is read from top to bottom, and says at which line it is not true."""

import os
from pathlib import Path

import pytest

from tests.docs.__main__ import left_to_gates, read
from tests.docs.blocks import PageError, blocks

TRUE = """\
```sh
mkdir made
```
```python made/hello.py
print("hello")
```
```sh needs=no-such-program
no-such-program
```
```sh elsewhere
make test
```
```text
rm -r made
```
```sh
test -e made/hello.py
```
"""


def done(text: str, folder: Path) -> None:
    place = folder / "page"
    place.mkdir()
    read(blocks("PAGE.md", text), place, dict(os.environ), 60)


def test_a_true_page_is_run_saved_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done(TRUE, tmp_path)
    told = capsys.readouterr().out
    assert "PAGE.md:4: saved as made/hello.py" in told
    assert "PAGE.md:7: SKIPPED, no-such-program is missing" in told
    assert told.endswith("PAGE.md: 2 blocks run, 1 skipped\n")


def test_an_untrue_page_is_told_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        done("```sh\ntrue\n```\n```sh\nls no-such-file\n```\n", tmp_path)
    assert ended.value.code == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "PAGE.md:4: does not do what the page says"
    assert told[-1] == "failed (exit 2): ls no-such-file"


def test_what_is_run_elsewhere_must_stand_there() -> None:
    with pytest.raises(PageError, match="'make nothing' stands neither"):
        left_to_gates(blocks("PAGE.md", "```sh elsewhere\nmake nothing\n```\n"))
