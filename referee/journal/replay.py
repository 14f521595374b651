"""The rules of a sealed match, replayed over the deals whose seal has passed.

The seal says which cards were dealt; this says whether the actions, refusals, results and scores
that the transcript claims are those of the rule book.
"""

from typing import Final

from referee.errors import RefereeError
from referee.journal.refuted import Finding, RefutedError, check
from referee.journal.replayfaults import CUT_SHORT, ReplayedFaults
from referee.rules import (
    Game,
    Hand,
    Outcome,
    Packets,
    Result,
    RuleSet,
    Seat,
    Violation,
    action_text,
    deal_from_deck,
    fallback_action,
    largest_points,
    outcome_of,
    parse_action,
    parse_cards,
    positions,
    ruling,
    uncovered,
    violation,
)
from referee.sealing import ActionTaken, Attempt, DealClose, MatchClose, MatchOpen
from referee.sealing.packs import SEATS, SIDES
from referee.sealing.record import DealRecord
from referee.sealing.verdict import Stage

NO_CARDS: Final = "an attempt stands where no card was dealt"
_PLAYED_OUT: Final = frozenset({"played", "thrown_in"})


class Replay:
    """One match as the rule book sees it, deal by deal."""

    __slots__ = (
        "_counted", "_faults", "_finished", "_game", "_games", "_last", "_open", "_points",
        "_proof", "_rules", "_table",
    )  # fmt: skip

    def __init__(self, opened: MatchOpen, *, proof: bool = False) -> None:
        self._open = opened
        self._proof = proof
        self._table = opened.board is not None
        self._rules: RuleSet | None = None
        self._game: Game | None = None
        self._games = [0, 0]
        self._points = [0, 0]
        self._finished = 0
        self._counted = 0
        self._faults = ReplayedFaults(opened.policy, proof=proof)
        self._last: DealClose | None = None

    @property
    def counts_games(self) -> bool:
        """Whether the score of the match is one of games, not of points."""
        return not self._table and (self._rules is None or self._rules.deals is None)

    def begin(self) -> Finding | None:
        """What is wrong with the rule set itself."""
        try:
            rules = RuleSet.from_map(self._open.rules)
        except RefereeError as err:
            return Finding(Stage.RULES, f"the rules cannot be replayed: {err}", 0, None)
        if rules.to_map() != dict(self._open.rules):
            return Finding(Stage.RULES, "rules does not hold every knob of the map", 0, None)
        score = self._open.score
        if (
            score is not None
            and Game(rules=rules, dealer=Seat(0), score=(score.ns, score.ew)).is_over
        ):
            return Finding(Stage.SCORE, f"the game was over at {score.ns}-{score.ew}", 0, None)
        self._rules = rules
        return None

    def deal(self, record: DealRecord) -> Finding | None:
        """The first thing wrong with a closed deal, or None."""
        close = record.close
        if self._rules is None or close is None:
            return None
        found: list[Finding] = []
        for part in (self._deal, self._advance):  # what follows is counted on in any case
            try:
                part(self._rules, record, close)
            except RefutedError as refuted:
                found.append(Finding(refuted.stage, str(refuted), refuted.seq, record.number))
        return found[0] if found else None

    def close(self, event: MatchClose, seq: int) -> Finding | None:
        """The first thing wrong with the end of the match, or None."""
        if self._rules is None:
            return None
        try:
            self._close(self._rules, event, seq)
        except RefutedError as refuted:
            return Finding(refuted.stage, str(refuted), refuted.seq, None)
        return None

    def _deal(self, rules: RuleSet, record: DealRecord, close: DealClose) -> None:
        check(not self._faults.by, "a deal follows the forfeit of the match", record.open_seq)
        check(
            self._finished < max(1, self._open.policy.games) or self._proof,
            "a deal follows the end of the last game",
            record.open_seq,
        )
        hand = self._hand(rules, record)
        self._check_outcome(record, close, hand)
        self._faults.check(record, close)

    def _advance(self, rules: RuleSet, record: DealRecord, close: DealClose) -> None:
        """Count the deal's faults and its points, whatever was wrong with it."""
        self._last = close
        self._faults.count(record, close)
        if record.number:
            self._score(record, close)
        else:
            self._start(rules, record, close)

    def _start(self, rules: RuleSet, record: DealRecord, close: DealClose) -> None:
        seq = record.close_seq
        none = (close.points.ns, close.points.ew, close.score.ns, close.score.ew) == (0, 0, 0, 0)
        check(none, "deal 0 pays nothing", seq, Stage.SCORE)
        if record.draw is not None:
            self._game = Game(rules=rules, dealer=Seat(record.draw.dealer))

    def _hand(self, rules: RuleSet, record: DealRecord) -> Hand | None:
        """The hand after all actions, each of which the rules allow; None where none was dealt."""
        dealer = record.open.dealer
        if dealer is None:
            check(not record.close or not record.close.attempts, NO_CARDS, record.close_seq)
            return None
        if self._game is None:
            self._game = Game(rules=rules, dealer=Seat(dealer), score=self._score_before(record))
        expected = self._game.dealer
        check(
            dealer == expected, f"{SEATS[dealer]} deals, and it is {expected.word}'s deal",
            record.open_seq,
        )  # fmt: skip
        if record.deck is None or record.upcard is None or record.close is None:
            check(not record.close or not record.close.attempts, NO_CARDS, record.close_seq)
            return None
        cards = parse_cards(record.deck.text)
        hand = Hand(rules, deal_from_deck(cards, rules, dealer), self._game.score)
        attempts = list(record.close.attempts)
        self._check_places(attempts, record)
        for placed in record.actions:
            while attempts and attempts[0].after < placed.seq:
                self._refused(hand, attempts.pop(0), record.close_seq)
            self._act(hand, placed.seq, placed.action, record)
        for attempt in attempts:
            self._refused(hand, attempt, record.close_seq)
        return hand

    def _score_before(self, record: DealRecord) -> tuple[int, int]:
        """The score before the first deal replayed; in a deal proof, as its close says."""
        close = record.close
        if self._open.score is not None:  # the game that goes on at a table of a board
            return self._open.score.ns, self._open.score.ew
        if not self._proof or close is None:
            return (0, 0)
        return close.score.ns - close.points.ns, close.score.ew - close.points.ew

    def _check_places(self, attempts: list[Attempt], record: DealRecord) -> None:
        """Refused actions stand in order, between the upcard and the close."""
        places = [attempt.after for attempt in attempts]
        check(
            places == sorted(places)
            and all(record.upcard_seq <= place < record.close_seq for place in places),
            "the attempts are not in order, or stand outside the play",
            record.close_seq,
        )

    def _refused(self, hand: Hand, attempt: Attempt, seq: int) -> None:
        found = ruling(hand, attempt.seat, attempt.action)
        who = f"the attempt {attempt.action!r} of {SEATS[attempt.seat]}"
        if not isinstance(found, Violation):
            raise RefutedError(f"{who} was refused, and is legal", seq)
        malformed = attempt.action == "?" and attempt.reason == "MALFORMED"
        check(
            malformed or found.reason.value == attempt.reason,
            f"{who} was refused as {attempt.reason}, and is {found.reason}",
            seq,
        )

    def _act(self, hand: Hand, seq: int, event: ActionTaken, record: DealRecord) -> None:
        text = event.action
        if event.commit is not None and record.close is not None and record.deck is not None:
            opening = next(o for o in record.close.openings if o.seq == seq)
            shown = [record.deck.cards[place] for place in opening.positions]
            text = uncovered(event.action, shown)
        code = parse_action(text)
        if code is None or violation(hand, event.seat, code) is not None:
            found = ruling(hand, event.seat, text)
            said = f"{found.sentence} ({found.rule})" if isinstance(found, Violation) else "refused"
            raise RefutedError(f"{text!r} of {SEATS[event.seat]}: {said}", seq)
        if event.fallback is not None:
            due = action_text(fallback_action(hand))
            check(text == due, f"{text!r} is played for a seat whose fallback is {due!r}", seq)
        hand.advance(code)

    def _check_outcome(self, record: DealRecord, close: DealClose, hand: Hand | None) -> None:
        seq = record.close_seq
        over = hand is not None and hand.seat_on_turn is None
        if close.outcome in CUT_SHORT:
            check(
                close.outcome == "void" or self._open.policy.rated,
                "an unrated match turns every fault into void",
                seq,
            )
            check(
                not over
                or self._faults.timed_out(record)
                or (self._table and close.outcome == "void"),
                f"the deal is closed as {close.outcome}, and was played to its end",
                seq,
            )
        elif record.number:
            check(over, f"the deal is closed as {close.outcome}, and is not over", seq)
        maker = None if hand is None else hand.maker_seat
        alone = () if hand is None else hand.alone_seats
        tricks = (0, 0) if hand is None else hand.tricks_won
        check(close.maker == maker, f"the maker is {_seat(maker)}, not {_seat(close.maker)}", seq)
        check(close.alone == tuple(alone), "the seats alone are not those that said so", seq)
        claimed = (close.tricks.ns, close.tricks.ew)
        check(claimed == tricks, f"the tricks are {tricks[0]}-{tricks[1]}", seq)
        if over and hand is not None and close.outcome not in CUT_SHORT:
            result = outcome_of(hand)
            check(close.outcome == result.outcome.value, f"the deal was {result.outcome}", seq)
            self._pays(result.points, close, seq)
        else:
            self._pays(self._fault_points(record, close), close, seq)

    def _pays(self, due: tuple[int, int], close: DealClose, seq: int) -> None:
        said = (close.points.ns, close.points.ew)
        message = f"the deal pays {due[0]}-{due[1]}, not {said[0]}-{said[1]}"
        check(said == due, message, seq, Stage.SCORE)

    def _fault_points(self, record: DealRecord, close: DealClose) -> tuple[int, int]:
        """What a deal that was cut short pays: for a withheld seed alone, and to one side.

        At a table of a board it pays for whatever stopped it: a board always has its score.
        """
        if self._table and close.outcome == "fault" and close.faults and self._rules:
            most = largest_points(self._rules)
            return (most, 0) if close.faults[-1].seat & 1 else (0, most)
        sides = {fault.seat & 1 for fault in close.faults if fault.why == "WITHHELD"}
        if close.outcome != "fault" or len(sides) != 1 or not record.number or not self._rules:
            return (0, 0)
        most = largest_points(self._rules)
        return (0, most) if sides == {0} else (most, 0)

    def _score(self, record: DealRecord, close: DealClose) -> None:
        game = self._game
        points = (close.points.ns, close.points.ew)
        below = close.score.ns < points[0] or close.score.ew < points[1]
        check(not below, "the score is less than the deal pays", record.close_seq, Stage.SCORE)
        if game is None or game.is_over or self._proof:
            return
        outcome = Outcome(outcome=Result(close.outcome), points=points)
        after = game.after(outcome)
        score = after.score
        self._counted += after.deals - game.deals
        self._points = [self._points[side] + points[side] for side in range(2)]
        if after.is_over:
            self._finished += 1
            if after.winner is not None:
                self._games[SIDES.index(after.winner.value)] += 1
            if self._finished < self._open.policy.games:
                after = after.next_game()
        self._game = after  # before the check: the deals that follow are not to be blamed for it
        said = (close.score.ns, close.score.ew)
        message = f"the score is {score[0]}-{score[1]}, not {said[0]}-{said[1]}"
        check(said == score, message, record.close_seq, Stage.SCORE)

    def _close(self, rules: RuleSet, event: MatchClose, seq: int) -> None:
        score = (event.score.ns, event.score.ew)
        running = (0, 0) if self._game is None else self._game.score
        due = [(self._games[0], self._games[1])]
        if self._table:
            due = [(self._points[0], self._points[1])]
        elif rules.deals is not None:
            due = [running, (self._points[0], self._points[1])]
        check(score in due, f"the result is {due[0][0]}-{due[0][1]}", seq, Stage.SCORE)
        check(event.deals == self._counted, f"{self._counted} deals count", seq, Stage.SCORE)
        check(
            (event.outcome == "forfeit") == (event.by is not None),
            "by names who forfeits, and nobody else",
            seq,
        )
        self._check_end(event, seq)
        winner = None
        if event.by is not None:
            winner = 1 - (event.by & 1)
        elif event.outcome == "finished" and score[0] != score[1]:
            winner = 0 if score[0] > score[1] else 1
        said, real = _side(event.winner), _side(winner)
        check(event.winner == winner, f"the winner is {real}, not {said}", seq, Stage.SCORE)

    def _check_end(self, event: MatchClose, seq: int) -> None:
        """A match that is over, or forfeited, is not closed in any other way."""
        over = self._finished >= max(1, self._open.policy.games)
        sides = {seat & 1 for seat in self._faults.by}
        said = event.outcome
        if self._table:
            over = self._last is not None and self._last.outcome not in CUT_SHORT
            if self._last is not None and self._last.outcome == "void":
                check(said == "void", f"the board is void, and the table is closed as {said}", seq)
                return
        if event.by is not None:
            short = self._last is not None and self._last.outcome in CUT_SHORT
            forfeits = event.by in self._faults.by and short
            check(forfeits, f"{SEATS[event.by]} forfeits, and no fault of it says why", seq)
        elif sides == {0, 1}:
            check(said == "void", f"both sides are at fault, and the match is closed {said}", seq)
        else:
            check(not sides, f"the match is forfeited, and is closed as {said}", seq)
            finished = "and is not over" if said == "finished" else "and was played to its end"
            check(over == (said == "finished"), f"the match is closed as {said}, {finished}", seq)


def positions_by_word(packets: str, dealer: int, seat: int) -> tuple[int, ...]:
    """The five positions that a seat is dealt, as the rules have them; none for an unknown word.

    >>> positions_by_word("3-2", dealer=3, seat=0), positions_by_word("4-1", dealer=3, seat=0)
    ((0, 1, 2, 12, 13), ())
    """
    try:
        return positions(Packets(packets), dealer, seat)
    except ValueError:
        return ()


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else SEATS[seat]


def _side(side: int | None) -> str:
    return "nobody" if side is None else SIDES[side]
