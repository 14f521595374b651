"""The seat loop: say Hello, follow the match, answer what is asked, come back when cut off."""

import contextlib
import secrets
import time
from dataclasses import dataclass
from typing import Final

import grpc

from euchre_bot.choosing import chosen
from euchre_bot.companion import Companion, UnansweredError
from euchre_bot.deal import Opened
from euchre_bot.dealing import HIDDEN_MOVES, SEATS
from euchre_bot.errors import DealProofError, RefereeLostError, SeatTakenError, UsageError
from euchre_bot.events import Event
from euchre_bot.files import StateFile, load_secret
from euchre_bot.options import Options
from euchre_bot.pb.euchre.referee.v1 import events_pb2, play_pb2, table_pb2
from euchre_bot.receipts import ReceiptFile, ReceiptItem, Receipts
from euchre_bot.result import Result, score_of
from euchre_bot.signatures import PublicKey, usable_key
from euchre_bot.stream import PlayStream, fault_of
from euchre_bot.views import Choose, Refusal, seat_number, view_of
from euchre_bot.voice import TOLD_EVERY_S, no_word, say
from euchre_bot.witness import Claim, Witness

PROTOCOL_VERSION: Final = 1
_REQUEST_ID_BYTES: Final = 16
_LEVELS: Final = {
    "plays": play_pb2.LEVEL_PLAYS,
    "seeds": play_pb2.LEVEL_SEEDS,
    "checks": play_pb2.LEVEL_CHECKS,
    "signs": play_pb2.LEVEL_SIGNS,
}
_BLIND_BYTES: Final = 32
_LONGEST_DRAIN_S: Final = 3_600.0
"""No referee is waited for longer than this because it says so."""
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_SEND_AGAIN: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})


@dataclass(frozen=True, slots=True)
class Pace:
    """How often and how long to try again when the referee is away, in seconds."""

    first: float = 0.2
    most: float = 5.0
    total: float = 60.0


def play(
    choose: Choose,
    options: Options,
    pace: Pace | None = None,
    companion: Companion | None = None,
) -> Result:
    """Play one match to its end; a BotError says why it could not be."""
    if options.secret_file is not None:
        load_secret(options.secret_file)  # what is named and does not do is said before the match
    if options.state_file is not None:
        StateFile(options.state_file, "").close()
    loop = _SeatLoop(choose, options, pace or Pace(), companion or Companion())
    try:
        return loop.play()
    finally:
        loop.close()


class _SeatLoop:
    """One seat's conversation, over as many connections as it takes."""

    def __init__(self, choose: Choose, options: Options, pace: Pace, companion: Companion) -> None:
        self._choose = choose
        self._companion = companion
        self._options = options
        self._pace = pace
        self._away_since: float | None = None
        self._told_at = 0.0
        self._delay = pace.first
        self._retry_after = 0.0
        self._welcome: play_pb2.Welcome | None = None
        self._witness: Witness | None = None
        self._pending: play_pb2.PlayInput | None = None
        self._pending_deal = 0
        self._unanswered: play_pb2.Ask | None = None
        self._refused: Refusal | None = None
        self._last: tuple[int, int] | None = None
        self._result: Result | None = None

    def close(self) -> None:
        """Give the files back."""
        if self._witness is not None:
            self._witness.close()

    # -- connections

    def play(self) -> Result:
        """Follow the match over reconnects until it is closed."""
        while True:
            fault = "the referee ended the stream"
            try:
                with PlayStream(self._options) as stream:
                    self._follow(stream)
            except grpc.RpcError as err:
                fault = fault_of(err)
            if self._result is not None:
                return self._result
            self._wait(fault)

    def _wait(self, fault: str) -> None:
        now = time.monotonic()
        begun = self._away_since is None
        if self._away_since is None:
            self._away_since = now + self._retry_after
        left = self._away_since + self._pace.total - now
        if begun or now >= self._told_at + TOLD_EVERY_S:
            self._told_at = now
            say(no_word(self._options.referee, fault, left, still=not begun))
        pause = max(self._delay, self._retry_after)
        if pause > left:
            raise RefereeLostError(
                f"gave up on {self._options.referee} after {self._pace.total:.0f} s: {fault}"
                " (start the bot again with the same files to go on)"
            )
        self._retry_after = 0.0
        self._delay = min(self._pace.most, 2 * self._delay)
        time.sleep(pause)

    def _arrived(self) -> None:
        self._away_since = None
        self._delay = self._pace.first

    def _follow(self, stream: PlayStream) -> None:
        resume = 0 if self._witness is None else self._witness.next_seq
        key = self._options.seat_key
        hello = play_pb2.SeatHello(
            token=self._options.token,
            name=self._options.name,
            level=_LEVELS[self._options.level],
            own_seeds=self._options.level != "plays",
            key=b"" if key is None else key.public,
            resume=resume,
        )
        stream.send(
            play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=PROTOCOL_VERSION, seats=[hello]))
        )
        for response in stream:
            for item in response.items:
                self._take(item, stream)
            if self._witness is not None:
                self._witness.end_of_message()
            if self._result is not None:
                return

    # -- items

    def _take(self, item: play_pb2.PlayItem, stream: PlayStream) -> None:
        kind = item.WhichOneof("item")
        match kind:
            case "welcome":
                self._greet(item.welcome, stream)
            case "status":
                self._take_status(item, stream)
            case "draining":
                self._retry_after = min(item.draining.retry_ms / 1000, _LONGEST_DRAIN_S)
            case "superseded":
                raise SeatTakenError("another process has taken this seat with the same token")
            case "fault":
                say(f"{SEATS[seat_number(item.fault.seat)]} is at fault: {item.fault.why}")
            case "event" | "private_deal" | "ask" | "ruling" | "receipt":
                if self._witness is None or self._welcome is None:
                    raise RefereeLostError(f"the referee sent {kind} before Welcome")
                self._take_play(item, self._witness, stream)
            case _:
                pass  # a kind from after this client was written

    def _take_play(self, item: play_pb2.PlayItem, witness: Witness, stream: PlayStream) -> None:
        if item.HasField("event"):
            self._take_event(item.event, witness)
        elif item.HasField("private_deal"):
            given = item.private_deal
            cards = [Opened(c.position, c.card, c.salt) for c in given.cards]
            witness.private_deal(given.deal, given.root, cards, given.sig)
        elif item.HasField("ask"):
            self._take_ask(item.ask, stream)
        elif item.HasField("receipt"):
            given_items = [ReceiptItem(i.match, i.deal, i.seq, i.head) for i in item.receipt.items]
            witness.receipt(given_items, item.receipt.sig)
        else:
            self._take_ruling(item.ruling, witness, stream)

    def _greet(self, welcome: play_pb2.Welcome, stream: PlayStream) -> None:
        self._arrived()  # it is there, though nothing may happen for a while
        self._check_key(welcome.referee_key)
        if self._welcome is None:
            claim = Claim(
                match=_match_id(welcome.match),
                seat=seat_number(welcome.seat),
                name=self._options.name,
                rules=dict(welcome.rules),
                referee_key=welcome.referee_key,
                level=self._options.level,
                key=self._options.seat_key,
            )
            self._welcome = welcome
            self._witness = self._follow_as(claim, welcome.match)
            say(f"seated {SEATS[claim.seat]} in match {welcome.match}")
            self._witness.seeds = self._companion.seated(
                match=welcome.match,
                seat=SEATS[claim.seat],
                rules=claim.rules,
                policy=dict(welcome.policy),
            )
        elif (welcome.match, welcome.seat) != (self._welcome.match, self._welcome.seat):
            raise RefereeLostError("the referee now has this token for another match")
        if self._pending is not None:
            stream.send(play_pb2.PlayRequest(inputs=[self._pending]))

    def _follow_as(self, claim: Claim, match: str) -> Witness:
        """Our own account of the match, on the seat's files."""
        seat = SEATS[claim.seat]
        secret_file, state_file, receipt_file = self._options.files(match, seat)
        secret = load_secret(secret_file)
        receipts = Receipts(claim.match, claim.referee_key, ReceiptFile(receipt_file))
        return Witness(claim, secret, StateFile(state_file, seat), receipts)

    def _check_key(self, public: bytes) -> None:
        pinned = self._options.key
        if not usable_key(public):
            raise UsageError("the referee shows no sound Ed25519 key: do not play there")
        if pinned is not None and pinned.public != public:
            shown = PublicKey(pinned.name, public).text()
            raise UsageError(f"the referee's key is not the pinned one but {shown!r}")
        if self._welcome is not None and self._welcome.referee_key != public:
            raise DealProofError("the referee came back with another key than it had")

    def _take_event(self, event: events_pb2.Event, witness: Witness) -> None:
        taken = witness.take(event.event, event.sig)
        self._arrived()
        if taken.kind == "match_open" and self._options.key is None:
            line = taken.fields.text("referee_key")
            say(f"warning: the referee's key is not pinned; to pin it: --key {line}")
        twin = witness.twin(taken)
        if twin is not None:
            say(
                f"warning: {SEATS[twin]} plays with our secret: two equal seeds count for one"
                " (give each seat its own --secret-file)"
            )
        if taken.kind == "action":
            self._unanswered = self._refused = None
        self._companion.heard(taken.fields.values)
        if taken.kind == "deal_close" and taken.fields.text("outcome") != "draw":
            self._last = score_of(taken)
        if taken.kind == "match_close":
            self._result = self._closed(taken)
            self._companion.ended(ns=self._result.ns, ew=self._result.ew)

    def _closed(self, close: Event) -> Result:
        rules = {} if self._welcome is None else self._welcome.rules
        games = rules.get("deals", "none") == "none"
        return Result.of(close, _name_of(self._welcome), games=games, last=self._last)

    # -- answers

    def _take_ask(self, ask: play_pb2.Ask, stream: PlayStream) -> None:
        if self._pending is not None and _answers(self._pending, ask):
            self._unanswered = ask  # sent already; its ruling is on the way
            return
        self._answer(ask, stream)

    def _answer(self, ask: play_pb2.Ask, stream: PlayStream) -> None:
        witness, welcome = self._witness, self._welcome
        if witness is None or welcome is None:
            return
        self._pending = self._unanswered = None
        with contextlib.suppress(UnansweredError):
            said = self._said(ask, witness, welcome)
            self._pending, self._pending_deal = said, ask.deal
            stream.send(play_pb2.PlayRequest(inputs=[said]))

    def _said(
        self, ask: play_pb2.Ask, witness: Witness, welcome: play_pb2.Welcome
    ) -> play_pb2.PlayInput:
        """The answer to a question."""
        said = play_pb2.PlayInput(
            match=welcome.match,
            seat=welcome.seat,
            request_id=secrets.token_bytes(_REQUEST_ID_BYTES),
        )
        match ask.what:
            case "commit":
                said.commit.deal = ask.deal
                said.commit.commit = witness.commit(ask.deal, cutter=ask.cutter)
            case "reveal":
                shown = witness.reveal(ask.deal)
                said.reveal.deal = ask.deal
                said.reveal.seed, said.reveal.cset = shown.seed, shown.cset
                said.reveal.head, said.reveal.sig = shown.head, shown.sig
                if shown.cut is not None:
                    said.reveal.cut = shown.cut
            case "act":
                self._decide(ask, witness, welcome.match, said.act)
            case _:
                raise RefereeLostError(f"the referee asks for {ask.what!r}: update this client")
        return said

    def _decide(self, ask: play_pb2.Ask, witness: Witness, match: str, act: play_pb2.Act) -> None:
        witness.check_ask(ask.deal, ask.view.state_version + 1, ask.view.hand)
        view = view_of(ask.view, match=match, limit_ms=ask.limit_ms)
        if self._refused is not None:
            view["refused"] = self._refused
        act.seq = ask.view.state_version + 1
        act.action = chosen(self._choose, view, tuple(ask.view.legal))
        word, *cards = act.action.split(" ")
        if word in HIDDEN_MOVES and act.action in ask.view.legal:
            act.blind = secrets.token_bytes(_BLIND_BYTES * len(cards))
        act.seat_sig = witness.move(ask.deal, act.seq, act.action, act.blind)

    def _take_ruling(self, ruling: table_pb2.Ruling, witness: Witness, stream: PlayStream) -> None:
        pending = self._pending
        if pending is None or pending.request_id != ruling.request_id:
            return
        self._pending = None
        if ruling.accepted:
            self._unanswered = self._refused = None
            act = pending.act.seq if pending.HasField("act") else None
            witness.accepted(self._pending_deal, act=act, reveal=pending.HasField("reveal"))
            return
        action = pending.act.action
        say(f"refused {action!r}: {ruling.reason}: {ruling.text}")
        self._refused = {"action": action, "reason": ruling.reason, "text": ruling.text}
        self._answer_again(stream)

    def _take_status(self, item: play_pb2.PlayItem, stream: PlayStream) -> None:
        pending = self._pending
        code = _CODES.get(item.status.code, grpc.StatusCode.UNKNOWN)
        words = f"the referee says {code.name}: {item.status.message}"
        if pending is None or pending.request_id != item.request_id:
            say(words)
        elif code in _SEND_AGAIN:
            self._wait(words)
            stream.send(play_pb2.PlayRequest(inputs=[pending]))
        else:
            if code is not grpc.StatusCode.ABORTED:
                say(words)
            if code is grpc.StatusCode.INVALID_ARGUMENT and pending.HasField("act"):
                self._refused = _malformed(pending.act.action, item.status.message)
            self._pending = None
            self._answer_again(stream)

    def _answer_again(self, stream: PlayStream) -> None:
        if self._unanswered is not None:
            self._answer(self._unanswered, stream)


def _malformed(action: str, text: str) -> Refusal:
    return {"action": action, "reason": "MALFORMED", "text": text}


def _answers(said: play_pb2.PlayInput, ask: play_pb2.Ask) -> bool:
    """Whether an input is an answer to a question."""
    match ask.what:
        case "act":
            return said.HasField("act") and said.act.seq == ask.view.state_version + 1
        case "commit":
            return said.HasField("commit") and said.commit.deal == ask.deal
        case _:
            return said.HasField("reveal") and said.reveal.deal == ask.deal


def _match_id(text: str) -> bytes:
    try:
        match = bytes.fromhex(text)
    except ValueError:
        match = b""
    if len(match) != _REQUEST_ID_BYTES or match.hex() != text:
        raise RefereeLostError(f"the referee named a match {text!r}, which is no match id")
    return match


def _name_of(welcome: play_pb2.Welcome | None) -> str:
    return "" if welcome is None else welcome.match
