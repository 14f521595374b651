"""What the play proves of an upcard and a trump that the record does not write down."""

from dataclasses import replace

from referee.records.calls import Calling
from referee.records.known import Known
from referee.records.model import NO_TRUMP, RecordedDeal
from referee.records.walk import Walk, Walked
from referee.rules import SEATS, SUIT_LETTERS, Card, RuleSet, Suit, card_text
from referee.rules.cards import PRINTED_SUIT
from referee.rules.knobs import NoTrump, Upcard
from referee.rules.ranking import STRENGTH


def proved(
    rules: RuleSet, known: Known, calling: Calling, walk: Walk
) -> tuple[RecordedDeal, list[str]]:
    """The deal with what the play proves written in, and a sentence for each such thing."""
    deal = known.deal
    if not deal.tricks or not deal.has_dealer or calling.hand.trump >= 0:
        return deal, []
    told: list[str] = []
    dealer = SEATS[deal.dealer].word
    taken = _taken(rules, known, walk)
    if taken is not None and deal.upcard is None and taken not in known.places:
        text = card_text(taken)
        told.append(f"the upcard is not written down: {dealer} took {text}, and was not dealt it")
        deal = replace(deal, upcard=taken)
    trump = _by_leads(rules, walk)
    if taken is not None and taken == deal.upcard:
        trump = PRINTED_SUIT[taken]
    if trump is not None and deal.trump is None:
        letter = f"{SUIT_LETTERS}N"[trump]
        told.append(f"trump is not written down: only {letter} agrees with who leads")
        if taken is not None and taken == deal.upcard:
            told[-1] = f"trump is not written down: {dealer} took {card_text(taken)}"
        deal = replace(deal, trump=trump)
    return deal, told


def _taken(rules: RuleSet, known: Known, walk: Walk) -> Card | None:
    """The one card beside its five that the dealer plays, where all five are known.

    Rule: discard.dealer-takes-upcard
    """
    dealer = known.deal.dealer
    if rules.upcard is not Upcard.DEALER_TAKES or not known.is_full(dealer):
        return None
    beside = [card for card in walk.played()[dealer] if card not in known.dealt[dealer]]
    upcard = known.deal.upcard
    return beside[0] if len(beside) == 1 and upcard in {None, beside[0]} else None


def _by_leads(rules: RuleSet, walk: Walk) -> Suit | None:
    """The one trump under which every trick goes to the seat that leads next.

    Rule: trick.winner
    """
    suits = [0, 1, 2, 3] + [NO_TRUMP] * (rules.no_trump is not NoTrump.NEVER)
    tricks = [trick for trick in walk.tricks if trick.by_lead and trick.whole]
    fitting = [suit for suit in suits if all(_goes_to(trick, suit) for trick in tricks)]
    return fitting[0] if tricks and len(fitting) == 1 else None


def _goes_to(trick: Walked, trump: Suit) -> bool:
    cards = [(seat, card) for seat, card in trick.plays if card is not None]
    if len(cards) != len(trick.plays):
        return True
    row = STRENGTH[trump][cards[0][1]]
    return max(cards, key=lambda play: row[play[1]])[0] == trick.winner
