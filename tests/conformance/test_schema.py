"""The published schemas hold for every file of the corpus."""

import json
from itertools import islice
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from conformance.bundle import bundle
from conformance.corpus import HOME
from tests.corpus import corpus

CASES = sorted((HOME / "cases").rglob("*.yaml"))


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((HOME / "schema" / name).read_text(encoding="ascii"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def problems(name: str, path: Path) -> list[str]:
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [error.message for error in validator(name).iter_errors(found)]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_file_of_cases_fits_its_schema(path: Path) -> None:
    assert problems("case.schema.json", path) == []


@pytest.mark.parametrize("name", ["rulebook", "rulesets"])
def test_the_book_and_the_rule_sets_fit_their_schemas(name: str) -> None:
    assert problems(f"{name}.schema.json", HOME / f"{name}.yaml") == []


@pytest.mark.heavy
def test_the_compiled_corpus_fits_its_schema() -> None:
    document = json.loads(bundle(corpus()))
    found = validator("bundle.schema.json").iter_errors(document)
    assert [error.message[:200] for error in islice(found, 3)] == []


def test_the_schema_refuses_an_unknown_key() -> None:
    case = {"format": "euchre-conformance/1", "chapter": "a", "topic": "b", "cases": [{"id": "x"}]}
    assert list(validator("case.schema.json").iter_errors(case))
