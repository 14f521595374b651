"""How each event changes the state: the one fold that play, resume and audit share."""

from dataclasses import replace
from typing import TypeVar, assert_never

from referee.errors import InternalError
from referee.rules import (
    SEATS,
    Deal,
    Game,
    Hand,
    Outcome,
    Result,
    RuleSet,
    Side,
    deal_from_deck,
    parse_action,
    parse_card,
    uncovered,
    violation,
)
from referee.sealing.board import board_deck
from referee.sealing.chain import Chain
from referee.sealing.closing import ZERO, DealClose, Fault, HiddenOpening, MatchClose
from referee.sealing.deck import SealedDeck, Sealer, sealed_deck
from referee.sealing.events import (
    ActionTaken,
    CommitSet,
    DealerDrawn,
    DealOpen,
    DeckRoot,
    MatchOpen,
    RevealSet,
    SeatCommit,
    TurnUp,
)
from referee.sealing.parts import Pair
from referee.table.events import (
    AttemptRefused,
    BoardOver,
    CardHidden,
    Event,
    MatchCreated,
    MatchDropped,
    SeatJoined,
    SeatTaken,
    SeedShown,
    SideLeft,
    for_side,
    of_seat,
    plus,
)
from referee.table.state import DealState, Ending, Links, MatchState

T = TypeVar("T")
UPCARD_POSITION = 20


def chain_of(state: MatchState) -> Chain:
    """The referee's chain of this match."""
    return state.links.chain


def begin(created: MatchCreated, sealer: Sealer = sealed_deck) -> MatchState:
    """The state of a match that has just been asked for; `sealer` is to make its decks."""
    rules = RuleSet.from_map(dict(created.rules))
    dealer = created.first_dealer
    score = ZERO if created.place is None else created.place.score
    links = created.chain if created.links is None else created.links
    return MatchState(
        created=created,
        rules=rules,
        links=Links(created.match, created.secret, links),
        game=None
        if dealer is None
        else Game(rules=rules, dealer=SEATS[dealer], score=(score.ns, score.ew)),
        rated=created.policy.rated,
        banks=(created.policy.bank_ms,) * 4,
        sealer=sealer,
    )


def evolve(state: MatchState, event: Event) -> MatchState:
    """The state after an event.

    Raises InternalError where the event cannot follow, which only a damaged journal can cause.
    """
    match event:
        case MatchCreated():
            raise InternalError("a match is created twice in the journal")
        case MatchDropped():
            return replace(state, dropped=event.why)
        case SeatJoined():
            return replace(state, joined=_put(state.joined, event.seat, event.token))
        case SeatTaken():
            return replace(state, seats=_put(state.seats, event.seat, event.info))
        case BoardOver():
            return replace(state, board_over=event)
        case SideLeft():
            return _after_leaving(state, event)
        case MatchClose():
            ending = Ending(event.outcome, event.by)
            return replace(state, version=state.version + 1, closed=event, ending=ending)
        case MatchOpen():
            rated = event.policy.rated
            return replace(state, version=state.version + 1, opened=True, rated=rated)
        case DealOpen():
            deal = DealState(number=event.deal, dealer=event.dealer, cutter=event.cutter)
            place = state.created.place
            if place is not None:  # its board was revealed and rooted before any table opened
                deck = board_deck(place.board, state.rules.pack.value, place.key)
                deal = replace(deal, revealed=True, deck=deck, fixed=True)
            return replace(state, last_deal=event.deal).after(deal)
        case DealClose():
            return _after_deal(state, event).after(None)
        case _:
            return _in_deal(state, event)


def open_deal(state: MatchState) -> DealState:
    """The deal on the table; InternalError where there is none."""
    if state.deal is None:
        raise InternalError("an event needs an open deal, and there is none")
    return state.deal


_DealEvent = (
    SeatCommit
    | CommitSet
    | SeedShown
    | RevealSet
    | DeckRoot
    | DealerDrawn
    | TurnUp
    | CardHidden
    | ActionTaken
    | AttemptRefused
)


def _in_deal(state: MatchState, event: _DealEvent) -> MatchState:
    deal = open_deal(state)
    match event:
        case SeatCommit():
            commits = _put(deal.commits, event.seat, event.commit)
            seqs = _put(deal.commit_seqs, event.seat, state.version + 1)
            return state.after(replace(deal, commits=commits, commit_seqs=seqs))
        case CommitSet():
            seq = state.version + 1
            deal = replace(deal, commits=event.commits, cset=event.cset, cset_seq=seq)
            return state.after(deal)
        case SeedShown():
            seeds = _put(deal.seeds, event.seat, event)
            return replace(state, deal=replace(deal, seeds=seeds))
        case RevealSet():
            deck = _sealed(state, deal, event)
            return state.after(replace(deal, revealed=True, deck=deck))
        case DeckRoot():
            return state.after(replace(deal, fixed=True))
        case DealerDrawn():
            return state.after(replace(deal, drawn=event.dealer))
        case TurnUp():
            return state.after(replace(deal, hand=hand_dealt(state)))
        case CardHidden():
            return replace(state, deal=replace(deal, hidden=event))
        case ActionTaken():
            return _after_action(state, deal, event)
        case AttemptRefused():
            return _after_attempt(state, deal, event)
        case _:
            assert_never(event)


def _sealed(state: MatchState, deal: DealState, event: RevealSet) -> SealedDeck:
    return state.sealer(
        state.match,
        deal.number,
        state.rules.pack.value,
        r=chain_of(state).secret(deal.number),
        cset=deal.cset,
        seeds=event.seeds,
        cut=event.cut,
    )


def dealt(state: MatchState) -> Deal:
    """The sealed deck, dealt out."""
    deal = open_deal(state)
    if deal.deck is None or deal.dealer is None:
        raise InternalError("cards are dealt before the deck is sealed")
    cards = [parse_card(card) for card in deal.deck.cards]
    return deal_from_deck(cards, state.rules, deal.dealer)


def hand_dealt(state: MatchState) -> Hand:
    """The hand that the sealed deck gives, at the score of the running game."""
    score = (0, 0) if state.game is None else state.game.score
    return Hand(state.rules, dealt(state), score)


def _after_action(state: MatchState, deal: DealState, event: ActionTaken) -> MatchState:
    if deal.hand is None:
        raise InternalError("a seat acts before the upcard is turned")
    hand = deal.hand.copy()
    text = event.action
    if event.commit:
        deal, text = _uncovered(state, deal, event.action)
    code = parse_action(text)
    if code is None:
        raise InternalError(f"the journal holds an action that is none: {text!r}")
    if violation(hand, event.seat, code) is not None:
        raise InternalError(f"the journal holds an illegal action: {text!r}")
    hand.advance(code)
    deal = deal.at(hand)
    policy = state.created.policy
    over = max(0, event.used_ms - policy.move_ms)
    bank = max(0, state.banks[event.seat] - over) + policy.increment_ms
    if bank != state.banks[event.seat]:
        state = replace(state, banks=_put(state.banks, event.seat, bank))
    if event.fallback is not None:
        fault = Fault(event.seat, event.fallback)
        deal = replace(deal, faults=(*deal.faults, fault))
        count = state.timeouts[event.seat] + 1
        state = replace(state, timeouts=_put(state.timeouts, event.seat, count))
        if count >= policy.timeout_limit:
            state = replace(state, ending=Ending("forfeit", event.seat))
    return state.after(deal)


def _uncovered(state: MatchState, deal: DealState, word: str) -> tuple[DealState, str]:
    """The deal with its opening noted, and the hidden move as the rules read it."""
    hidden, deck = deal.hidden, deal.deck
    if hidden is None or deck is None:
        raise InternalError("a hidden move without its cards in the journal")
    opening = HiddenOpening(seq=state.version + 1, positions=hidden.positions, blinds=hidden.blinds)
    deal = replace(deal, hidden=None, openings=(*deal.openings, opening))
    return deal, uncovered(word, [deck.cards[place] for place in hidden.positions])


def _after_attempt(state: MatchState, deal: DealState, event: AttemptRefused) -> MatchState:
    seat = event.attempt.seat
    count = state.attempts[seat] + 1
    deal = replace(deal, attempts=(*deal.attempts, event.attempt))
    state = replace(state, attempts=_put(state.attempts, seat, count))
    if count >= state.created.policy.illegal_limit:
        deal = replace(deal, faults=(*deal.faults, Fault(seat, "ILLEGAL")))
        state = replace(state, ending=Ending("forfeit", seat))
    return replace(state, deal=deal)


def _after_leaving(state: MatchState, event: SideLeft) -> MatchState:
    deal = open_deal(state)
    deal = replace(deal, faults=(*deal.faults, Fault(event.seat, event.why)))
    return replace(state, deal=deal, ending=Ending("forfeit", event.seat))


def _after_table(state: MatchState, event: DealClose) -> MatchState:
    """A table of a board ends with its one deal."""
    if state.game is None:
        raise InternalError("a table of a board has no dealer")
    ending = state.ending or Ending("finished")
    if event.outcome == "void":
        ending = Ending("void")
    points = (event.points.ns, event.points.ew)
    game = state.game.after(Outcome(outcome=Result(event.outcome), points=points))
    counted = game.deals - state.game.deals
    return replace(state, deal=None, game=game, counted=counted, ending=ending)


def _after_deal(state: MatchState, event: DealClose) -> MatchState:
    if state.created.place is not None:
        return _after_table(state, event)
    deal = open_deal(state)
    state = replace(state, deal=None)
    if event.outcome == "draw" and deal.drawn is not None:
        return replace(state, game=Game(rules=state.rules, dealer=SEATS[deal.drawn]))
    state = _after_faults(state, event)
    if state.ending is None and event.outcome == "void" and deal.cset:
        state = replace(state, ending=Ending("void"))
    if state.game is None:
        return state
    result = Result(event.outcome)
    points = (event.points.ns, event.points.ew)
    game = state.game.after(Outcome(outcome=result, points=points))
    counted = state.counted + (game.deals - state.game.deals)
    return _after_game(replace(state, game=game, counted=counted), game)


def _after_game(state: MatchState, game: Game) -> MatchState:
    """The next game where this one is over, or the end of the match."""
    if not game.is_over:
        return state
    games = state.games
    if game.winner is not None:
        games = plus(games, Pair(*(int(game.winner is side) for side in Side)))
    state = replace(state, games=games, finished_games=state.finished_games + 1)
    if state.finished_games < state.created.policy.games:
        return replace(state, game=game.next_game())
    return state if state.ending is not None else replace(state, ending=Ending("finished"))


def _after_faults(state: MatchState, event: DealClose) -> MatchState:
    """What the faults of a deal cost the match."""
    withheld = [f.seat for f in event.faults if f.why == "WITHHELD"]
    for side in {seat & 1 for seat in withheld}:
        state = replace(state, withheld=plus(state.withheld, for_side(side, 1)))
    if withheld and state.ending is None:
        limit = 1 if event.deal == 0 else state.created.policy.withheld_limit
        over = [seat for seat in withheld if of_seat(state.withheld, seat) >= limit]
        if over:
            state = replace(state, ending=_blame(over))
    return state


def _blame(seats: list[int]) -> Ending:
    """A forfeit by the one side at fault; nobody's where both are."""
    if len({seat & 1 for seat in seats}) > 1:
        return Ending("void")
    return Ending("forfeit", seats[0])


def _put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])
