"""What is covered: rule by rule set, and every ordered pair of rule sets told apart."""

from collections import Counter
from collections.abc import Mapping
from itertools import permutations

from conformance.check import FILLED, Check
from conformance.jsontypes import Json, Record, list_of
from conformance.oracle.reasons import RULE_OF
from conformance.prove.answers import wrong
from conformance.prove.part import Part, Setting
from conformance.prove.workers import forked
from conformance.targets import referee_answer

SECONDS = 120.0


def _refuses(check: Check) -> bool:
    then = check.steps[-1].then
    return "error" in then or then.get("refused") not in (None, "none")


def rules_by_set(setting: Setting) -> Part:
    """Each rule by each rule set by accepted and refused: how many checks there are."""
    book = setting.corpus.rulebook.rules
    names = list(setting.corpus.rulesets.maps)
    counts: Counter[tuple[str, str, bool]] = Counter()
    for check in setting.checks:
        for rule in check.case.rules:
            counts[rule, check.ruleset, _refuses(check)] += 1
    rows = [
        [rule, *(_cell(counts[rule, name, False], counts[rule, name, True]) for name in names)]
        for rule in book
        if any(counts[rule, name, refused] for name in names for refused in (False, True))
    ]
    return Part(
        name="coverage",
        title="Rule by rule set: checks accepted / refused",
        heading=("rule", *names),
        rows=rows,
        problems=[*_silent(setting, counts), *_one_sided(setting, counts)],
        notes=[f"{rule}: {reason}" for rule, reason in setting.explained.rules.items()],
        figures={
            "rules": len(book),
            "rules with a case": len(rows),
            "cells": sum(1 for row in rows for cell in row[1:] if cell != "·"),
        },
    )


def _cell(accepted: int, refused: int) -> str:
    return f"{accepted}/{refused}" if accepted or refused else "·"


def _silent(setting: Setting, counts: Mapping[tuple[str, str, bool], int]) -> list[str]:
    asked = {rule for rule, _, _ in counts}
    explained = setting.explained.rules
    book = setting.corpus.rulebook.rules
    problems = [
        f"rule {rule} has no case, and explained.yaml does not say why"
        for rule in book
        if rule not in asked and rule not in explained
    ]
    return problems + [
        f"explained.yaml says why {rule} has no case, but it has one (or is gone)"
        for rule in explained
        if rule in asked or rule not in book
    ]


def _one_sided(setting: Setting, counts: Mapping[tuple[str, str, bool], int]) -> list[str]:
    """Rules that a refusal can name and that are seen from one side only."""
    problems: list[str] = []
    for rule in sorted(set(RULE_OF.values())):
        if rule not in setting.corpus.rulebook.rules or rule in setting.explained.rules:
            continue
        for refused, word in ((False, "accepted"), (True, "refused")):
            if not refused and rule in setting.explained.accepted:
                continue
            if not any(counts[one] for one in counts if one[0] == rule and one[2] is refused):
                problems.append(f"rule {rule} has no case in which it is {word}")
    return problems


def pairs(setting: Setting) -> Part:
    """One rule set played in place of another is found, for every ordered pair."""
    maps = setting.corpus.rulesets.maps
    under: dict[str, list[Check]] = {name: [] for name in maps}
    for check in setting.checks:
        if not check.case.changes and check.case.op != "perft":
            under[check.ruleset].append(check)
    reference = referee_answer()

    def telling(pair: tuple[str, str]) -> Json:
        asked, rules = maps[pair[0]], maps[pair[1]]

        def plays_the_other(request: Record) -> Record:
            changed: Record = {**request, "rules": rules}
            for field, knob in FILLED.values():  # the runner filled it in from the knob
                if request.get(field) == asked[knob]:
                    changed = {**changed, field: rules[knob]}
            return reference(changed)

        return [check.case.id for check in under[pair[0]] if wrong(plays_the_other, check)]

    found = dict(forked(list(permutations(maps, 2)), telling, jobs=setting.jobs, seconds=SECONDS))
    told = {pair: list(list_of(found[pair] or [], "cases")) for pair in permutations(maps, 2)}
    return Part(
        name="pairs",
        title="Rule sets told apart: asked (row) by played (column), cases that tell",
        heading=("asked", *maps),
        rows=[
            [asked, *("" if asked == played else str(len(told[asked, played])) for played in maps)]
            for asked in maps
        ],
        problems=[
            f"{played} played in place of {asked} is not found"
            for (asked, played), cases in told.items()
            if not cases
        ],
        figures={
            "pairs": len(told),
            "told apart": sum(bool(cases) for cases in told.values()),
            "fewest cases": min(len(cases) for cases in told.values()),
        },
    )
