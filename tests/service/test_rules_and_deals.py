"""AdjudicationService and DealService over a real server: questions in batches, and proofs."""

from io import BytesIO

import pytest

from referee.journal.verify import verify_stream
from referee.pb.euchre.referee.v1 import adjudication_pb2, deal_pb2, table_pb2
from referee.rules import KNOBS, PRESETS
from referee.sealing.proof import prove_deal
from tests.service.support import PATIENCE_S, SEATS, Served, on_loop, refusal, serving
from tests.table.support import KEY, Table, created

NORTH, EAST, SOUTH, WEST = SEATS
DEAL = adjudication_pb2.Deal(
    dealer=WEST,
    north=["JH", "AH", "KH", "QH", "TH"],
    east=["9C", "TC", "JC", "QC", "KC"],
    south=["9S", "TS", "JS", "QS", "KS"],
    west=["9D", "TD", "QD", "KD", "AD"],
    upcard="9H",
)


def position(*actions: str, rules: str = "standard") -> adjudication_pb2.Position:
    return adjudication_pb2.Position(rule_set=rules, deal=DEAL, actions=actions)


async def adjudicate(
    served: Served, *questions: adjudication_pb2.Question
) -> list[adjudication_pb2.Adjudication]:
    request = adjudication_pb2.AdjudicateRequest(questions=questions)
    found = await served.rules.Adjudicate(request, timeout=PATIENCE_S)
    return list(found.answers)


@on_loop
async def test_every_rule_set_and_knob_is_listed() -> None:
    async with serving() as served:
        request = adjudication_pb2.ListRuleSetsRequest()
        found = await served.rules.ListRuleSets(request, timeout=PATIENCE_S)
        assert {r.name: dict(r.rules) for r in found.rule_sets} == {
            name: rules.to_map() for name, rules in PRESETS.items()
        }
        assert len({r.id for r in found.rule_sets}) == len(PRESETS)
        assert {knob.name: knob.default for knob in found.knobs} == {
            name: knob.default for name, knob in KNOBS.items()
        }


@on_loop
async def test_one_rule_set_is_found_by_its_name_and_a_wrong_name_is_not() -> None:
    async with serving() as served:
        request = adjudication_pb2.GetRuleSetRequest(name="ontario")
        found = await served.rules.GetRuleSet(request, timeout=PATIENCE_S)
        assert found.rule_set.name == "ontario"
        wrong = adjudication_pb2.GetRuleSetRequest(name="ontari")
        refused = await refusal(served.rules.GetRuleSet(wrong, timeout=PATIENCE_S))
        assert (refused.code, refused.reason) == ("NOT_FOUND", "UNKNOWN_RULE_SET")
        assert "'ontario'" in refused.text


@on_loop
async def test_legal_actions_are_answered_in_order_a_position_each() -> None:
    async with serving() as served:
        request = adjudication_pb2.LegalActionsRequest(
            positions=[
                position(),
                position("order"),
                position("pass", "pass", "pass", "pass", rules="throw-in"),
            ]
        )
        found = await served.rules.LegalActions(request, timeout=PATIENCE_S)
        assert [(a.turn, a.phase) for a in found.answers] == [
            (NORTH, "round_one"),
            (WEST, "discard"),
            (NORTH, "round_two"),
        ]
        assert list(found.answers[0].legal) == ["pass", "order", "order alone"]
        assert "name H" not in found.answers[2].legal


@on_loop
async def test_the_score_of_a_position_may_bar_a_loner() -> None:
    async with serving() as served:
        limit = {"loner_limit": "eight_or_nine"}
        positions = [
            adjudication_pb2.Position(deal=DEAL, rules=limit, score=table_pb2.Sides(ns=points))
            for points in (7, 8)
        ]
        request = adjudication_pb2.LegalActionsRequest(positions=positions)
        found = await served.rules.LegalActions(request, timeout=PATIENCE_S)
        assert ["order alone" in answer.legal for answer in found.answers] == [True, False]


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (position("order", "play 9D"), "'play 9D' is refused"),
        (adjudication_pb2.Position(rule_set="nowhere", deal=DEAL), "'nowhere'"),
        (adjudication_pb2.Position(deal=adjudication_pb2.Deal(upcard="9H")), "a seat is wanted"),
        (
            adjudication_pb2.Position(
                deal=adjudication_pb2.Deal(dealer=WEST, north=["JX"], upcard="9H")
            ),
            "'JX'",
        ),
    ],
)
@on_loop
async def test_a_position_that_cannot_be_names_its_place_in_the_batch(
    bad: adjudication_pb2.Position, text: str
) -> None:
    async with serving() as served:
        request = adjudication_pb2.LegalActionsRequest(positions=[position(), bad])
        refused = await refusal(served.rules.LegalActions(request, timeout=PATIENCE_S))
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["positions[1]"])
        assert text in refused.text


@on_loop
async def test_a_batch_has_its_limit() -> None:
    async with serving() as served:
        request = adjudication_pb2.LegalActionsRequest(
            positions=[adjudication_pb2.Position()] * 4_097
        )
        refused = await refusal(served.rules.LegalActions(request, timeout=PATIENCE_S))
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["positions"])


@on_loop
async def test_an_illegal_action_is_a_ruling_with_reason_rule_and_legal_set() -> None:
    async with serving() as served:
        question = adjudication_pb2.Question
        answers = await adjudicate(
            served,
            question(position=position("order", "discard 9D"), action="play JH"),
            question(position=position("order", "discard 9D", "play JH"), action="play 9H"),
            question(position=position(), action="pass", by=SOUTH),
            question(position=position(), action="rubbish"),
        )
        assert [(a.ruling.accepted, a.ruling.reason) for a in answers] == [
            (True, ""),
            (False, "CARD_NOT_HELD"),
            (False, "NOT_YOUR_TURN"),
            (False, "UNKNOWN_ACTION"),
        ]
        assert all(a.ruling.rule and a.ruling.text for a in answers[1:])
        assert answers[0].after.turn == EAST
        assert "play KC" in answers[1].ruling.legal


@on_loop
async def test_an_action_after_the_target_is_reached_is_game_over() -> None:
    async with serving() as served:
        over = position()
        over.score.ns = 10
        (answer,) = await adjudicate(
            served, adjudication_pb2.Question(position=over, action="pass")
        )
        assert (answer.ruling.accepted, answer.ruling.reason) == (False, "GAME_OVER")


@on_loop
async def test_whole_deals_are_played_and_scored_and_stop_at_the_first_illegal_action() -> None:
    async with serving() as served:
        whole = ["order alone", "discard 9D"]
        hearts = ["JH", "AH", "KH", "QH", "TH"]
        west = ["9H", "TD", "QD", "KD", "AD"]
        for n, card in enumerate(hearts):
            whole += [f"play {card}", f"play {DEAL.east[n]}", f"play {west[n]}"]
        request = adjudication_pb2.ReplayDealsRequest(
            deals=[position(*whole), position("order", "pass"), position("pass")]
        )
        found = await served.rules.ReplayDeals(request, timeout=PATIENCE_S)
        played, stopped, unfinished = found.answers
        assert (played.outcome, played.maker, list(played.alone)) == ("played", NORTH, [NORTH])
        assert (played.tricks, played.points) == (table_pb2.Sides(ns=5), table_pb2.Sides(ns=4))
        assert list(played.winners) == [NORTH] * 5
        assert not played.HasField("refused_at")
        assert (stopped.outcome, stopped.refused_at) == ("open", 1)
        assert stopped.ruling.reason == "WRONG_PHASE"
        assert (unfinished.outcome, unfinished.HasField("refused_at")) == ("open", False)


# -- proofs


TRANSCRIPT = Table(created("quick")).sit().to_the_end().transcript


async def verdict(served: Served, data: bytes, key: str = "") -> deal_pb2.Verdict:
    parts = [data[n : n + 10_000] for n in range(0, len(data), 10_000)]
    requests = [deal_pb2.VerifyTranscriptRequest(chunk=part) for part in parts]
    requests[0].referee_key = key
    found = await served.deals.VerifyTranscript(iter(requests), timeout=PATIENCE_S)
    assert isinstance(found, deal_pb2.VerifyTranscriptResponse)
    return found.verdict


@on_loop
async def test_a_whole_transcript_verifies_in_pieces() -> None:
    async with serving() as served:
        found = await verdict(served, TRANSCRIPT, KEY.public.text)
        assert (found.exit, found.party, found.text) == (0, "", "verified")
        assert found.deals == verify_stream(BytesIO(TRANSCRIPT)).verdict.totals.verified


@on_loop
async def test_what_the_verifier_finds_is_in_the_verdict() -> None:
    async with serving() as served:
        torn = await verdict(served, TRANSCRIPT[:-200])
        assert (torn.exit, torn.party) == (5, "nobody")
        changed = await verdict(served, TRANSCRIPT.replace(b'"used_ms":0', b'"used_ms":1', 1))
        assert (changed.exit, changed.party) == (3, "file")
        other = "other+00000000+" + KEY.public.text.split("+")[2]
        refused = await refusal(verdict(served, TRANSCRIPT, other))
        assert (refused.code, refused.fields) == ("INVALID_ARGUMENT", ["referee_key"])


@on_loop
async def test_nothing_cannot_be_verified() -> None:
    async with serving() as served:
        requests = [deal_pb2.VerifyTranscriptRequest()]
        call = served.deals.VerifyTranscript(iter(requests), timeout=PATIENCE_S)
        assert (await refusal(call)).fields == ["chunk"]
        single = served.deals.VerifyDeal(deal_pb2.VerifyDealRequest(), timeout=PATIENCE_S)
        assert (await refusal(single)).fields == ["proof"]


@on_loop
async def test_a_deal_proof_verifies_alone() -> None:
    proof = prove_deal(TRANSCRIPT.splitlines(), 1)
    async with serving() as served:
        request = deal_pb2.VerifyDealRequest(proof=proof)
        found = await served.deals.VerifyDeal(request, timeout=PATIENCE_S)
        assert (found.verdict.exit, found.verdict.text) == (0, "verified")
