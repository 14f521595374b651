"""The seat's own account of a match: every duty of the seal, event by event."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from euchre_bot.canonical import Fields, dump
from euchre_bot.companion import BotFailedError, Seeds
from euchre_bot.deal import HASH, Deal, Link, Opened, Terms
from euchre_bot.dealing import SEATS, cutter_seat, known_packets
from euchre_bot.errors import DealProofError, UsageError
from euchre_bot.events import Event, EventChain
from euchre_bot.files import StateFile
from euchre_bot.receipts import PrivateDeal, ReceiptItem, Receipts
from euchre_bot.seal import (
    PACKS,
    PROTOCOL,
    hidden_moves,
    move_signed_bytes,
    seat_commit,
    seat_seed,
    tagged_hash,
)
from euchre_bot.signatures import PublicKey, SeatKey, verifies

_MATCH_BYTES: Final = 16
_CARDS_OUT: Final = frozenset({"action", "deal_close"})
_COMMITTING: Final = frozenset({"seat_commit", "commit_set", "deal_close"})
_AFTER: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({"match_open"}),
    "match_open": frozenset({"deal_open", "match_close"}),
    "deal_open": _COMMITTING,
    "seat_commit": _COMMITTING,
    "commit_set": frozenset({"reveal_set", "deal_close"}),
    "reveal_set": frozenset({"deck_root"}),
    "deck_root": frozenset({"dealer_draw", "turn_up"}),
    "dealer_draw": frozenset({"deal_close"}),
    "turn_up": _CARDS_OUT,
    "action": _CARDS_OUT,
    "deal_close": frozenset({"deal_open", "match_close"}),
    "match_close": frozenset(),
}
"""Which kinds of events may follow which: nothing is left out and nothing comes twice."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the seat was told in Welcome, and what it said of itself.

    `level` is what it does for the seal; at `plays` it gives no seeds.
    """

    match: bytes
    seat: int
    name: str
    rules: Mapping[str, str]
    referee_key: bytes
    level: str = "checks"
    key: SeatKey | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """What the seat opens once the commit set has passed its checks."""

    seed: bytes
    cut: int | None
    cset: bytes
    head: bytes
    sig: bytes


class Witness:
    """Follows one match for one seat; anything that does not hold is a DealProofError."""

    __slots__ = (
        "_chain",
        "_claim",
        "_deals",
        "_draw",
        "_last",
        "_link",
        "_r0",
        "_receipts",
        "_secret",
        "_state",
        "_terms",
        "_twins",
        "seeds",
    )

    def __init__(self, claim: Claim, secret: bytes, state: StateFile, receipts: Receipts) -> None:
        self.seeds: Seeds | None = None
        self._claim = claim
        self._receipts = receipts
        self._last = ""
        self._secret = secret
        self._state = state
        self._chain = EventChain()
        self._deals: dict[int, Deal] = {}
        self._draw: int | None = None
        self._link = Link(0, b"")
        self._r0 = b""
        self._terms: Terms | None = None
        self._twins: set[int] = set()

    @property
    def next_seq(self) -> int:
        """The first event not yet seen: the position to resume from."""
        return self._chain.next_seq

    def take(self, raw: bytes, sig: bytes) -> Event:
        """Follow one public event."""
        before = self._chain.head
        event = self._chain.take(raw, sig)
        fields = event.fields
        if event.kind not in _AFTER[self._last]:
            what = self._last or "the beginning"
            raise DealProofError(f"{fields.where} cannot come after {what}")
        self._last = event.kind
        self._receipts.saw(event.seq, event.head)
        match event.kind:
            case "match_open":
                self._open(fields)
            case "match_close":
                self._check_end(fields)
            case "deal_open":
                self._open_deal(fields)
            case _:
                self._step(event, self._deal(fields.where, fields.number("deal")), before)
        return event

    def _step(self, event: Event, deal: Deal, before: bytes) -> None:
        fields = event.fields
        if event.kind in {"turn_up", "action"}:
            deal.heads[event.seq] = event.head
        match event.kind:
            case "seat_commit":
                deal.take_commit(fields)
            case "commit_set":
                deal.take_commit_set(fields, event.head)
                self._state.check_answer(deal.terms.match, deal.number, deal.cset)
            case "reveal_set":
                deal.take_reveal_set(fields)
            case "deck_root":
                deal.take_deck_root(fields)
            case "dealer_draw":
                self._draw = deal.take_dealer_draw(fields)
            case "turn_up":
                deal.take_turn_up(fields)
            case "action":
                deal.take_action(fields, event.seq, before)
            case "deal_close":
                self._link = deal.take_close(fields)
            case _:
                raise DealProofError(f"{fields.where}: no event has this kind")
        deal.check_stood(event.seq)

    def twin(self, event: Event) -> int | None:
        """The other seat whose commitment our own secret gives, if this event is its first."""
        if event.kind != "seat_commit" or self._claim.level == "plays" or self.seeds is not None:
            return None
        deal, seat = self._deals[event.fields.number("deal")], event.fields.seat("seat")
        terms, seed = deal.terms, self._seed(deal)
        if seat == terms.seat or seat in self._twins:
            return None
        cuts = range(len(PACKS[terms.pack])) if seat == deal.cutter else (None,)
        made = {seat_commit(terms.match, deal.number, seat, seed, cut) for cut in cuts}
        if deal.commits[seat] not in made:
            return None
        self._twins.add(seat)
        return seat

    def _open(self, fields: Fields) -> None:
        claim = self._claim
        rules = fields.child("rules").texts()
        checks = (
            (fields.octets("match", _MATCH_BYTES) == claim.match, "match is not the one we joined"),
            (fields.text("protocol") == PROTOCOL, f"protocol is not {PROTOCOL}"),
            (self._chain.key == claim.referee_key, "referee_key is not the one we were told"),
            (rules == dict(claim.rules), "rules are not those we were told"),
            (
                fields.octets("rule_set", HASH) == tagged_hash("rule-set", dump({**rules})),
                "rule_set is not the hash of the rules",
            ),
            (fields.text("pack") == rules.get("pack"), "pack is not that of the rules"),
            (fields.text("pack") in PACKS, "pack is not one we know"),
            (known_packets(rules.get("packets", "")), "packets are not a pattern we know"),
        )
        for holds, fault in checks:
            if not holds:
                raise DealProofError(f"{fields.where}: {fault}")
        entries = fields.children("seats")
        if len(entries) != len(SEATS):
            raise DealProofError(f"{fields.where}: seats are not four")
        self._check_entry(entries[claim.seat])
        self._r0 = fields.octets("r0", HASH)
        self._state.check_match(claim.match, self._r0)
        self._link = Link(0, self._r0)
        self._terms = Terms(
            match=claim.match,
            seat=claim.seat,
            pack=rules["pack"],
            packets=rules["packets"],
            cut=rules.get("cut", "none"),
            first_dealer=rules.get("first_dealer", "agreed"),
            chain=fields.number("chain"),
            rated=fields.child("policy").truth("rated"),
            declined=frozenset(n for n, e in enumerate(entries) if e.text("level") == "plays"),
            referee_key=claim.referee_key,
            keys=tuple(map(_key_of, entries)),
        )

    def _check_entry(self, mine: Fields) -> None:
        """Our own entry: who we are, what we do for the seal, and whose our seeds are."""
        claim = self._claim
        said = (mine.text("name"), mine.text("level"), mine.text("seed_by"))
        if said != (claim.name, claim.level, "host" if claim.level == "plays" else "seat"):
            raise DealProofError(f"{mine.where}: our seat is not entered as we said: {said!r}")
        if _key_of(mine) != (None if claim.key is None else claim.key.public):
            raise DealProofError(f"{mine.where}: our key is not the one we gave")

    def _last_deal(self) -> int | None:
        """The deal with which the match has to end: its deck was known, and was thrown away."""
        newest = max(self._deals, default=None)
        if newest is None or not self._deals[newest].voided:
            return None
        return newest if self._terms is not None and self._terms.rated else None

    def _check_end(self, fields: Fields) -> None:
        last, outcome = self._last_deal(), fields.text("outcome")
        if last is not None and outcome not in {"void", "aborted"}:
            raise DealProofError(
                f"{fields.where}: it is closed {outcome!r} after deal {last},"
                " which was closed void after its commit set"
            )

    def _open_deal(self, fields: Fields) -> None:
        terms = self._terms
        if terms is None:
            raise DealProofError(f"{fields.where} came before match_open")
        number = fields.number("deal")
        last = self._last_deal()
        if last is not None:
            raise DealProofError(
                f"{fields.where}: the match goes on after deal {last},"
                " which was closed void after its commit set"
            )
        due = max(self._deals) + 1 if self._deals else number
        if number != due or (not self._deals and number > 1):
            raise DealProofError(f"{fields.where}: deal {number} is not the next one")
        if number >= terms.chain:
            raise DealProofError(
                f"{fields.where}: the referee's chain has no link for deal {number}"
            )
        dealer = fields.seat("dealer") if "dealer" in fields else None
        cutter = fields.seat("cutter") if "cutter" in fields else None
        if (dealer is None) != (number == 0):
            raise DealProofError(f"{fields.where}: a deal has a dealer, the draw for it has none")
        if number == 1 and self._draw is not None and dealer != self._draw:
            raise DealProofError(f"{fields.where}: the dealer is not the one who was drawn")
        due_cutter = None if dealer is None else cutter_seat(terms.cut, dealer)
        if cutter != (None if due_cutter in terms.declined else due_cutter):
            raise DealProofError(f"{fields.where}: the wrong seat cuts")
        deal = Deal(terms, number, self._link, dealer, cutter)
        deal.mine = self._own_commit(deal, promised=True)
        self._deals[number] = deal
        self._receipts.forget_before(self.next_seq - 1)

    def _own_commit(self, deal: Deal, *, promised: bool) -> bytes | None:
        match, me = deal.terms.match, deal.terms.seat
        if me in deal.terms.declined:
            return seat_commit(match, deal.number, me, b"", None)
        if self.seeds is not None:
            return self._state.promised_commit(match, deal.number)
        cut = self._state.promised_cut(match, deal.number) if me == deal.cutter else None
        if promised and me == deal.cutter and cut is None:
            return None
        return seat_commit(match, deal.number, me, self._seed(deal), cut)

    def _seed(self, deal: Deal) -> bytes:
        return seat_seed(self._secret, deal.terms.match, deal.number)

    def _deal(self, where: str, number: int) -> Deal:
        deal = self._deals.get(number)
        if deal is None or number != max(self._deals):
            raise DealProofError(f"{where}: deal {number} is not open")
        return deal

    def commit(self, number: int, *, cutter: bool) -> bytes:
        """Our commitment to a deal, promised on disk before it is returned."""
        deal = self._deal("ask for a commitment", number)
        me = deal.terms.seat
        if cutter != (deal.cutter == me):
            raise DealProofError(f"deal {number}: we are asked for a cut against deal_open")
        if self.seeds is not None:
            return self._bots_commit(self.seeds, deal)
        cut = secrets.randbelow(len(PACKS[deal.terms.pack])) if cutter else None
        cut = self._state.promise(deal.terms.match, self._r0, number, cut)
        deal.mine = seat_commit(deal.terms.match, number, me, self._seed(deal), cut)
        return deal.mine

    def _bots_commit(self, seeds: Seeds, deal: Deal) -> bytes:
        """The commitment of a bot that draws its own seeds; the first one stands."""
        commit = seeds.commit(deal.number, cutter=deal.cutter == deal.terms.seat)
        deal.mine = self._state.promise_commit(deal.terms.match, self._r0, deal.number, commit)
        return deal.mine

    def reveal(self, number: int) -> Reveal:
        """Our seed and cut, once the commit set has been checked and written down."""
        deal = self._deal("ask for a reveal", number)
        if not deal.cset:
            raise DealProofError(f"deal {number}: we are asked to reveal before the commit set")
        match = deal.terms.match
        self._state.answer(match, number, deal.cset)
        seed, cut = self._shown(deal)
        key = self._claim.key
        sig = b"" if key is None else key.sign(deal.reveal_message(deal.terms.seat))
        return Reveal(seed, cut, deal.cset, deal.head, sig)

    def _shown(self, deal: Deal) -> tuple[bytes, int | None]:
        """The seed and the cut that we have committed to."""
        match, number, me = deal.terms.match, deal.number, deal.terms.seat
        if self.seeds is None:
            cut = self._state.promised_cut(match, number) if deal.cutter == me else None
            return self._seed(deal), cut
        seed, cut = self.seeds.reveal(
            number, commits=deal.all_commits, r_commit=deal.r_commit, cset=deal.cset
        )
        if cut is not None and not 0 <= cut < len(PACKS[deal.terms.pack]):
            raise BotFailedError(f"deal {number}: the bot reveals the cut {cut}, which is no card")
        if seat_commit(match, number, me, seed, cut) != deal.mine:
            raise BotFailedError(
                f"deal {number}: the bot reveals a seed or a cut that it did not commit to"
                " (it is not shown: commit to SHA-256 of the parts that SEALING.md names)"
            )
        return seed, cut

    def private_deal(self, number: int, root: bytes, cards: Sequence[Opened], sig: bytes) -> None:
        """Check the cards that were sent to us alone; signed ones that are wrong are kept."""
        dealt = PrivateDeal(self._claim.match, number, self._claim.seat, root, tuple(cards), sig)
        if not verifies(self._claim.referee_key, sig, dealt.signed_bytes):
            raise DealProofError(
                f"the private deal of deal {number} has a signature that is not the referee's"
            )
        deal = self._deals.get(number)
        if deal is None:
            raise DealProofError(f"the private deal of deal {number} came before the deal")
        try:
            deal.take_private_deal(root, cards)
        except DealProofError as err:
            kept = " (they are kept: the proof)" if self._receipts.keep_deal(dealt) else ""
            raise DealProofError(f"{err}{kept}") from err

    def check_ask(self, number: int, seq: int, hand: Sequence[str]) -> None:
        """Check that we are asked at the newest event, and shown the cards sealed for us."""
        if seq != self.next_seq:
            raise DealProofError(f"we are asked for event {seq}, and event {self.next_seq} is next")
        self._deal("ask for an action", number).check_view(hand)

    def move(self, number: int, seq: int, action: str, blind: bytes) -> bytes:
        """Note what we are about to send, to know it again in the record; our signature of it.

        `blind` is there where the action is hidden; one that is not legal is signed as it is.
        """
        deal = self._deal("our move", number)
        deal.sent[seq] = text = self._move_text(deal, action, blind)
        key = self._claim.key
        if key is None:
            return b""
        return key.sign(move_signed_bytes(deal.terms.match, number, seq, self._chain.head, text))

    @staticmethod
    def _move_text(deal: Deal, action: str, blind: bytes) -> str:
        word, *cards = action.split(" ")
        if not blind:
            return action
        places = sorted(place for card in cards if (place := deal.position_of(card)) is not None)
        if len(places) != len(cards):
            raise DealProofError(f"deal {deal.number}: {action!r} hides a card we were not dealt")
        blinds = [blind[at : at + HASH] for at in range(0, len(blind), HASH)]
        terms = deal.terms
        return f"{word} {hidden_moves(terms.match, deal.number, terms.seat, places, blinds).hex()}"

    def accepted(self, number: int, *, act: int | None, reveal: bool) -> None:
        """An input of ours was accepted: an action by its event's number, a reveal, a commit."""
        if self._claim.level != "plays":
            deal = self._deals[number]
            if act is not None:
                deal.accepted.add(act)
                if act < self.next_seq:
                    deal.check_stood(act)
            seq = deal.cset_seq if reveal else act
            self._receipts.accepted(number, seq)
            if reveal:
                deal.revealed = True
                deal.check_blame()

    def receipt(self, items: Sequence[ReceiptItem], sig: bytes) -> None:
        """Check and keep what the referee says it has accepted."""
        self._receipts.take(items, sig)

    def end_of_message(self) -> None:
        """Insist on a receipt for everything that was accepted in the message."""
        self._receipts.end_of_message()

    def close(self) -> None:
        """Give the files back."""
        self._state.close()
        self._receipts.close()


def _key_of(entry: Fields) -> bytes | None:
    """The key of a seat that signs, and of no other."""
    text = entry.text("key") if "key" in entry else None
    if (text is not None) != (entry.text("level") == "signs"):
        raise DealProofError(f"{entry.where}: a key goes with the level signs, and only with it")
    try:
        return None if text is None else PublicKey.parse(text).public
    except UsageError as err:
        raise DealProofError(f"{entry.where}: the seat's key is not a sound one") from err
