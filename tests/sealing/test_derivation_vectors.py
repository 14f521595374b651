"""The shared claims about the seal's bytes, most of them false."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from referee.sealing.claims import claim_holds
from referee.sealing.errors import UnreadableError
from referee.sealing.node import Node
from referee.sealing.vectors import check_vectors
from tests.vectors.claims import Claim
from tests.vectors.derivation import FILE, all_claims, document

CLAIMS = {claim.id: claim for claim in all_claims()}
VALID = [claim for claim in CLAIMS.values() if claim.exit == 0]
VECTORS = FILE.parent


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_is_judged_as_it_states(name: str) -> None:
    claim = CLAIMS[name]
    assert claim_holds(claim.op, Node(claim.input, name)) == (claim.exit == 0)


def test_the_file_is_what_its_maker_makes() -> None:
    assert FILE.read_text(encoding="ascii") == document()


def test_every_id_is_used_once_and_most_claims_are_false() -> None:
    assert len(CLAIMS) == len(all_claims())
    assert len(VALID) < len(CLAIMS) / 2


def test_every_op_has_a_claim_that_holds_and_one_that_does_not() -> None:
    holds = Counter((claim.op, claim.exit == 0) for claim in CLAIMS.values())
    assert all(holds[claim.op, True] and holds[claim.op, False] for claim in CLAIMS.values())


def test_the_command_judges_the_whole_file() -> None:
    assert check_vectors(FILE.read_bytes()) == (len(CLAIMS), [])


@pytest.mark.parametrize("claim", VALID, ids=lambda claim: claim.id)
def test_a_claim_that_holds_is_named_where_the_file_denies_it(claim: Claim) -> None:
    entry = {"id": claim.id, "op": claim.op, "input": claim.input, "result": "invalid"}
    text = json.dumps({"format": "euchre-derivation-vectors/1", "cases": [entry]})
    assert check_vectors(text.encode()) == (
        1,
        [f"{claim.id}: the file says invalid, judged valid"],
    )


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "x", "op": "guess", "input": {}, "result": "valid"},
        {"id": "x", "op": "key", "input": {}, "result": "valid"},
        {"id": "x", "op": "key", "input": {"key": 1}, "result": "valid"},
        {"id": "x", "op": "key", "input": {"key": ""}, "result": "maybe"},
        {"id": "x", "op": "link", "input": [], "result": "valid"},
    ],
)
def test_a_case_that_claims_nothing_is_unreadable(entry: object) -> None:
    text = json.dumps({"format": "euchre-derivation-vectors/1", "cases": [entry]})
    with pytest.raises(UnreadableError):
        check_vectors(text.encode())


@pytest.mark.parametrize("name", ["derivation", "transcripts"])
def test_a_vectors_file_is_as_its_schema_says(name: str) -> None:
    schema = json.loads((VECTORS / f"{name}.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    value = json.loads(Path(VECTORS / f"{name}-v1.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(value)
