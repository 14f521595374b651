"""The judge: a record in, and out comes what happened, what was wrong with it, and the score."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.errors import RefereeError
from referee.records.dealjudge import DealJudge
from referee.records.model import Problem, Record, RecordedDeal, TimedClaim
from referee.records.report import Irregularity, JudgedDeal, Judgement
from referee.records.tablerules import TableRules
from referee.rules import Game, Outcome, Result, RuleSet, Seat, next_dealer, preset

_STANDARD: Final = "standard"


def judge(
    record: Record,
    *,
    rules: str | None = None,
    knobs: Mapping[str, str] | None = None,
    table_rules: Mapping[str, str] | None = None,
    claims: Sequence[TimedClaim] = (),
) -> Judgement:
    """The judgement of a whole record.

    `rules` and `knobs` take the place of what the record states; `claims` are added to its last
    deal. RefereeError where `rules`, `knobs` or `table_rules` are none.
    """
    problems = list(record.problems)
    notes = list(record.notes)
    name, rule_set = _rules(record, rules, knobs or {}, problems, notes)
    table = _table_rules(record, table_rules or {}, problems)
    deals = list(record.deals)
    if claims and deals:
        deals[-1] = replace(deals[-1], claims=(*deals[-1].claims, *claims))
    if not deals:
        problems.append(Problem("record", "no deal is written down"))
    judged, game = _deals(record, deals, rule_set, table)
    if record.final_score not in {None, game.score} and record.final_score is not None:
        said, found = record.final_score, game.score
        message = f"the final score is {found[0]}-{found[1]}, and {said[0]}-{said[1]} is stated"
        problems.append(Problem("final score", message))
    return Judgement(
        format=record.format,
        version=record.version,
        rules=name,
        knobs=rule_set.to_map(),
        table_rules=table.to_map(),
        notes=tuple(notes),
        problems=tuple(problems),
        deals=tuple(judged),
        score=game.score,
        winner=game.winner,
    )


def _rules(
    record: Record,
    name: str | None,
    knobs: Mapping[str, str],
    problems: list[Problem],
    notes: list[str],
) -> tuple[str, RuleSet]:
    """The rule set to judge by: what was asked for, else what the record states."""
    if name is not None:
        base = preset(name)
        return name, RuleSet.from_map({**base.to_map(), **knobs}) if knobs else base
    stated = record.rules or _STANDARD
    try:
        values = preset(stated).to_map()
    except RefereeError as err:
        problems.append(Problem("rules", str(err)))
        stated, values = _STANDARD, preset(_STANDARD).to_map()
    values = {**values, **knobs}
    apart = False
    for knob, value in record.knobs.items():
        if knob in knobs or values.get(knob) == value:
            continue
        try:
            RuleSet.from_map({**values, knob: value})
        except RefereeError as err:
            if not _together(values, record.knobs):
                problems.append(Problem(f"rules.{knob}", str(err)))
                continue
        values[knob] = value
        apart = True
    if record.rules is None and not record.knobs:
        notes.append("no rule set is stated: it is judged by standard (name another with --rules)")
    return (f"{stated} with its own knobs" if apart else stated), RuleSet.from_map(values)


def _together(values: Mapping[str, str], knobs: Mapping[str, str]) -> bool:
    """Whether knobs that clash one by one make a rule set when all of them are set."""
    try:
        RuleSet.from_map({**values, **knobs})
    except RefereeError:
        return False
    return True


def _table_rules(record: Record, given: Mapping[str, str], problems: list[Problem]) -> TableRules:
    values: dict[str, str] = {}
    for knob, value in record.table_rules.items():
        try:
            TableRules.from_map({knob: value})
        except RefereeError as err:
            problems.append(Problem(f"table_rules.{knob}", str(err)))
        else:
            values[knob] = value
    return TableRules.from_map({**values, **given})


def _deals(
    record: Record, deals: Sequence[RecordedDeal], rules: RuleSet, table: TableRules
) -> tuple[list[JudgedDeal], Game]:
    judged: list[JudgedDeal] = []
    game: Game | None = None
    expected: Seat | None = None
    misdeals, games = 0, 1
    numbers: set[int] = set()
    for deal in deals:
        if game is None:
            game = Game(rules=rules, dealer=deal.dealer, score=record.score)
        if judged and deal.number != judged[-1].number + 1:
            expected = None
        if game.is_over and games < record.games:
            game, games = game.next_game(), games + 1
            last = judged[-1].dealer if judged else None
            expected = None if last is None else last.left
        over = game.is_over
        game = replace(game, dealer=deal.dealer)
        found = DealJudge(
            rules,
            table,
            deal,
            house_said=record.house_said,
            ordered=record.ordered,
            score=game.score,
            expected=expected if deal.has_dealer else None,
            misdeals=misdeals,
        ).judge()
        if over:
            found = _after_the_end(found, game)
            expected = None
        else:
            game, expected = _counted(game, found, deal.dealer)
            misdeals = misdeals + 1 if found.outcome == "redeal" and expected is deal.dealer else 0
        if deal.number in numbers:
            found = _numbered_twice(found)
        numbers.add(deal.number)
        judged.append(replace(found, score=game.score, next_dealer=expected))
    return judged, game or Game(rules=rules, dealer=Seat.NORTH, score=record.score)


def _after_the_end(found: JudgedDeal, game: Game) -> JudgedDeal:
    ns, ew = game.score
    late = Irregularity(
        rule="game.over",
        what=f"a further deal after the game ended at {ns}-{ew}",
        remedy="it is not counted",
    )
    return replace(found, irregularities=(late, *found.irregularities))


def _numbered_twice(found: JudgedDeal) -> JudgedDeal:
    message = f"two deals have the number {found.number} (write each deal once): both are counted"
    return replace(found, problems=(Problem(f"deal {found.number}", message), *found.problems))


def _counted(game: Game, found: JudgedDeal, dealer: Seat) -> tuple[Game, Seat | None]:
    """The game after a deal and its penalties, and who deals next; nobody once it is over."""
    if found.outcome == "unfinished":
        return game, None
    outcome = Outcome(outcome=Result(found.outcome), points=found.points)
    after = game.after(outcome)
    score = list(after.score)
    for penalty in found.penalties:
        if penalty.side is not None:
            side = 0 if penalty.side.value == "ns" else 1
            if penalty.points < 0:
                score[side] += penalty.points
            else:
                score[1 - side] += penalty.points
    after = replace(after, score=(score[0], score[1]))
    expected = found.next_dealer
    if found.dealer is None:
        return after, None
    if expected is None:
        expected = next_dealer(game.rules, dealer, outcome)
    return after, None if after.is_over else expected
