"""A plain verifier of whole transcripts, the second opinion on the cases of the chapter seal.

It reads the file whole, asks the seal's arithmetic and the second engine of the rules, and shares
no code with the referee. It knows matches that stand alone, played by the rules of one deal after
the other; deal proofs, receipts and rosters it does not know.
"""

from collections.abc import Mapping, Sequence

from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of, text_of, texts_of
from conformance.oracle import seal
from conformance.oracle.cards import SEATS, left
from conformance.oracle.dealing import deal_cards, draw_dealer
from conformance.oracle.hand import Hand
from conformance.oracle.transcript import (
    SIGNED,
    Event,
    FormError,
    Verdict,
    WrongError,
    accepts,
    key_of,
    read,
    signed,
    written,
)

MOVED = {"discard": 1, "swap": 3, "give": 1}
SHORT = ("fault", "void")


def judged(text: str) -> Verdict:
    """The verdict on a file."""
    try:
        events, whole = read(text)
    except FormError as err:
        return err.verdict
    if not events:
        return Verdict(5, "nobody", 0)
    key = key_of(str(events[0].fields.get("referee_key")))
    due = [event for event in events if event.sig or event.kind in SIGNED]
    good = [] if not key else [e.seq for e in due if signed(key, e.sig, e.head)]
    if len(good) < len(due):
        first = next(event.seq for event in due if event.seq not in good)
        return Verdict(4, "file" if good else "key", first)

    def party(event: int) -> str:
        return "referee" if max(good) >= event else "file"

    match = Match()
    for event in events:
        try:
            match.step(event)
        except WrongError as wrong:
            return Verdict(3, party(wrong.event), wrong.event)
        except BoardMissingError:
            return Verdict(5, "nobody", len(events))
        except (PositionError, KeyError, ValueError, IndexError):
            return Verdict(3, party(event.seq), event.seq)
    for code, found in ((4, match.unsigned), (1, match.unruly)):
        if found is not None:
            return Verdict(code, party(found), found)
    if not whole or not match.closed:
        return Verdict(5, "nobody", len(events))
    return Verdict(0)


class BoardMissingError(Exception):
    """The table of a board: its deck stands in the board's file, which is not here."""


class Match:
    """A match as far as it has been read."""

    def __init__(self) -> None:
        self.closed = False
        self.unsigned: int | None = None
        self.unruly: int | None = None
        self._next: tuple[str, ...] = ("match_open",)
        self._deal: list[Event] = []
        self._number: int | None = None
        self._ends: tuple[str, ...] = ()
        self._dealer: str | None = None
        self._score = {"ns": 0, "ew": 0}
        self._counted = 0
        self._link: tuple[int, bytes] = (0, b"")

    def step(self, event: Event) -> None:
        """Take in an event."""
        if event.kind not in self._next:
            raise WrongError(event.seq)
        if event.kind not in ("match_open", "match_close", "deal_open"):
            self._same_deal(event)
        getattr(self, f"_{event.kind}")(event)

    def _need(self, holds: bool, event: Event) -> None:  # noqa: FBT001 -- reads as a sentence
        if not holds:
            raise WrongError(event.seq)

    def _same_deal(self, event: Event) -> None:
        self._need(event.fields.get("deal") == self._number, event)
        self._deal.append(event)

    def _of(self, kind: str) -> list[Event]:
        return [event for event in self._deal if event.kind == kind]

    def _match_open(self, event: Event) -> None:
        self._open = event.fields
        self._rules = {
            knob: text_of(value, knob) for knob, value in map_of(event.fields["rules"], "").items()
        }
        self._pack = text_of(event.fields["pack"], "pack")
        self._match = bytes.fromhex(text_of(event.fields["match"], "match"))
        text = written(dict(self._rules), 1) or ""
        self._need(seal.th("rule-set", text.encode()).hex() == event.fields["rule_set"], event)
        self._need(self._rules["pack"] == self._pack, event)
        if "board" in event.fields:
            raise BoardMissingError
        self._seats = [map_of(seat, "a seat") for seat in list_of(event.fields["seats"], "seats")]
        for seat in self._seats:
            level = seat["level"]
            self._need(level in ("plays", "seeds", "checks", "signs"), event)
            key = None if "key" not in seat else key_of(text_of(seat["key"], "key"))
            self._need((level == "signs") == ("key" in seat) == (key is not None), event)
            if key == b"" and self.unsigned is None:
                self.unsigned = event.seq
        self._declined = [seat["level"] == "plays" for seat in self._seats]
        self._link = (0, bytes.fromhex(text_of(event.fields["r0"], "r0")))
        self._next = ("deal_open", "match_close")

    def _continue(self, k: int, link: bytes, event: Event) -> None:
        below, at = link, k
        while at > self._link[0]:
            below = seal.link_below(self._match, at, below)
            at -= 1
        self._need(below == self._link[1], event)
        self._link = (k, link)

    def _deal_open(self, event: Event) -> None:
        number = int_of(event.fields["deal"], "deal")
        agreed = self._rules["first_dealer"] == "agreed"
        first = number == 0 or (agreed and number == 1)
        self._need(first if self._number is None else number == self._number + 1, event)
        self._need(number < int_of(self._open["chain"], "chain"), event)
        dealer = event.fields.get("dealer")
        self._need((number == 0) == (dealer is None), event)
        cutter = None
        if isinstance(dealer, str) and self._rules["cut"] != "none":
            steps = 3 if self._rules["cut"] == "dealers_right" else 1
            cutter = SEATS[(SEATS.index(dealer) + steps) % 4]
            cutter = None if self._declined[SEATS.index(cutter)] else cutter
        self._need(event.fields.get("cutter") == cutter, event)
        self._number, self._deal = number, [event]
        self._next = ("seat_commit", "commit_set", "deal_close")

    def _seat_commit(self, event: Event) -> None:
        seat = text_of(event.fields["seat"], "seat")
        earlier = [each.fields["seat"] for each in self._of("seat_commit")[:-1]]
        self._need(seat not in earlier and not self._declined[SEATS.index(seat)], event)

    def _commit_set(self, event: Event) -> None:
        number, commits = self._number or 0, raws(event.fields["commits"])
        r_commit = bytes.fromhex(text_of(event.fields["r_commit"], "r_commit"))
        self._continue(number, r_commit, event)
        own = {e.fields["seat"]: e.fields["commit"] for e in self._of("seat_commit")}
        for seat, word in enumerate(SEATS):
            mine = own.get(word)
            if self._declined[seat]:
                mine = seal.seat_commit(self._match, number, seat, b"", None).hex()
            self._need(commits[seat].hex() == mine, event)
        self._need(len(set(commits)) == len(commits) == len(SEATS), event)
        cset = seal.commit_set(self._match, number, self._pack, r_commit, commits)
        self._need(event.fields["cset"] == cset.hex(), event)
        self._commits, self._cset, self._after_set = commits, cset, event.head
        self._next = ("reveal_set", "deal_close")

    def _reveal_set(self, event: Event) -> None:
        number, cutter = self._number or 0, self._deal[0].fields.get("cutter")
        seeds, sigs = raws(event.fields["seeds"]), raws(event.fields["sigs"])
        cut = None if "cut" not in event.fields else int_of(event.fields["cut"], "cut")
        self._need((cutter is None) == (cut is None), event)
        self._need((cut or 0) < len(seal.pack(self._pack)), event)
        for seat, word in enumerate(SEATS):
            size = 0 if self._declined[seat] else 32
            mine = cut if word == cutter else None
            made = seal.seat_commit(self._match, number, seat, seeds[seat], mine)
            self._need(len(seeds[seat]) == size and made == self._commits[seat], event)
        where = (self._match, seal.u32(number))
        for seat in range(len(SEATS)):
            message = seal.tagged("sig/seat/reveal", *where, seal.u32(seat), self._cset,
                                  self._commits[seat], self._after_set)  # fmt: skip
            self._seat_signed(seat, sigs[seat], message, event)
        self._seeds, self._cut = seeds, cut
        self._next = ("deck_root",)

    def _seat_signed(self, seat: int, sig: bytes, message: bytes, event: Event) -> None:
        if "key" not in self._seats[seat]:
            self._need(not sig, event)
            return
        key = key_of(text_of(self._seats[seat]["key"], "key")) or b""
        if not accepts(key, sig, message) and self.unsigned is None:
            self.unsigned = event.seq

    def _deck_root(self, event: Event) -> None:
        leaves = raws(event.fields["leaves"])
        self._need(len(leaves) == len(seal.pack(self._pack)), event)
        self._need(seal.tree_head(leaves).hex() == event.fields["root"], event)
        self._leaves, self._root_at = leaves, event
        self._next = ("turn_up",) if self._number else ("dealer_draw",)

    def _opens(self, turned: Mapping[str, Json], event: Event) -> None:
        place, card = int_of(turned["position"], "position"), text_of(turned["card"], "card")
        salt = bytes.fromhex(text_of(turned["salt"], "salt"))
        self._need(card in seal.pack(self._pack) and place < len(self._leaves), event)
        made = seal.leaf(self._match, self._number or 0, place, card, salt)
        self._need(made == self._leaves[place], event)

    def _dealer_draw(self, event: Event) -> None:
        for turned in list_of(event.fields["turned"], "turned"):
            self._opens(map_of(turned, "a card"), event)
        self._next = ("deal_close",)

    def _turn_up(self, event: Event) -> None:
        self._need(event.fields["position"] == 20, event)  # noqa: PLR2004 -- after four hands
        self._opens(event.fields, event)
        self._next = ("action", "deal_close")

    def _action(self, event: Event) -> None:
        word = text_of(event.fields["action"], "action")
        first = word.split(" ")[0]
        self._need(bool(word) and (first in MOVED) == ("commit" in event.fields), event)
        self._need(first not in MOVED or word == first, event)
        seat = SEATS.index(text_of(event.fields["seat"], "seat"))
        sig = bytes.fromhex(text_of(event.fields.get("seat_sig", ""), "seat_sig"))
        if "fallback" in event.fields and not sig:
            return
        move = f"{word} {event.fields['commit']}" if first in MOVED else word
        where = (self._match, seal.u32(self._number or 0), seal.u32(event.seq), event.before)
        message = seal.tagged("sig/seat/move", *where, move.encode())
        self._seat_signed(seat, sig, message, event)

    def _deal_close(self, event: Event) -> None:
        number, outcome = self._number or 0, event.fields["outcome"]
        made = bool(self._of("deck_root"))
        self._need(made or outcome in SHORT, event)
        self._need(outcome in SHORT or (outcome == "draw") == (number == 0), event)
        self._need(made == ("deck" in event.fields), event)
        r = bytes.fromhex(text_of(event.fields["r"], "r"))
        self._continue(number + 1, r, event)
        deck: list[str] = []
        if made:
            deck = self._deck(event, r)
        buried = self._buried(event, deck)
        self._tried(event)
        withheld = self._withheld(event)
        self._ends = self._ends_after(text_of(outcome, "outcome"), withheld)
        if self.unruly is None and number:
            self.unruly = self._unruly(event, deck, buried)
        self._next = ("match_close",) if self._ends else ("deal_open", "match_close")

    def _withheld(self, event: Event) -> bool:
        """Whether a seat has withheld; it must have owed a commitment or a seed."""
        faults = [map_of(f, "a fault") for f in list_of(event.fields["faults"], "faults")]
        charged = [text_of(f["seat"], "seat") for f in faults if f["why"] == "WITHHELD"]
        given = [] if self._of("commit_set") else self._of("seat_commit")
        committed = [e.fields["seat"] for e in given]
        for seat in charged:
            owes = not self._declined[SEATS.index(seat)] and seat not in committed
            self._need(owes and not self._of("deck_root"), event)
        return bool(charged)

    def _ends_after(self, outcome: str, withheld: bool) -> tuple[str, ...]:  # noqa: FBT001 -- one fact of the deal
        """How the match has to close after a deal; nothing where it goes on."""
        rated = map_of(self._open["policy"], "policy")["rated"] is True
        if rated and outcome == "void" and self._of("commit_set"):
            return ("void", "aborted")
        if outcome == "fault" and not withheld:
            return ("forfeit",)
        return () if self._number or outcome == "draw" else ("void", "aborted", "forfeit")

    def _deck(self, event: Event, r: bytes) -> list[str]:
        number = self._number or 0
        key = seal.deck_key(self._cset, r, self._seeds, self._cut)
        deck = seal.deck_of(key, self._pack, self._cut)
        for place, card in enumerate(deck):
            made = seal.leaf(self._match, number, place, card, seal.salt_of(key, place))
            self._need(made == self._leaves[place], self._root_at)
        self._need(event.fields["deck"] == " ".join(deck), event)
        for drawn in self._of("dealer_draw"):
            start = SEATS[seal.first_seat(key)]
            said = draw_dealer(deck, self._rules["first_dealer"], start)
            turned = [map_of(t, "")["position"] for t in list_of(drawn.fields["turned"], "")]
            right = (start, said["dealer"], list(range(int_of(said["turned"], "turned"))))
            self._need((drawn.fields["start"], drawn.fields["dealer"], turned) == right, drawn)
            self._dealer = text_of(said["dealer"], "dealer")
        return deck

    def _buried(self, event: Event, deck: Sequence[str]) -> dict[int, list[str]]:
        """The cards of each hidden move, as the close opens them."""
        hidden = {e.seq: e for e in self._of("action") if "commit" in e.fields}
        openings = [map_of(o, "an opening") for o in list_of(event.fields["openings"], "openings")]
        self._need([opening["seq"] for opening in openings] == list(hidden), event)
        shown: dict[int, list[str]] = {}
        for opening in openings:
            move = hidden[int_of(opening["seq"], "seq")]
            places = [int_of(p, "a position") for p in list_of(opening["positions"], "positions")]
            blinds = raws(opening["blinds"])
            self._need(len(places) == MOVED[text_of(move.fields["action"], "")], event)
            self._need(places == sorted(set(places)) and places[-1] < len(deck), event)
            seat = SEATS.index(text_of(move.fields["seat"], "seat"))
            cards = list(zip(places, blinds, strict=True))
            made = seal.hidden_move(self._match, self._number or 0, seat, cards)
            self._need(made.hex() == move.fields["commit"], event)
            shown[move.seq] = [deck[place] for place in places]
        return shown

    def _tried(self, event: Event) -> None:
        """Each attempt is signed as a move in the place of the next event, and no two are one."""
        heads = {e.seq: e.head for e in self._deal if e.kind in ("turn_up", "action")}
        seen: set[tuple[int, int, bytes]] = set()
        for attempt in (
            map_of(a, "an attempt") for a in list_of(event.fields["attempts"], "attempts")
        ):
            after = int_of(attempt["after"], "after")
            where = (self._match, seal.u32(self._number or 0), seal.u32(after + 1))
            move = text_of(attempt["action"], "action").encode()
            message = seal.tagged("sig/seat/move", *where, heads.get(after, b""), move)
            seat = SEATS.index(text_of(attempt["seat"], "seat"))
            sig = bytes.fromhex(text_of(attempt.get("seat_sig", ""), "seat_sig"))
            self._need(not sig or (after, seat, move) not in seen, event)
            seen.add((after, seat, move))
            self._seat_signed(seat, sig, message, event)

    def _unruly(self, event: Event, deck: list[str], buried: dict[int, list[str]]) -> int | None:
        """The first event that the rules of the deal refute."""
        opened = self._deal[0]
        dealer = text_of(opened.fields["dealer"], "dealer")
        if self._dealer is not None and dealer != self._dealer:
            return opened.seq
        self._dealer = left(dealer)
        if not self._of("turn_up"):
            return None
        dealt = deal_cards(deck, self._rules["packets"], dealer)
        hands = {seat: texts_of(map_of(dealt["hands"], "")[seat], "") for seat in SEATS}
        hand = Hand(self._rules, dealer=dealer, hands=hands, upcard=text_of(dealt["upcard"], ""),
                    kitty=texts_of(dealt["kitty"], ""), score=self._score)  # fmt: skip
        left_over = [map_of(each, "") for each in list_of(event.fields["attempts"], "attempts")]
        at = self._of("turn_up")[0].seq
        for move in self._of("action"):
            if not all_refused(hand, left_over, at, move.seq):
                return event.seq
            at = move.seq
            text = " ".join([text_of(move.fields["action"], ""), *buried.get(move.seq, [])])
            if hand.turn != move.fields["seat"] or hand.refusal(str(hand.turn), text) is not None:
                return move.seq
            hand.apply(text)
        if not all_refused(hand, left_over, at, event.seq) or left_over:
            return event.seq
        return self._wrong_result(event, hand)

    def _wrong_result(self, event: Event, hand: Hand) -> int | None:
        said = event.fields
        self._counted += said["outcome"] not in ("redeal", "void")
        if said["outcome"] in SHORT:
            return None
        if hand.turn is not None:
            return event.seq
        points = hand.points()
        for side in self._score:
            self._score[side] += points[side]
        self._dealer = hand.next_dealer()
        right = (hand.outcome(), hand.maker, hand.tricks(), points, self._score)
        told = (said["outcome"], said.get("maker"), said["tricks"], said["points"], said["score"])
        return None if right == told else event.seq

    def _match_close(self, event: Event) -> None:
        self._need(event.fields["outcome"] in ("finished", "forfeit", "aborted", "void"), event)
        self._need(not self._ends or event.fields["outcome"] in self._ends, event)
        self.closed = True
        self._next = ()
        if event.fields["outcome"] == "finished" and self.unruly is None:
            ns, ew = self._score["ns"], self._score["ew"]
            winner = None if ns == ew else "ns" if ns > ew else "ew"
            right = (winner, self._counted)
            if (event.fields.get("winner"), event.fields["deals"]) != right:
                self.unruly = event.seq


def all_refused(hand: Hand, attempts: list[Record], start: int, end: int) -> bool:
    """Whether the attempts between two events are refused as they say; they are taken out."""
    while attempts and start <= int_of(attempts[0]["after"], "after") < end:
        attempt = attempts.pop(0)
        seat, action = text_of(attempt["seat"], "seat"), text_of(attempt["action"], "action")
        malformed = action == "?" and attempt["reason"] == "MALFORMED"
        if not malformed and hand.refusal(seat, action) != attempt["reason"]:
            return False
    return True


def raws(value: Json) -> list[bytes]:
    """The bytes of hex texts."""
    return [bytes.fromhex(text) for text in texts_of(value, "hex")]


def verify(request: Record) -> dict[str, Json]:
    """The answer to the op `verify`."""
    said = judged(text_of(request.get("text"), "text"))
    reply: dict[str, Json] = {"exit": said.exit}
    if said.party is not None:
        reply["party"] = said.party
    if said.event is not None:
        reply["event"] = said.event
    return reply
