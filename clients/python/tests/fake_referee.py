"""A referee for tests: honest arithmetic over real gRPC, one seat played by the client."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from euchre_bot import seal
from euchre_bot.canonical import JSON, dump
from euchre_bot.dealing import SEATS, cutter_seat, drawn_dealer, positions
from euchre_bot.options import Options
from euchre_bot.pb.euchre.referee.v1 import events_pb2, play_pb2, table_pb2
from euchre_bot.signatures import PublicKey

MATCH = bytes(range(16))
ME = 0
NORTH = table_pb2.SEAT_NORTH
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PUBLIC = KEY.public_key().public_bytes_raw()
SIGNED = ("match_open", "commit_set", "deck_root", "deal_close", "match_close")
TOKEN = bytes(range(97, 105)).decode()
RULES = {
    "pack": "E24",
    "packets": "3-2",
    "cut": "dealers_right",
    "first_dealer": "agreed",
}
Row = dict[str, JSON]


@dataclass(slots=True)
class Course:
    """One deal as the referee holds it."""

    number: int
    dealer: int | None
    cutter: int | None
    mine: bytes = b""
    cset: bytes = b""
    cut: int | None = None
    deck: seal.SealedDeck | None = None
    hidden: tuple[int, int, bytes] | None = None


@dataclass(slots=True)
class FakeReferee:
    """A referee whose match is a list of dealers, and whose lies are told by hooks."""

    dealers: list[int | None] = field(default_factory=lambda: [1, 0])
    rules: dict[str, str] = field(default_factory=lambda: dict(RULES))
    entry: dict[str, JSON] = field(default_factory=lambda: {"level": "checks", "seed_by": "seat"})
    chain_secret: bytes = b"R" * 32
    secrets: dict[int, bytes] = field(default_factory=dict)
    lies: dict[str, Callable[[Row], None]] = field(default_factory=dict)
    policy: dict[str, int] = field(default_factory=dict)
    unsigned: frozenset[str] = frozenset()
    lie_in_private: Callable[[play_pb2.PrivateDeal], None] | None = None
    drop_ruling_of: set[str] = field(default_factory=set)
    refuse_once: set[str] = field(default_factory=set)
    stale_once: set[str] = field(default_factory=set)
    away_once: set[str] = field(default_factory=set)
    leave_at: str = ""
    farewell: play_pb2.PlayItem = field(default_factory=play_pb2.PlayItem)
    inputs: list[play_pb2.PlayInput] = field(default_factory=list)
    hellos: list[play_pb2.SeatHello] = field(default_factory=list)
    items: list[play_pb2.PlayItem] = field(default_factory=list)
    head: bytes = bytes(32)
    heads: dict[int, bytes] = field(default_factory=dict)
    stands: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    lie_in_receipt: Callable[[play_pb2.Receipt], None] | None = None
    seq: int = 0
    ask: play_pb2.Ask | None = None
    deal: Course | None = None
    rulings: dict[bytes, table_pb2.Ruling] = field(default_factory=dict)

    # -- the record

    def chain(self, index: int) -> bytes:
        return seal.chain_descend(MATCH, self.chain_secret, start=8, end=index)

    def append(self, kind: str, row: Row) -> None:
        row = {**row, "kind": kind, "seq": self.seq, "prev": self.head.hex()}
        if kind in self.lies:
            self.lies[kind](row)
        raw = dump(row)
        self.head = self.heads[self.seq] = seal.event_head(self.head, raw)
        sig = b""
        if kind in SIGNED and kind not in self.unsigned:
            sig = KEY.sign(seal.referee_signed_bytes(self.head))
        event = events_pb2.Event(event=raw, sig=sig, seq=self.seq)
        self.items.append(play_pb2.PlayItem(after=self.seq, event=event))
        self.seq += 1

    def open_match(self, name: str) -> None:
        rules: JSON = {**self.rules}
        seats: list[JSON] = [
            {"name": name, **self.entry},
            {"name": "e", "level": "checks", "seed_by": "seat"},
            {"name": "s", "level": "plays", "seed_by": "host"},
            {"name": "w", "level": "seeds", "seed_by": "seat"},
        ]
        self.append(
            "match_open",
            {
                "match": MATCH.hex(),
                "protocol": seal.PROTOCOL,
                "rules": rules,
                "rule_set": seal.tagged_hash("rule-set", dump(rules)).hex(),
                "pack": self.rules["pack"],
                "seats": seats,
                "referee_key": PublicKey("test", PUBLIC).text(),
                "chain": 8,
                "r0": self.chain(0).hex(),
                "policy": {"rated": False},
                "opened_at": 1,
            },
        )
        self.open_deal(0 if self.dealers[0] is None else 1)

    def open_deal(self, number: int) -> None:
        dealer = self.dealers.pop(0)
        cutter = None if dealer is None else cutter_seat(self.rules["cut"], dealer)
        if cutter == 2:
            cutter = None  # south has declined
        self.deal = Course(number, dealer, cutter)
        row: Row = {"deal": number}
        if dealer is not None:
            row["dealer"] = SEATS[dealer]
        if cutter is not None:
            row["cutter"] = SEATS[cutter]
        self.append("deal_open", row)
        self.ask = play_pb2.Ask(what="commit", deal=number, cutter=cutter == ME)

    def seed(self, seat: int) -> bytes:
        if seat in self.secrets and self.deal is not None:
            return seal.seat_seed(self.secrets[seat], MATCH, self.deal.number)
        return b"" if seat == 2 else bytes([seat]) * 32

    def commit_of(self, deal: Course, seat: int) -> bytes:
        cut = 5 if seat == deal.cutter else None
        return seal.seat_commit(MATCH, deal.number, seat, self.seed(seat), cut)

    def on_commit(self, deal: Course, commit: bytes) -> None:
        deal.mine = commit
        commits = [commit, *(self.commit_of(deal, seat) for seat in (1, 2, 3))]
        for seat in (1, 0, 3):
            row: Row = {"deal": deal.number, "seat": SEATS[seat], "commit": commits[seat].hex()}
            self.append("seat_commit", row)
        r_commit = self.chain(deal.number)
        deal.cset = seal.commit_set(MATCH, deal.number, self.rules["pack"], r_commit, commits)
        hexes: list[JSON] = [item.hex() for item in commits]
        self.append(
            "commit_set",
            {
                "deal": deal.number,
                "r_commit": r_commit.hex(),
                "commits": hexes,
                "cset": deal.cset.hex(),
            },
        )
        self.ask = play_pb2.Ask(what="reveal", deal=deal.number)

    def on_reveal(self, deal: Course, reveal: play_pb2.Reveal) -> None:
        assert (reveal.cset, reveal.head) == (deal.cset, self.head)
        own_cut = reveal.cut if reveal.HasField("cut") else None
        made = seal.seat_commit(MATCH, deal.number, ME, reveal.seed, own_cut)
        assert made == deal.mine
        deal.cut = own_cut if deal.cutter in (ME, None) else 5
        seeds = [reveal.seed, *(self.seed(seat) for seat in (1, 2, 3))]
        deal.deck = seal.sealed_deck(
            match=MATCH,
            deal=deal.number,
            pack=self.rules["pack"],
            r=self.chain(deal.number + 1),
            cset=deal.cset,
            seeds=seeds,
            cut=deal.cut,
        )
        hexes: list[JSON] = [seed.hex() for seed in seeds]
        row: Row = {"deal": deal.number, "seeds": hexes, "sigs": ["", "", "", ""]}
        if deal.cut is not None:
            row["cut"] = deal.cut
        self.append("reveal_set", row)
        leaves: list[JSON] = [item.hex() for item in deal.deck.leaves]
        self.append(
            "deck_root", {"deal": deal.number, "leaves": leaves, "root": deal.deck.root.hex()}
        )
        if deal.dealer is None:
            self.draw(deal, deal.deck)
        else:
            self.deal_hands(deal, deal.deck, deal.dealer)

    def opened(self, deck: seal.SealedDeck, place: int) -> Row:
        return {"position": place, "card": deck.cards[place], "salt": deck.salts[place].hex()}

    def draw(self, deal: Course, deck: seal.SealedDeck) -> None:
        dealer = drawn_dealer(deck.cards, self.rules["first_dealer"], deck.first_seat)
        turned: list[JSON] = [self.opened(deck, place) for place in range(2)]
        row: Row = {
            "deal": 0,
            "start": SEATS[deck.first_seat],
            "turned": turned,
            "dealer": SEATS[dealer],
        }
        self.append("dealer_draw", row)
        self.dealers.insert(0, dealer)
        self.close(deal, deck, "draw")

    def deal_hands(self, deal: Course, deck: seal.SealedDeck, dealer: int) -> None:
        places = positions(self.rules["packets"], dealer, ME)
        cards = [(place, deck.cards[place], deck.salts[place]) for place in places]
        given = play_pb2.PrivateDeal(
            deal=deal.number,
            root=deck.root,
            cards=[
                events_pb2.OpenedCard(position=place, card=card, salt=salt)
                for place, card, salt in cards
            ],
            sig=KEY.sign(seal.private_deal_bytes(MATCH, deal.number, ME, deck.root, cards)),
        )
        if self.lie_in_private is not None:
            self.lie_in_private(given)
        self.items.append(play_pb2.PlayItem(after=self.seq - 1, private_deal=given))
        self.append("turn_up", {"deal": deal.number, **self.opened(deck, 20)})
        hand = [card for _place, card, _salt in cards]
        self.ask_act(deal, "round_one", hand, ["pass", "order"])

    def ask_act(self, deal: Course, phase: str, hand: list[str], legal: list[str]) -> None:
        view = table_pb2.View(
            seat=NORTH,
            phase=phase,
            dealer=NORTH if deal.dealer == 0 else table_pb2.SEAT_EAST,
            hand=hand,
            counts=[len(hand), 5, 5, 5],
            turn=NORTH,
            legal=legal,
            state_version=self.seq - 1,
            deal=deal.number,
        )
        self.ask = play_pb2.Ask(what="act", view=view, deal=deal.number, limit_ms=5000)

    def on_act(self, deal: Course, deck: seal.SealedDeck, act: play_pb2.Act) -> None:
        row: Row = {"deal": deal.number, "seat": "north", "action": act.action, "used_ms": 1}
        if act.action == "order" and deal.dealer == ME:
            self.append("action", row)
            places = positions(self.rules["packets"], ME, ME)
            hand = [deck.cards[place] for place in (*places, 20)]
            self.ask_act(deal, "discard", hand, [f"discard {card}" for card in hand])
            return
        if act.action.startswith("discard"):
            place = deck.cards.index(act.action.split()[1])
            commit = seal.hidden_move(MATCH, deal.number, ME, place, act.blind)
            deal.hidden = (self.seq, place, act.blind)
            row = {**row, "action": "discard", "commit": commit.hex()}
        self.append("action", row)
        self.close(deal, deck, "void")

    def close(self, deal: Course, deck: seal.SealedDeck, outcome: str) -> None:
        openings: list[JSON] = []
        if deal.hidden is not None:
            seq, place, blind = deal.hidden
            openings.append({"seq": seq, "positions": [place], "blinds": [blind.hex()]})
        self.append(
            "deal_close",
            {
                "deal": deal.number,
                "outcome": outcome,
                "r": self.chain(deal.number + 1).hex(),
                "deck": " ".join(deck.cards),
                "openings": openings,
                "score": {"ns": 4, "ew": 2},
            },
        )
        self.ask = None
        if self.dealers:
            self.open_deal(deal.number + 1)
        else:
            score: Row = {"ns": 1, "ew": 0}
            row: Row = {"outcome": "finished", "winner": "ns", "score": score, "deals": 2}
            self.append("match_close", row)

    # -- the stream

    def judge(self, said: play_pb2.PlayInput) -> table_pb2.Ruling:
        assert self.deal is not None
        ruling = table_pb2.Ruling(request_id=said.request_id, accepted=True)
        places = {"commit": self.seq + 1, "reveal": self.seq - 1}
        place = places.get(said.WhichOneof("input") or "", self.seq)
        self.stands[said.request_id] = (self.deal.number, place)
        if said.act.action in self.refuse_once:
            self.refuse_once.remove(said.act.action)
            ruling.accepted = False
            ruling.reason, ruling.text = "DEALER_STUCK", "the dealer may not pass"
            return ruling
        match said.WhichOneof("input"):
            case "commit":
                self.on_commit(self.deal, said.commit.commit)
            case "reveal":
                self.on_reveal(self.deal, said.reveal)
            case _:
                assert self.deal.deck is not None
                self.on_act(self.deal, self.deal.deck, said.act)
        return ruling

    def answer(self, said: play_pb2.PlayInput) -> Iterator[play_pb2.PlayItem]:
        kind = said.WhichOneof("input") or ""
        self.inputs.append(said)
        for once, code in ((self.stale_once, 10), (self.away_once, 14)):
            if kind in once:
                once.remove(kind)
                item = play_pb2.PlayItem(request_id=said.request_id)
                item.status.code, item.status.message = code, "not now"
                yield item
                if code == 10 and self.ask is not None:
                    yield play_pb2.PlayItem(ask=self.ask)
                return
        known = said.request_id in self.rulings
        seen = len(self.items)
        ruling = self.rulings.get(said.request_id) or self.judge(said)
        self.rulings[said.request_id] = ruling
        if kind in self.drop_ruling_of:
            self.drop_ruling_of.remove(kind)
            raise ConnectionError
        yield play_pb2.PlayItem(ruling=ruling)
        yield from self.items[seen:]
        if self.ask is not None and not known:
            yield play_pb2.PlayItem(ask=self.ask)

    def play(
        self, requests: Iterator[play_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[play_pb2.PlayResponse]:
        (hello,) = next(requests).hello.seats
        if hello.token != TOKEN:
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        self.hellos.append(hello)
        try:
            for item in self.conversation(hello, requests):
                yield play_pb2.PlayResponse(items=[item, *self.receipts(item.ruling)])
        except ConnectionError:
            return

    def receipts(self, ruling: table_pb2.Ruling) -> list[play_pb2.PlayItem]:
        """The receipt that goes with an accepted ruling."""
        if not ruling.accepted or "receipt" in self.unsigned:
            return []
        number, seq = self.stands[ruling.request_id]
        head = self.heads[seq]
        sig = KEY.sign(seal.receipt_bytes([(MATCH, number, seq, head)]))
        item = play_pb2.ReceiptItem(match=MATCH, deal=number, seq=seq, head=head)
        receipt = play_pb2.Receipt(items=[item], sig=sig)
        if self.lie_in_receipt is not None:
            self.lie_in_receipt(receipt)
        return [play_pb2.PlayItem(receipt=receipt)]

    def conversation(
        self, hello: play_pb2.SeatHello, requests: Iterator[play_pb2.PlayRequest]
    ) -> Iterator[play_pb2.PlayItem]:
        welcome = play_pb2.Welcome(
            match=MATCH.hex(),
            seat=NORTH,
            rules=self.rules,
            policy=self.policy,
            referee_key=PUBLIC,
        )
        yield play_pb2.PlayItem(welcome=welcome)
        if not self.items:
            self.open_match(hello.name)
        yield from (item for item in list(self.items) if item.after >= hello.resume)
        if self.ask is not None:
            yield play_pb2.PlayItem(ask=self.ask)
        for request in requests:
            for said in request.inputs:
                yield from self.answer(said)
                if self.ask is not None and self.ask.what == self.leave_at:
                    self.leave_at = ""
                    yield self.farewell
                    return


@contextmanager
def listening(referee: FakeReferee) -> Iterator[int]:
    handler = grpc.stream_stream_rpc_method_handler(
        referee.play,
        request_deserializer=play_pb2.PlayRequest.FromString,
        response_serializer=play_pb2.PlayResponse.SerializeToString,
    )
    service = grpc.method_handlers_generic_handler(
        "euchre.referee.v1.PlayService", {"Play": handler}
    )
    server = grpc.server(ThreadPoolExecutor(8), handlers=[service])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(0).wait()


def options(folder: Path, port: int) -> Options:
    return Options(
        referee=f"127.0.0.1:{port}",
        token=TOKEN,
        name="tester",
        secret_file=folder / "secret",
        state_file=folder / "state.jsonl",
        key=PublicKey("test", PUBLIC),
    )
