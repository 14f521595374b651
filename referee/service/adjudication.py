"""AdjudicationService: questions of rules, in batches, without a match."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from google.protobuf.message import Message
from google.rpc import code_pb2

from referee.errors import RefereeError
from referee.pb.euchre.referee.v1 import adjudication_pb2, adjudication_pb2_grpc
from referee.rules import (
    KNOBS,
    PRESETS,
    SEATS,
    Deal,
    Game,
    Hand,
    RuleSet,
    Violation,
    action_text,
    deal_from_hands,
    outcome_of,
    parse_card,
    preset,
    ruling,
)
from referee.sealing.parts import Pair
from referee.sealing.transcript import rule_set_hash
from referee.service import convert
from referee.service.clerks import SMALL, Clerks, Task
from referee.service.judging import judge_record, judgement_message
from referee.service.status import Context, bad_field, end, refusal

MOST: Final = 4_096
A = TypeVar("A")
Q = TypeVar("Q")


def rule_set_message(name: str, rules: RuleSet) -> adjudication_pb2.RuleSet:
    """A named rule set."""
    knobs = rules.to_map()
    return adjudication_pb2.RuleSet(name=name, rules=knobs, id=rule_set_hash(knobs))


def rules_of(position: adjudication_pb2.Position) -> RuleSet:
    """The rule set of a position."""
    base = preset(position.rule_set or "standard")
    return RuleSet.from_map({**base.to_map(), **position.rules}) if position.rules else base


def deal_of(message: adjudication_pb2.Deal, rules: RuleSet) -> Deal:
    """The cards of a position, checked against the pack."""
    dealer = convert.seat_number(message.dealer)
    if dealer is None:
        raise bad_field("deal.dealer", "a seat is wanted")
    given = (message.north, message.east, message.south, message.west)
    hands = {
        seat: [parse_card(card) for card in cards] for seat, cards in zip(SEATS, given, strict=True)
    }
    return deal_from_hands(rules, dealer, hands, parse_card(message.upcard))


def score_of(position: adjudication_pb2.Position) -> tuple[int, int]:
    """The game's score before the deal."""
    return position.score.ns, position.score.ew


def hand_at(position: adjudication_pb2.Position) -> Hand:
    """The hand of a position; RefereeError where its actions cannot lead there."""
    rules = rules_of(position)
    hand = Hand(rules, deal_of(position.deal, rules), score_of(position))
    refused = play_out(hand, position.actions)
    if refused is not None:
        at, violation = refused
        text = f"{position.actions[at]!r} is refused: {violation.sentence} ({violation.rule})"
        raise bad_field(f"actions[{at}]", text)
    return hand


def play_out(hand: Hand, actions: Sequence[str]) -> tuple[int, Violation] | None:
    """Play actions for the seats on turn; the first that is refused, and why."""
    for number, text in enumerate(actions):
        turn = hand.seat_on_turn
        verdict = ruling(hand, 0 if turn is None else turn, text)
        if isinstance(verdict, Violation):
            return number, verdict
        hand.advance(verdict)
    return None


def legal_set(hand: Hand) -> adjudication_pb2.LegalSet:
    """Who is on turn and what is legal."""
    return adjudication_pb2.LegalSet(
        turn=convert.maybe(hand.seat_on_turn),
        phase=hand.phase.value,
        legal=[action_text(code) for code in hand.legal()],
    )


def adjudicate(question: adjudication_pb2.Question) -> adjudication_pb2.Adjudication:
    """The ruling on one action, and the legal set as it stands after it."""
    hand = hand_at(question.position)
    by = convert.seat_number(question.by) if question.HasField("by") else hand.seat_on_turn
    game = Game(rules=hand.rules, dealer=SEATS[hand.dealer], score=hand.score)
    verdict = game.ruling(hand, 0 if by is None else by, question.action)
    violation = verdict if isinstance(verdict, Violation) else None
    ruled = convert.violation_message(hand, violation)
    if not isinstance(verdict, Violation):
        hand.advance(verdict)
    return adjudication_pb2.Adjudication(ruling=ruled, after=legal_set(hand))


def replay(position: adjudication_pb2.Position) -> adjudication_pb2.ReplayedDeal:
    """One deal played and scored."""
    rules = rules_of(position)
    hand = Hand(rules, deal_of(position.deal, rules), score_of(position))
    refused = play_out(hand, position.actions)
    over = hand.seat_on_turn is None
    result = outcome_of(hand) if over else None
    tricks, points = hand.tricks_won, (0, 0) if result is None else result.points
    answer = adjudication_pb2.ReplayedDeal(
        outcome="open" if result is None else result.outcome.value,
        winners=[convert.seat_value(trick.winner) for trick in hand.past_tricks],
        tricks=convert.sides(Pair(*tricks)),
        points=convert.sides(Pair(*points)),
        maker=convert.maybe(hand.maker_seat),
        alone=convert.seats(hand.alone_seats),
    )
    if refused is not None:
        answer.refused_at = refused[0]
        answer.ruling.CopyFrom(convert.violation_message(hand, refused[1]))
    return answer


def each(name: str, questions: Sequence[Q], answer: Callable[[Q], A]) -> list[A]:
    """An answer a question; an error names the question's index."""
    if len(questions) > MOST:
        raise bad_field(name, f"at most {MOST} at once, not {len(questions)}")
    answers: list[A] = []
    for number, question in enumerate(questions):
        try:
            answers.append(answer(question))
        except RefereeError as err:
            raise bad_field(f"{name}[{number}]", str(err)) from err
    return answers


def legal_actions_task(data: bytes) -> bytes:
    """Who may do what in each position."""
    request = adjudication_pb2.LegalActionsRequest.FromString(data)
    answers = each("positions", request.positions, lambda p: legal_set(hand_at(p)))
    return adjudication_pb2.LegalActionsResponse(answers=answers).SerializeToString()


def adjudicate_task(data: bytes) -> bytes:
    """Rule on one action in each position."""
    request = adjudication_pb2.AdjudicateRequest.FromString(data)
    answers = each("questions", request.questions, adjudicate)
    return adjudication_pb2.AdjudicateResponse(answers=answers).SerializeToString()


def replay_task(data: bytes) -> bytes:
    """Play whole deals and score them."""
    request = adjudication_pb2.ReplayDealsRequest.FromString(data)
    answers = each("deals", request.deals, replay)
    return adjudication_pb2.ReplayDealsResponse(answers=answers).SerializeToString()


def judge_task(data: bytes) -> bytes:
    """Judge a record of real play."""
    request = adjudication_pb2.JudgeRecordRequest.FromString(data)
    return judgement_message(judge_record(request)).SerializeToString()


TASKS: Final[Mapping[str, Task]] = {
    "LegalActions": legal_actions_task,
    "Adjudicate": adjudicate_task,
    "ReplayDeals": replay_task,
    "JudgeRecord": judge_task,
}


class AdjudicationService(adjudication_pb2_grpc.AdjudicationServiceServicer):
    """The rule book as a service."""

    def __init__(self, clerks: Clerks) -> None:
        self._clerks = clerks

    async def _asked(self, name: str, request: Message, *, small: int = SMALL) -> bytes:
        data = request.SerializeToString()
        return await self._clerks.answer(name, TASKS[name], data, small=small)

    async def ListRuleSets(  # noqa: N802 -- the rpc's name
        self, _request: adjudication_pb2.ListRuleSetsRequest, _context: Context
    ) -> adjudication_pb2.ListRuleSetsResponse:
        """Return every named rule set and every knob."""
        return adjudication_pb2.ListRuleSetsResponse(
            rule_sets=[rule_set_message(name, rules) for name, rules in PRESETS.items()],
            knobs=[
                adjudication_pb2.Knob(
                    name=name, values=knob.values or ("number",), default=knob.default
                )
                for name, knob in KNOBS.items()
            ],
        )

    async def GetRuleSet(  # noqa: N802 -- the rpc's name
        self, request: adjudication_pb2.GetRuleSetRequest, context: Context
    ) -> adjudication_pb2.GetRuleSetResponse:
        """Return one named rule set."""
        try:
            rules = preset(request.name)
        except RefereeError as err:
            await end(context, refusal(code_pb2.NOT_FOUND, "UNKNOWN_RULE_SET", str(err)))
        return adjudication_pb2.GetRuleSetResponse(rule_set=rule_set_message(request.name, rules))

    async def LegalActions(  # noqa: N802 -- the rpc's name
        self, request: adjudication_pb2.LegalActionsRequest, _context: Context
    ) -> bytes:
        """Return who may do what in each position."""
        return await self._asked("LegalActions", request)

    async def Adjudicate(  # noqa: N802 -- the rpc's name
        self, request: adjudication_pb2.AdjudicateRequest, _context: Context
    ) -> bytes:
        """Rule on one action in each position."""
        return await self._asked("Adjudicate", request)

    async def ReplayDeals(  # noqa: N802 -- the rpc's name
        self, request: adjudication_pb2.ReplayDealsRequest, _context: Context
    ) -> bytes:
        """Play whole deals and score them."""
        return await self._asked("ReplayDeals", request)

    async def JudgeRecord(  # noqa: N802 -- the rpc's name
        self, request: adjudication_pb2.JudgeRecordRequest, _context: Context
    ) -> bytes:
        """Judge a record of real play; also a short one may take long."""
        return await self._asked("JudgeRecord", request, small=0)
