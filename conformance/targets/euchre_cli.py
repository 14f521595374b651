"""An adapter to euchre-cli, a game for the terminal by other people, in JSON lines.

Run it as a target: `euchre-conformance run -t "cmd:python -m conformance.targets.euchre_cli"`.
Where it plays otherwise than the rule set `throw-in`, which is the nearest, it fails;
`euchre_cli.yaml` states each such check and why.
It has no view of a seat to ask for, no tree and no record to judge: those are not claimed.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from conformance.errors import PositionError, TargetStartError
from conformance.jsontypes import Json, Record, int_of, list_of, map_of, text_of, texts_of
from conformance.targets.euchre_cli_table import (
    SEATS,
    EuchreCli,
    Played,
    Script,
    Table,
    script_of,
)

CLAIMS: Final[Record] = {
    "protocol": 1,
    "name": "euchre-cli",
    "language": "python",
    "ops": ["legal", "apply", "replay", "score", "game", "deck", "draw"],
    "rulesets": ["throw-in"],
    "knobs": {"all_pass": ["throw_in"], "throw_in_dealer": ["left", "same"]},  # same: see the yaml
    "parallel": True,
}
NOTHING: Final = {"ns": 0, "ew": 0}


class Adapter:
    """The engine, answering requests."""

    def __init__(self) -> None:
        self.engine = EuchreCli()
        self.ops: Mapping[str, Callable[[Record], dict[str, Json]]] = {
            "hello": self.hello,
            "legal": self.legal,
            "apply": self.apply,
            "replay": self.replay,
            "score": self.score,
            "game": self.game,
            "deck": self.deck,
            "draw": self.draw,
        }

    def answer(self, request: Record) -> dict[str, Json]:
        """The answer to one request."""
        op = text_of(request.get("op"), "op")
        if op not in self.ops:
            return {"unsupported": op}
        try:
            return self.ops[op](request)
        except PositionError as err:
            return {"error": str(err)}

    def hello(self, _: Record) -> dict[str, Json]:
        """What it claims."""
        return {**CLAIMS, "version": self.engine.version}

    def legal(self, request: Record) -> dict[str, Json]:
        """Who is asked, and what is taken for an answer."""
        script, score = _script(request), _score(request)
        played = self._played(script, score)
        if played.refused is not None:
            raise PositionError(_no_way(script, played.refused))
        return self.standing(script, score, played)

    def apply(self, request: Record) -> dict[str, Json]:
        """What stands after an action; a seat that is not asked cannot say anything."""
        script, score = _script(request), _score(request)
        before = self.legal(request)
        seat = text_of(request.get("by", before.get("turn", SEATS[0])), "by")
        said = replace(script, actions=[*script.actions, text_of(request.get("action"), "action")])
        played = self._played(said, score)
        if seat != before.get("turn") or played.refused is not None:
            return {"refused": True, **before}
        return self.standing(said, score, played)

    def replay(self, request: Record) -> dict[str, Json]:
        """The tricks of a deal, and what it counts for it."""
        script, score = _script(request), _score(request)
        tricks = [texts_of(trick, "a trick") for trick in list_of(request.get("tricks", []), "")]
        whole = replace(script, actions=[*script.actions, *(a for trick in tricks for a in trick)])
        played = self._played(whole, score)
        at = played.refused
        if at is not None and at < len(script.actions):
            raise PositionError(_no_way(whole, at))
        if at is not None:
            stands = replace(whole, actions=whole.actions[:at])
            standing = self.standing(stands, score, self._played(stands, score))
            return {"refused": True, "at": at - len(script.actions), **standing}
        reply: dict[str, Json] = {
            "outcome": "thrown_in" if played.thrown_in else "played",
            "winners": list(played.winners),
            "score": _after(played),
            **_worth(played, score),
        }
        return reply if played.dealer is None else {**reply, "next_dealer": played.dealer}

    def score(self, request: Record) -> dict[str, Json]:
        """What a finished deal is worth."""
        script, score = _script(request), _score(request)
        played = self._played(script, score)
        if played.refused is not None:
            raise PositionError(_no_way(script, played.refused))
        return _worth(played, score)

    def game(self, request: Record) -> dict[str, Json]:
        """Deal after deal, as its game loop goes from one to the next."""
        deals = [map_of(item, "a deal") for item in list_of(request.get("deals"), "deals")]
        scripts = [
            script_of(
                map_of(item.get("deal"), "deal"), texts_of(item.get("actions", []), "actions")
            )
            for item in deals
        ]
        if not scripts:
            raise PositionError("a game without deals")
        played = Table(self.engine, scripts, _score(request)).run()
        at = min(len(played.scores), len(scripts) - 1)
        if played.refused is not None:
            raise PositionError(f"deal {at + 1}: {_no_way(scripts[at], played.refused)}")
        if len(played.scores) < len(scripts):
            raise PositionError(f"deal {at + 1} does not come to its end")
        reply: dict[str, Json] = {"scores": list(played.scores)}
        if played.dealer is not None:
            return {**reply, "dealer": played.dealer}
        last = _after(played)
        return {**reply, "winner": max(last, key=lambda side: last[side])}

    def deck(self, request: Record) -> dict[str, Json]:
        """How its dealing gives the cards of a deck."""
        cards = texts_of(request.get("deck"), "deck")
        return {**self.engine.dealt(cards, text_of(request.get("dealer"), "dealer"))}

    def draw(self, request: Record) -> dict[str, Json]:
        """Who deals first; it knows the first black jack and no other way."""
        rules = map_of(request.get("rules"), "rules")
        method = text_of(request.get("method", rules.get("first_dealer")), "method")
        if method != "black_jack":
            return {"unsupported": f"draw by {method}"}
        cards = texts_of(request.get("deck"), "deck")
        dealer, turned = self.engine.drawn(cards, text_of(request.get("start"), "start"))
        return {"dealer": dealer, "turned": turned}

    def standing(self, script: Script, score: Mapping[str, int], played: Played) -> dict[str, Json]:
        """Who is asked; a card is legal if it is taken when it is played."""
        question = played.question
        if question is None:
            return {"phase": "over", "legal": [], "closed": True}
        legal = list(question.keys)
        if question.phase == "play":
            tried = {text: replace(script, actions=[*script.actions, text]) for text in legal}
            legal = [t for t in legal if self._played(tried[t], score).refused is None]
        return {"turn": question.seat, "phase": question.phase, "legal": sorted(legal)}

    def _played(self, script: Script, score: Mapping[str, int]) -> Played:
        return Table(self.engine, [script], score).run()


def _script(request: Record) -> Script:
    actions = texts_of(request.get("actions", []), "actions")
    return script_of(map_of(request.get("deal"), "deal"), actions)


def _score(request: Record) -> dict[str, int]:
    score = map_of(request.get("score", NOTHING), "score")
    return {side: int_of(score.get(side), f"score.{side}") for side in NOTHING}


def _no_way(script: Script, at: int) -> str:
    return f"action {at + 1}: euchre-cli does not take {script.actions[at]!r}"


def _after(played: Played) -> dict[str, int]:
    if not played.scores:
        raise PositionError("the deal is not finished")
    return played.scores[-1]


def _worth(played: Played, score: Mapping[str, int]) -> dict[str, Json]:
    after = _after(played)
    won = [SEATS.index(seat) % 2 for seat in played.winners]
    return {
        "tricks": {"ns": won.count(0), "ew": won.count(1)},
        "points": {side: after[side] - score[side] for side in NOTHING},
    }


def main(lines: Sequence[str] | None = None) -> int:
    """Answer a line with a line."""
    try:
        adapter = Adapter()
    except TargetStartError as err:
        sys.stderr.write(f"{err}\n")
        return 4
    for line in sys.stdin if lines is None else lines:
        request: Record = json.loads(line)
        reply = {"id": request.get("id"), **adapter.answer(request)}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
