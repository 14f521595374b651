"""The pages whose commands are run: they can be read, and what they show is true."""

import json
import re
from collections.abc import Iterator
from typing import Final

import pytest

from conformance.cli.adapter import FILES, FOLDER
from conformance.jsontypes import Json, Record
from conformance.oracle import answer
from conformance.targets.base import OPS
from tests.corpus import corpus
from tests.docs.__main__ import PAGES, left_to_gates
from tests.docs.blocks import pages
from tests.docs.places import ROOT

TEXT: Final = (ROOT / "conformance" / "targets" / "README.md").read_text(encoding="utf-8")
DEAL: Final = TEXT.partition("```json\n")[2].partition("\n")[0]
EXAMPLE: Final = re.compile(r"^→ (.*)\n← (.*)$", re.MULTILINE)
RULES: Final = corpus().rulesets.maps


def record(text: str) -> Record:
    """An object of the page, with the deal D in it and what it leaves out left out."""
    found: Record = json.loads(text.replace(":D", ":" + DEAL).replace(", …", ""))
    return found


def examples() -> Iterator[tuple[Record, Record]]:
    for asked, told in EXAMPLE.findall(TEXT):
        request = record(asked)
        if request["op"] != "hello":
            rules = RULES[str(request.get("rules", "standard"))]
            yield {**request, "rules": {**rules}}, record(told)


def sorted_sets(value: Json, name: str = "") -> Json:
    """A value with the lists that are sets in order."""
    if isinstance(value, dict):
        return {key: sorted_sets(item, key) for key, item in value.items()}
    return (
        sorted(map(str, value)) if isinstance(value, list) and name in {"legal", "hand"} else value
    )


def test_every_block_of_the_pages_says_what_it_is() -> None:
    found = pages(ROOT, list(PAGES))
    assert {block.page for block in found if block.runs} == set(PAGES)
    left_to_gates(found)


@pytest.mark.parametrize(("request_", "told"), list(examples()))
def test_what_the_page_on_adapters_shows_is_what_is_answered(
    request_: Record, told: Record
) -> None:
    assert sorted_sets({"id": request_["id"], **answer(request_)}) == sorted_sets({**told})


def test_the_page_on_adapters_shows_every_op() -> None:
    shown = {request["op"] for request, _ in examples()}
    assert shown == set(OPS)


def test_the_page_on_adapters_runs_every_adapter() -> None:
    for language in FILES:
        assert f"adapter --lang {language} " in TEXT
        assert (FOLDER / FILES[language]).is_file()
