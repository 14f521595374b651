"""The bots that are always there, in the positions that all clients share."""

import json
from collections.abc import Mapping

import pytest

from referee.arena.builtin import Random, Sensible
from referee.arena.players import JSON
from tests.vectors.decisions import FILE, Case, document, read


def shown(case: Case) -> Mapping[str, JSON]:
    """The view as a bot over stdio gets it."""
    view: Mapping[str, JSON] = json.loads(json.dumps(case.view))
    return view


def test_vectors_of_decisions_are_what_their_maker_makes() -> None:
    assert FILE.read_text("ascii") == document()


@pytest.mark.parametrize("case", read("sensible"))
def test_sensible_decides_as_the_client_of_every_language(case: Case) -> None:
    assert Sensible().choose(shown(case), case.view["legal"]) == case.action


@pytest.mark.parametrize("case", [case for case in read("random") if case.seed == "0"])
def test_random_decides_as_the_client_of_every_language(case: Case) -> None:
    bot = Random()
    bot.start(match=case.view["match"], seat=case.view["seat"], rules={})
    assert bot.choose(shown(case), case.view["legal"]) == case.action
