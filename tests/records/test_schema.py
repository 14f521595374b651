import json
from importlib.resources import files

import jsonschema
import pytest

from referee.records import TABLE_KNOBS, WRITERS, judge, read_record
from referee.records.words import CLAIM_TIMES, KINDS
from referee.rules import PRESETS
from tests.journal.support import random_match
from tests.records.support import F1, F2, F3, F4, F5

SCHEMA = json.loads(
    (files("referee.records") / "euchre-record-1.schema.json").read_text(encoding="utf-8")
)
README = (files("referee.records") / "README.md").read_text(encoding="utf-8")
FULL = F1 + (
    "exposed_card by=south card=TD trick=3 called=4\nlaydown by=west trick=4 number=2 agreed=true\n"
    "exposed_in_deal at=upcard claimed=true\nclaim east south 3 closed\npoints 0-2\n"
)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_written_keeps_to_the_schema(preset: str) -> None:
    record = read_record(random_match(PRESETS[preset].to_map()).text)
    jsonschema.validate(json.loads(WRITERS["json"](record).text), SCHEMA)


@pytest.mark.parametrize("text", [F1, F2, F3, F4, F5, FULL])
def test_a_text_and_its_json_are_judged_alike(text: str) -> None:
    record = read_record(text.encode())
    written = WRITERS["json"](record).text
    jsonschema.validate(json.loads(written), SCHEMA)
    first, again = judge(record).as_map(), judge(read_record(written.encode())).as_map()
    assert first["deals"] == again["deals"]
    plain = judge(read_record(WRITERS["text"](record).text.encode())).as_map()
    assert first["deals"] == plain["deals"]


def test_the_schema_knows_every_irregularity_and_every_time() -> None:
    fields = SCHEMA["$defs"]["irregularity"]["properties"]
    assert set(fields["kind"]["enum"]) == set(KINDS)
    assert set(fields["at"]["enum"]) == {time for times in KINDS.values() for time in times}
    assert SCHEMA["$defs"]["claim"]["properties"]["at"]["enum"] == list(CLAIM_TIMES)


def test_the_page_names_every_table_rule_every_value_and_every_irregularity() -> None:
    words = {*TABLE_KNOBS, *KINDS, *(word for knob in TABLE_KNOBS.values() for word in knob.words)}
    assert not [word for word in sorted(words) if word not in README]
