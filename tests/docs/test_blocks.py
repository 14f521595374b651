"""How the command blocks of a page are read."""

import pytest

from tests.docs.blocks import Block, PageError, blocks, commands, script

PAGE = """\
Text.
```sh
make setup
euchre-conformance list   # exit 2
```
```python my_bot.py
run()
```
```sh needs=go
go version
```
```sh elsewhere
make test
```
```text
a table
```
"""


def of_page() -> list[Block]:
    return blocks("PAGE.md", PAGE)


def test_a_page_is_read_block_by_block_with_its_lines() -> None:
    assert [(block.place, block.language) for block in of_page()] == [
        ("PAGE.md:2", "sh"),
        ("PAGE.md:6", "python"),
        ("PAGE.md:9", "sh"),
        ("PAGE.md:12", "sh"),
        ("PAGE.md:15", "text"),
    ]


def test_only_sh_is_run_and_not_what_is_run_elsewhere() -> None:
    assert [block.runs for block in of_page()] == [True, False, True, False, False]


def test_a_second_word_is_the_file_to_save_it_as() -> None:
    assert [block.saved_as for block in of_page()] == [None, "my_bot.py", None, None, None]


def test_a_block_says_which_program_it_needs() -> None:
    assert [block.needs for block in of_page()] == [(), (), ("go",), (), ()]


WRONG = [
    ("```\nls\n```\n", "PAGE.md:1: the block names no language"),
    ("```sh\nls\n", "PAGE.md:1: the block is never closed"),
    ("\n```sh need=go\nls\n```\n", "PAGE.md:2: 'need=go' after sh (write needs=PROGRAM or"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_page_that_cannot_be_read_is_told_where(text: str, message: str) -> None:
    with pytest.raises(PageError) as caught:
        blocks("PAGE.md", text)
    assert str(caught.value).startswith(message)


def test_a_backslash_joins_lines() -> None:
    assert commands("one \\\n  two\n\nthree\n") == ["one \\\n  two", "three"]


def test_a_plain_command_is_left_as_it_is() -> None:
    assert script("ls -l # all\nls && ls\n") == "ls -l # all\nls && ls\n"
