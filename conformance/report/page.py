"""A log as one page that needs no network: targets by cases, and every failure drawn.

The page holds the results as JSON and makes a row only when it is opened, so that ten thousand of
them are no burden.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from conformance.drawing import SUITS, facts, hand_of_request, holders, picture, value_words
from conformance.errors import PositionError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of, texts_of
from conformance.oracle.cards import SEATS
from conformance.report.log import Asked, Entry, Fault, Log
from conformance.report.rerun import rerun
from conformance.report.story import asked_of
from conformance.report.totals import Total, exit_of, totals_of
from conformance.report.words import FIXED, KNOWN_FAIL, ORDER, place, plain
from conformance.verdict import FAILURES, Verdict

HERE: Final = Path(__file__).parent
TONES: Final[Mapping[str, str]] = {
    Verdict.PASS.value: "good",
    **{verdict.value: "bad" for verdict in FAILURES},
    KNOWN_FAIL: "mid",
    FIXED: "mid",
}
STANDINGS: Final = {"passed": "good", "failed": "bad", "incomplete": "mid"}
ENDINGS: Final = {
    0: ("passed", "good"),
    1: ("failed", "bad"),
    3: ("baseline not exact", "mid"),
    4: ("did not start", "bad"),
    6: ("incomplete", "mid"),
    130: ("interrupted", "mid"),
}
BEGINNINGS: Final = {
    "refused": ("accepted", "refused"),
    "unchanged": ("changed",),
    "hidden": ("shows",),
    "error": ("wanted an error",),
}
"""How a problem of a field begins where it does not begin with the field's name."""
SILENT: Final = {"unchanged": ("yes", "no"), "hidden": ("hidden", "shown"), "error": ("yes", "no")}
"""Fields that no answer has, and what to say of them: in order, or not."""
LABEL: Final = 24


def page(log: Log) -> str:
    """The page."""
    totals = totals_of(log)
    return Template(_part("page.html")).substitute(
        title=escape(f"Euchre conformance: {', '.join(it.asked.target for it in totals)}"),
        style=_part("page.css").rstrip(),
        meta=_meta(log, totals),
        targets=_targets(totals),
        notes="\n".join(_notes(totals)),
        footer=escape(f"Made by euchre-conformance {log.opening.version} from an event log."),
        data=_embedded(_Data(log).as_json()),
        script=_part("page.js").rstrip(),
    )


def _part(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _embedded(value: Json) -> str:
    """JSON that can stand in a script element whatever texts it holds."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _meta(log: Log, totals: Sequence[Total]) -> str:
    opening = log.opening
    checks = sum(len(total.entries) for total in totals)
    parts = [
        f"corpus {opening.corpus_version}" if opening.corpus_version else "another corpus",
        f"sha256 {opening.corpus[:16]}",
        opening.started,
        *([] if opening.seed is None else [f"seed {opening.seed}"]),
        f"{checks} checks",
        f"exit {exit_of(totals)}",
    ]
    return escape(" · ".join(parts))


def _targets(totals: Sequence[Total]) -> str:
    words = sorted({entry.verdict for total in totals for entry in total.entries}, key=place)
    head = "".join(f'<th scope="col" class="number">{escape(word)}</th>' for word in words)
    rows = "\n".join(_target(total, words) for total in totals)
    return (
        "<table>\n<thead>\n"
        f'<tr><th scope="col">target</th><th scope="col">result</th>{head}'
        '<th scope="col">levels</th></tr>\n'
        f"</thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    )


def _target(total: Total, words: Iterable[str]) -> str:
    counts = Counter(entry.verdict for entry in total.entries)
    numbers = "".join(f'<td class="number">{counts[word]}</td>' for word in words)
    ending, tone = ENDINGS.get(total.exit, ("an error", "bad"))
    levels = "".join(
        f'<span class="word {STANDINGS.get(standing, "")}" title="{escape(standing)}">{level} '
        f"{escape(standing)}</span>"
        for level, standing in total.levels().items()
        if standing not in ("not claimed", "no cases")
    )
    return (
        f'<tr><th scope="row">{escape(total.asked.shown)}</th>'
        f'<td><span class="word {tone}">{ending}</span></td>{numbers}'
        f'<td class="levels">{levels}</td></tr>'
    )


def _notes(totals: Iterable[Total]) -> Iterable[str]:
    for total in totals:
        told = [
            *([f"incomplete: {total.stopped}"] if total.stopped else []),
            *(f"baseline: {problem}" for problem in total.baseline),
            *total.asked.warnings,
        ]
        for text in told:
            yield f'<p class="note">{escape(f"{total.asked.target}: {text}")}</p>'


class _Data:
    """The results as the script of the page reads them, with what stands often kept once."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._verdicts: dict[str, int] = {}
        self._rulesets: dict[str, int] = {}
        self._tables: dict[str, tuple[int, Json]] = {}
        self._requests: dict[str, int] = {}
        self._faults: dict[str, tuple[int, Json]] = {}
        self._drawings: dict[str, Record | None] = {}

    def as_json(self) -> dict[str, Json]:
        """All of it."""
        targets = [asked.target for asked in self._log.opening.targets]
        cases: dict[str, dict[str, Json]] = {}
        results: dict[str, list[list[Json]]] = {}
        for entry in self._log.entries:
            if entry.case not in cases:
                cases[entry.case] = _case(entry)
                results[entry.case] = [[] for _ in targets]
            if entry.target in targets:
                results[entry.case][targets.index(entry.target)].append(self._result(entry))
        return {
            "targets": [self._target(asked) for asked in self._log.opening.targets],
            "cases": [{**case, "results": results[name]} for name, case in cases.items()],
            "chapters": dict(self._log.opening.chapters),
            "rules": {
                name: {
                    "chapter": rule.chapter,
                    "text": rule.text,
                    "level": rule.level,
                    "sources": list(rule.sources),
                }
                for name, rule in self._log.opening.rules.items()
            },
            "verdicts": list(self._verdicts),
            "rulesets": list(self._rulesets),
            "tables": [table for _, table in self._tables.values()],
            "requests": list(self._requests),
            "faults": [faults for _, faults in self._faults.values()],
            "tones": {word: TONES.get(plain(word), "") for word in self._verdicts},
            "order": list(ORDER),
        }

    def _target(self, asked: Asked) -> dict[str, Json]:
        short = asked.name if asked.name and len(asked.target) > LABEL else asked.target
        short = short.removesuffix(":")
        return {
            "shown": asked.shown,
            "short": short,
            "rerun": rerun(asked.target, "CHECK-ID", self._log.opening.options),
        }

    def _result(self, entry: Entry) -> list[Json]:
        faults = -1
        if entry.faults:
            told = [self._fault(fault) for fault in entry.faults[:1]]
            more: list[Json] = [None] * (len(entry.faults) - 1)
            faults = _once(self._faults, [*told, *more])
        return [
            self._rulesets.setdefault(entry.ruleset, len(self._rulesets)),
            self._verdicts.setdefault(entry.verdict, len(self._verdicts)),
            int(entry.bad),
            faults,
            *([entry.note] if entry.note else []),
        ]

    def _fault(self, fault: Fault) -> dict[str, Json]:
        table = self._drawing(fault.request)
        request = {name: value for name, value in fault.request.items() if name != "rules"}
        text = json.dumps({**request, "ruleset": "…"}, indent=1, ensure_ascii=False)
        got = fault.got or {}
        body = got.get("view", got) if fault.request.get("op") == "view" else got
        seen = body if isinstance(body, Mapping) else {}
        return {
            "label": fault.label,
            "asked": asked_of(fault.request),
            "said": "" if fault.got is not None else "There was no answer.",
            "fields": [list(field) for field in _fields(fault, seen)],
            "problems": list(fault.problems),
            "stderr": fault.stderr,
            "table": None if table is None else _once(self._tables, table),
            "request": self._requests.setdefault(text, len(self._requests)),
        }

    def _drawing(self, request: Record) -> Record | None:
        key = json.dumps(
            [
                request.get(name)
                for name in ("deal", "actions", "by", "seat", "rules", "record", "claims")
            ]
        )
        if key not in self._drawings:
            self._drawings[key] = table_of(request)
        return self._drawings[key]


def _fields(fault: Fault, seen: Record) -> Iterator[tuple[str, str, str, bool]]:
    """Each field that is judged: what was wanted, what was got, and whether that is wrong."""
    for name, wanted in fault.expected.items():
        begins = BEGINNINGS.get(name, (f"{name}:", f"{name}.", f"{name}["))
        off = any(problem.startswith(begins) for problem in fault.problems)
        got = value_words(seen[name]) if name in seen else "nothing"
        if name in SILENT:
            got = SILENT[name][off]
        yield name, value_words(wanted), got, off


def _once(kept: dict[str, tuple[int, Json]], value: Json) -> int:
    return kept.setdefault(json.dumps(value), (len(kept), value))[0]


def _case(entry: Entry) -> dict[str, Json]:
    return {
        "id": entry.case,
        "title": entry.title,
        "why": entry.why,
        "rules": list(entry.rules),
        "chapter": entry.chapter,
        "level": entry.level,
        "op": entry.op,
        "importance": entry.importance,
    }


def table_of(request: Record) -> Record | None:
    """The table of a request: its four seats, what is known, and the hands that matter."""
    if "record" in request:
        return _recorded(request)
    hand = hand_of_request(request)
    if hand is None:
        return None
    laid = dict(hand.trick)
    led = hand.trick[0][0] if hand.trick else None
    return {
        "seats": {
            seat: {
                "card": laid.get(seat),
                "led": seat == led,
                "dealer": seat == hand.dealer,
                "turn": seat == hand.turn,
                "out": seat in hand.out(),
            }
            for seat in SEATS
        },
        "trump": f"{SUITS[hand.trump]}" if hand.trump is not None else "no trump yet",
        "up": [hand.upcard, hand.upcard_state.replace("_", " ")],
        "words": " ".join(" ".join(text.split()) for text in picture(hand)),
        "facts": list(facts(hand, request)),
        "hands": {seat: sorted(hand.hands[seat]) for seat in holders(hand, request)},
    }


def _recorded(request: Record) -> Record | None:
    """The trick of a record that is claimed to hold a renege, or its first one."""
    try:
        record = map_of(request.get("record"), "record")
        tricks = [texts_of(trick, "a trick") for trick in list_of(record.get("tricks"), "tricks")]
        claims = list_of(request.get("claims", []), "claims")
        number = int_of(map_of(claims[0], "a claim").get("trick"), "trick") if claims else 1
        laid = dict(text.split(" ", 1)[:2] for text in tricks[number - 1])
    except (PositionError, LookupError, ValueError):
        return None
    trump = SUITS.get(str(record.get("trump")), "no trump named")
    led = next(iter(laid), None)
    return {
        "seats": {
            seat: {
                "card": laid.get(seat),
                "led": seat == led,
                "dealer": False,
                "turn": False,
                "out": False,
            }
            for seat in SEATS
        },
        "trump": trump,
        "up": ["", f"trick {number}"],
        "words": ", ".join(f"{seat} {card}" for seat, card in laid.items()),
        "facts": [f"trick {number} of the record", f"trump {trump}"],
        "hands": {},
    }
