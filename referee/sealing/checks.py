"""The checks that the file of a match and the file of a board have in common.

Each raises CheckError where it fails; the walks say when it is the turn of which.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from referee.sealing.boardevents import BoardEvent, BoardOpen, BoardRoot
from referee.sealing.closing import Event
from referee.sealing.commit import declined_commit
from referee.sealing.deck import SealedDeck
from referee.sealing.errors import KeyFormError, UnsoundKeyError
from referee.sealing.events import DeckRoot, MatchOpen
from referee.sealing.keys import UnsoundKey, VerifyKey, parse_key
from referee.sealing.leaves import tree_head
from referee.sealing.parts import SeatInfo
from referee.sealing.transcript import rule_set_hash
from referee.sealing.verdict import CheckError, require

SeatKey: TypeAlias = VerifyKey | UnsoundKey | None
"""The key of a seat; None where it does not sign."""


def out_of_order(
    event: Event | BoardEvent, expected: Iterable[type[Event] | type[BoardEvent]]
) -> CheckError:
    """What is wrong with an event that is of none of the kinds that may stand here."""
    kinds = " or ".join(cls.kind for cls in expected) or "nothing"
    return CheckError(f"{event.kind} cannot stand here: {kinds} may follow")


def check_rules(event: MatchOpen | BoardOpen) -> None:
    """The pack and the hash that an opening names are those of its rules."""
    require(event.pack == event.rules.get("pack"), "pack is not the rule set's pack")
    require(event.rule_set == rule_set_hash(event.rules), "rule_set is not the hash of rules")


def seat_keys(seats: Iterable[tuple[str, SeatInfo]], unsigned: list[str]) -> tuple[SeatKey, ...]:
    """The keys of seats, each with its place in words; keys that are unsound go to `unsigned`."""
    keys: list[SeatKey] = []
    for who, seat in seats:
        require(
            (seat.level == "signs") == (seat.key is not None),
            f"{who}: a key goes with the level signs, and with no other",
        )
        try:
            keys.append(None if seat.key is None else parse_key(seat.key))
        except UnsoundKeyError as err:
            keys.append(UnsoundKey())
            unsigned.append(f"{who}: {err}")
        except KeyFormError as err:
            raise CheckError(f"{who}: {err}") from err
    return tuple(keys)


def check_commits(
    sealed: bytes,
    deal: int,
    seats: Iterable[tuple[str, bool]],
    own: Mapping[int, bytes],
    given: Sequence[bytes],
) -> None:
    """A commit set holds what each seat has committed, and no two of its commitments are the same.

    `sealed` is the id of the match or board; `seats` are places in words, and whether they have
    declined; `own` are the commitments of the seats, `given` those of the set.
    """
    for j, (who, declined) in enumerate(seats):
        mine = declined_commit(sealed, deal, j) if declined else own.get(j)
        require(mine is not None, f"{who} has not committed")
        require(given[j] == mine, f"the commitment of {who} is not its own")
    require(len(set(given)) == len(given), "two commitments are the same")


def check_root(event: DeckRoot | BoardRoot, cards: Sequence[str]) -> None:
    """The root of a deck is the head over a leaf for each card of the pack."""
    require(len(event.leaves) == len(cards), "there is not one leaf a card")
    require(tree_head(event.leaves) == event.root, "root is not the head over the leaves")


def check_deck(text: str | None, deck: SealedDeck, root: DeckRoot | BoardRoot, seq: int) -> None:
    """A close publishes the deck that its secret gives, whose root stands in event `seq`."""
    pairs = zip(deck.leaves, root.leaves, strict=True)
    wrong = next((p for p, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
    require(
        wrong is None,
        f"the deck sealed is not the one that was fixed: position {wrong} differs",
        seq=seq,
    )
    require(text == deck.text, "deck is not the deck that was sealed")
