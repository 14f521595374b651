"""A record judged over the wire: the same answer as `euchre-referee judge` gives."""

from typing import Final

from google.rpc import code_pb2

from referee.pb.euchre.referee.v1 import adjudication_pb2
from referee.records import JudgedDeal, JudgedTrick, Judgement, Problem, TimedClaim, judge
from referee.records import read_record as read
from referee.records.report import Irregularity
from referee.records.words import CLAIM_TIMES
from referee.rules import SEATS, Penalty, card_text
from referee.sealing.parts import Pair
from referee.service import convert
from referee.service.status import bad_field, refusal

LARGEST: Final = 1 << 20
MOST_LAYDOWNS: Final = 64
"""Each may be tried out to the last play, so that one record must not hold too many."""


def judge_record(request: adjudication_pb2.JudgeRecordRequest) -> Judgement:
    """The judgement of a request; RefereeError where the request makes no sense."""
    if len(request.record) > LARGEST:
        message = f"a record of {len(request.record)} bytes: at most {LARGEST}"
        raise refusal(code_pb2.RESOURCE_EXHAUSTED, "RECORD_TOO_LARGE", message)
    record = read(request.record)
    laydowns = sum(item.kind == "laydown" for deal in record.deals for item in deal.happenings)
    if laydowns > MOST_LAYDOWNS:
        message = f"a record of {laydowns} laydowns: at most {MOST_LAYDOWNS}"
        raise refusal(code_pb2.RESOURCE_EXHAUSTED, "RECORD_TOO_LARGE", message)
    return judge(
        record,
        rules=request.rule_set or None,
        knobs=dict(request.rules),
        table_rules=dict(request.table_rules),
        claims=[_claim(claim, number) for number, claim in enumerate(request.claims)],
    )


def _claim(message: adjudication_pb2.RenegeClaim, number: int) -> TimedClaim:
    by, against = convert.seat_number(message.by), convert.seat_number(message.against)
    at = message.at or CLAIM_TIMES[0]
    if by is None or against is None:
        raise bad_field(f"claims[{number}]", "by and against are seats")
    if at not in CLAIM_TIMES:
        raise bad_field(f"claims[{number}].at", f"one of {' '.join(CLAIM_TIMES)} is wanted")
    return TimedClaim(SEATS[by], SEATS[against], message.trick, at)


def judgement_message(judgement: Judgement) -> adjudication_pb2.JudgeRecordResponse:
    """The judgement as the wire has it."""
    return adjudication_pb2.JudgeRecordResponse(
        exit=judgement.exit,
        format=judgement.format,
        version=judgement.version,
        rule_set=judgement.rules,
        rules=judgement.knobs,
        table_rules=judgement.table_rules,
        notes=judgement.notes,
        problems=[_problem(problem) for problem in judgement.problems],
        deals=[_deal(deal) for deal in judgement.deals],
        score=_signed(judgement.score),
        winner="" if judgement.winner is None else judgement.winner.value,
    )


def _signed(pair: tuple[int, int]) -> adjudication_pb2.SignedSides:
    return adjudication_pb2.SignedSides(ns=pair[0], ew=pair[1])


def _problem(problem: Problem) -> adjudication_pb2.RecordProblem:
    return adjudication_pb2.RecordProblem(at=problem.at, message=problem.message)


def _penalty(penalty: Penalty) -> adjudication_pb2.Penalty:
    side = "none" if penalty.side is None else penalty.side.value
    return adjudication_pb2.Penalty(side=side, points=penalty.points)


def _irregularity(item: Irregularity) -> adjudication_pb2.Irregularity:
    return adjudication_pb2.Irregularity(
        rule=item.rule,
        what=item.what,
        trick=item.trick,
        seat=convert.maybe(item.seat),
        card="" if item.card is None else card_text(item.card),
        remedy=item.remedy,
        penalty=_penalty(item.penalty),
    )


def _trick(trick: JudgedTrick) -> adjudication_pb2.JudgedTrick:
    return adjudication_pb2.JudgedTrick(
        trick=trick.number,
        plays=[
            adjudication_pb2.JudgedPlay(seat=convert.maybe(seat), card=card)
            for seat, card in trick.plays
        ],
        winner=convert.maybe(trick.winner),
    )


def _deal(deal: JudgedDeal) -> adjudication_pb2.JudgedDeal:
    return adjudication_pb2.JudgedDeal(
        deal=deal.number,
        dealer=convert.maybe(deal.dealer),
        upcard="" if deal.upcard is None else card_text(deal.upcard),
        trump=deal.trump or "",
        maker=convert.maybe(deal.maker),
        alone=convert.seats(deal.alone),
        calls=deal.calls,
        play=[_trick(trick) for trick in deal.tricks],
        irregularities=[_irregularity(item) for item in deal.irregularities],
        open=deal.open,
        problems=[_problem(problem) for problem in deal.problems],
        outcome=deal.outcome,
        tricks=convert.sides(Pair(*deal.tricks_won)),
        points=convert.sides(Pair(*deal.points)),
        penalties=[_penalty(penalty) for penalty in deal.penalties],
        score=_signed(deal.score),
        next_dealer=convert.maybe(deal.next_dealer),
    )
