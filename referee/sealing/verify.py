"""The verifier of one file, line by line: form and chain, signatures, then the seal.

Lines go in with `feed`; what has passed so far comes out, for the replay of the rules, which
reports what it finds with `fail`. `finish` gives the verdict: of all failed checks the earliest in
the order of `Stage` decides, and within one stage the first in the file.
"""

from typing import Final

from referee.sealing.boardevents import BoardClose, BoardCommitSet, BoardEvent, BoardOpen
from referee.sealing.boardwalk import BoardWalk, place_name
from referee.sealing.canonical import parse
from referee.sealing.closing import Event, MatchClose
from referee.sealing.encode import HASH_SIZE, LARGEST_U32
from referee.sealing.errors import KeyFormError, UnreadableError, UnsoundKeyError
from referee.sealing.events import MatchOpen
from referee.sealing.fields import Fields
from referee.sealing.keys import VerifyKey, parse_key
from referee.sealing.packs import SEATS
from referee.sealing.patterns import Common, read_at_one_go
from referee.sealing.receipts import Receipts, Watch
from referee.sealing.record import DealRecord
from referee.sealing.roster import Roster
from referee.sealing.signed import RefereeSignatures
from referee.sealing.transcript import ZERO_HEAD, event_hash, split_line
from referee.sealing.verdict import EXIT_OF, UNREADABLE, CheckError, Failures, Stage, Verdict
from referee.sealing.walk import Walk

SIGNED_KINDS: Final = frozenset(
    {
        "match_open", "commit_set", "deck_root", "deal_close", "match_close",
        BoardOpen.kind, BoardCommitSet.kind, BoardClose.kind,
    }
)  # fmt: skip
PLAIN_START: Final = b'{"format":"euchre-plain-log/'
_WHOLE: Final = (MatchOpen, MatchClose)
_KINDS: Final = {"match": "transcript", "table": "table", "board": "board"}
LINE_START: Final = b'{"event":'


class SealVerifier:
    """One file's verification in progress."""

    __slots__ = (
        "_before",
        "_deal",
        "_failures",
        "_head",
        "_key_text",
        "_next",
        "_pinned",
        "_proof",
        "_receipts",
        "_roster",
        "_signed",
        "_strict",
        "_torn",
        "_walk",
        "_watch",
        "_wrong_key",
    )  # fmt: skip

    def __init__(
        self,
        *,
        pinned: VerifyKey | None = None,
        strict: bool = False,
        proof: bool = False,
        roster: Roster | None = None,
        receipts: Receipts | None = None,
        walk: Walk | BoardWalk | None = None,
    ) -> None:
        self._pinned = pinned
        self._roster = roster
        self._receipts = receipts
        self._watch: Watch | None = None
        self._strict = strict
        self._proof = proof
        self._walk: Walk | BoardWalk = Walk(proof=proof) if walk is None else walk
        self._head = ZERO_HEAD
        self._before = ZERO_HEAD
        self._deal: int | None = None
        self._next = 0
        self._failures = Failures()
        self._key_text: str | None = None
        self._wrong_key = False
        self._signed = RefereeSignatures()
        self._torn = False

    @property
    def match_open(self) -> MatchOpen | None:
        """The event that opened the match, once it has passed; None of a board."""
        opened = self._walk.open
        return opened if isinstance(opened, MatchOpen) else None

    @property
    def last_seq(self) -> int:
        """The number of the event fed last."""
        return self._next - 1

    @property
    def _agreed(self) -> int:
        return 0 if self._watch is None else self._watch.agreed

    @property
    def broken(self) -> bool:
        """Whether nothing that follows can change the verdict."""
        return self._failures.broken

    def feed(self, line: bytes) -> MatchOpen | DealRecord | MatchClose | None:
        """Take in one line without its line feed; what it completes, where all checks passed."""
        if self._failures.broken:
            return None
        try:
            raw, sig = split_line(line)
            taken = None if self._key_text is None else read_at_one_go(raw)
            fields = None if taken else parse(raw)
        except UnreadableError as err:
            message = f"line {self._next + 1} is unreadable: {err}"
            self._failures.form(UNREADABLE, message, seq=self._next)
            return None
        if taken:
            self._feed_common(*taken, raw, sig)
            return None
        return None if fields is None else self._feed_fields(fields, raw, sig)

    def _feed_common(self, event: Common, seq: int, prev: str, raw: bytes, sig: bytes) -> None:
        """Take in an event that was read at one go."""
        self._deal = event.deal
        if not self._link(seq, prev, raw, sig):
            return
        if sig or event.signed:
            self._sign(event.kind, {}, sig)
        if self._failures.still(Stage.SEAL):
            self._step(event)

    def _feed_fields(
        self, fields: dict[str, object], raw: bytes, sig: bytes
    ) -> MatchOpen | DealRecord | MatchClose | None:
        number = fields.get("deal")
        self._deal = number if type(number) is int else None
        if not self._link(fields.pop("seq", None), fields.pop("prev", None), raw, sig):
            return None
        kind = str(fields.pop("kind", None))
        if (sig or kind in SIGNED_KINDS or self._key_text is None) and not self._sign(
            kind, fields, sig
        ):
            return None
        if not self._failures.still(Stage.SEAL):
            return None
        try:
            event = self._walk.read(kind, Fields(fields, kind))
        except UnreadableError as err:
            self.fail(Stage.SEAL, str(err), seq=self.last_seq, deal=self._deal)
            return None
        if isinstance(event, MatchOpen | BoardOpen):
            self._call_witnesses(event)
        record = self._step(event)
        if isinstance(self._walk, Walk) and self._walk.lone:
            return None  # without its board nothing of it can be replayed
        return event if isinstance(event, _WHOLE) else record

    def cut_short(self) -> None:
        """Say that the file's last line has no line feed: its end is missing."""
        self._torn = True

    def unreadable(self, message: str) -> None:
        """Say that the file as a whole is nothing to verify."""
        self._failures.form(UNREADABLE, message)

    def claims_match(self, match: str) -> None:
        """Say which match a proof claims to be of; its lines decide."""
        opened = self._walk.open
        if not self.broken and opened is not None and opened.match.hex() != match:
            self._failures.form(
                EXIT_OF[Stage.FORM], "match is not the match of the proof's lines", seq=0
            )

    def fail(
        self, stage: Stage, message: str, *, seq: int | None = None, deal: int | None = None
    ) -> None:
        """Report a failed check; it decides where no earlier stage, or event, has failed."""
        self._failures.fail(stage, message, seq=seq, deal=deal)

    def still(self, stage: Stage) -> bool:
        """Whether a check of this stage can still decide."""
        return self._failures.still(stage)

    def _link(self, seq: object, prev: object, raw: bytes, sig: bytes) -> bool:
        """Whether the line continues the chain, which then ends at it."""
        if self._proof and self._next == 1:
            self._jump(seq, _hash_of(prev))
        before = self._head
        if type(seq) is not int or seq != self._next:
            why = f"its seq is {seq!r}, and {self._next} is wanted"
        elif prev != before.hex():
            why = "its prev is not the hash of the event before it"
        else:
            self._before = before
            self._head = event_hash(before, raw)
            self._next = seq + 1
            if self._watch is not None:
                self._compare(self._watch)
            return True
        self._break(seq, prev, raw, sig, why)
        return False

    def _jump(self, seq: object, prev: bytes | None) -> None:
        """In a proof, go from match_open to wherever in the chain the deal begins."""
        if type(seq) is int and 1 <= seq <= LARGEST_U32 and prev is not None:
            self._head, self._next = prev, seq

    def _break(self, seq: object, prev: object, raw: bytes, sig: bytes, why: str) -> None:
        """The chain breaks here; two signed events of one number speak against the referee."""
        self._signed.check()
        within, before = self._deal, _hash_of(prev)
        number = seq if type(seq) is int else self._next
        if number == 0 and self._begins_another(raw):
            message = f"another record begins after {self._next} events (verify each by itself)"
            self._failures.form(EXIT_OF[Stage.FORM], message, seq=number, deal=within)
            return
        if before is not None and self._signed.contradict(number, event_hash(before, raw), sig):
            message = f"two events that the referee signed have the number {number}"
            self._failures.form(
                EXIT_OF[Stage.FORM], message, seq=number, deal=within, party="referee"
            )
            return
        message = f"the chain breaks after {self._next} events: {why}"
        self._failures.form(EXIT_OF[Stage.FORM], message, seq=number, deal=within)

    def _begins_another(self, raw: bytes) -> bool:
        """Whether an opening is of another match or board than this file's: no second word on it.

        Honest files in one are no evidence against whoever signed them.
        """
        opened = self._walk.open
        try:
            fields = parse(raw)
        except UnreadableError:
            return False
        name = "board" if fields.get("kind") == BoardOpen.kind else "match"
        return opened is not None and fields.get(name) != opened.match.hex()

    def _sign(self, kind: str, fields: dict[str, object], sig: bytes) -> bool:
        """Note the referee's signature, due or given; False where no key is known."""
        if self._key_text is None and not self._learn_key(kind, fields):
            return False
        self._signed.note(self.last_seq, self._deal, self._head, sig)
        return True

    def _learn_key(self, kind: str, fields: dict[str, object]) -> bool:
        text = fields.get("referee_key")
        opening = self._walk.opening
        if kind != opening or not isinstance(text, str):
            message = f"not a transcript: it does not open with {opening} and the referee's key"
            self._failures.form(UNREADABLE, message, seq=0, deal=self._deal)
            return False
        try:
            self._signed.key = parse_key(text)
        except UnsoundKeyError as err:
            self._wrong_key = True
            self.fail(Stage.SIGNATURE, str(err), seq=0)
        except KeyFormError as err:
            self._failures.form(UNREADABLE, f"{opening}: {err}", seq=0)
            return False
        self._key_text = text
        key = self._signed.key
        if self._pinned is not None and key is not None and self._pinned.raw != key.raw:
            message = f"the key of this file is {text!r}, not the pinned {self._pinned.text!r}"
            self.fail(Stage.SIGNATURE, message, seq=0)
            self._wrong_key = True
        return True

    def _step(self, event: Event | BoardEvent) -> DealRecord | None:
        """Walk on by one event; the record of a deal where it closes one."""
        seq, walk = self._next - 1, self._walk
        try:
            record = walk.step(event, seq, self._before, self._head)
        except CheckError as err:
            named = seq if err.seq is None else err.seq
            self.fail(Stage.SEAL, str(err), seq=named, deal=self._deal)
            return None
        if walk.unsigned:
            self.fail(Stage.SEAT_SIGNATURE, walk.unsigned[0], seq=seq, deal=self._deal)
            walk.unsigned.clear()
        denied = None
        if self._watch is not None and not isinstance(event, BoardEvent):
            denied = self._watch.denied(event, seq)
        if denied:
            self.fail(Stage.RECEIPT, denied, seq=seq, deal=self._deal)
        return record

    def _call_witnesses(self, event: MatchOpen | BoardOpen) -> None:
        """Ask the roster for the keys that match_open names, and the receipts for their match."""
        if self._roster is not None:
            named = [event.referee_key, *(seat.key for seat in event.seats if seat.key)]
            for text in named:
                refusal = self._roster.refusal(text, event.opened_at)
                if refusal and self.still(Stage.SIGNATURE):
                    self.fail(Stage.SIGNATURE, refusal, seq=0)
                    self._wrong_key = True
        key = self._signed.key
        if self._receipts is not None and key is not None:
            self._watch = self._receipts.watch(event.match)
            for message in self._watch.unsigned(event.match, key):
                self.fail(Stage.SIGNATURE, message)
            self._compare(self._watch)

    def _compare(self, watch: Watch) -> None:
        """Hold the receipts of the event just read against it."""
        message = watch.contradiction(self.last_seq, self._deal, self._head)
        if message:
            self.fail(Stage.RECEIPT, message, seq=self.last_seq, deal=self._deal)

    def finish(self) -> Verdict:
        """The verdict on everything taken in."""
        self._signed.check()
        self._judge_signatures()
        self._judge_receipts()
        self._judge_end()
        self._judge_strictly()
        opened = self._walk.open
        seats = () if opened is None else opened.seats
        declined = sum(seat.declined for seat in seats)
        by_host = sum(seat.seed_by == "host" and not seat.declined for seat in seats)
        return Verdict(
            failure=self._failures.blamed(self._signed.last, wrong_key=self._wrong_key),
            kind="deal-proof" if self._proof else _KINDS[self._walk.what],
            match=None if opened is None else opened.match.hex(),
            key=self._key_text,
            pinned=self._pinned is not None,
            listed=None if self._roster is None else not self._wrong_key,
            receipts=None if self._receipts is None else self._agreed,
            rated=None if opened is None else opened.rated and not declined,
            seeds=(len(seats) - by_host - declined, by_host, declined),
            totals=self._walk.totals,
            board=None
            if not isinstance(opened, MatchOpen) or opened.board is None
            else opened.board.hex(),
            table=opened.table if isinstance(opened, MatchOpen) else None,
        )

    def _judge_signatures(self) -> None:
        if self._signed.first_wrong is None or self._wrong_key:
            return
        seq, deal = self._signed.first_wrong
        if self._signed.last >= 0:
            message = "the referee's signature is missing or does not verify"
        else:
            message = f"no signature verifies under the key of {self._walk.opening}"
        self.fail(Stage.SIGNATURE, message, seq=seq, deal=deal)

    def _judge_receipts(self) -> None:
        if self._watch is None or self._proof or not self._walk.complete:
            return
        message = self._watch.beyond(self.last_seq)
        if message:
            self.fail(Stage.RECEIPT, message, seq=self.last_seq)

    def _judge_end(self) -> None:
        if self._torn:
            message = "the last line has no line feed: the end of the file is missing"
        elif not self._next:
            message = "the file is empty"
        elif not self._walk.complete:
            what = "deal" if self._proof else self._walk.what
            lone = self._walk.lone if isinstance(self._walk, Walk) else ""
            message = lone or f"the end of the {what} is missing"
        else:
            return
        deal = self._walk.deal
        self.fail(Stage.END, message, seq=self._next, deal=None if deal is None else deal.number)

    def _judge_strictly(self) -> None:
        opened = self._walk.open
        if not self._strict or opened is None:
            return
        if self._pinned is None:
            self.fail(Stage.STRICT, "under --strict the referee's key must be pinned")
        for j, seat in enumerate(opened.seats):
            why = seat.weakness
            if why:
                word = SEATS[j] if isinstance(opened, MatchOpen) else place_name(j)
                self.fail(Stage.STRICT, f"under --strict: {word} {why}")


def _hash_of(value: object) -> bytes | None:
    """The 32 bytes of a lower-case hex string, or None."""
    if not isinstance(value, str):
        return None
    try:
        raw = bytes.fromhex(value)
    except ValueError:
        return None
    return raw if len(raw) == HASH_SIZE and raw.hex() == value else None
