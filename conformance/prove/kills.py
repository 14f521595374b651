"""Named mutants: which cases kill which, and which cases kill none."""

from collections.abc import Iterable, Iterator, Mapping

from conformance.check import Check
from conformance.jsontypes import Json, texts_of
from conformance.mutants import Mutant, mutants
from conformance.prove.answers import failed, one_a_case, wrong
from conformance.prove.part import Part, Setting
from conformance.prove.workers import forked
from conformance.targets import referee_answer

SECONDS = 60.0
ENOUGH = 2
SHOWN = 4


def matrix(
    setting: Setting, which: Iterable[Mutant] | None = None
) -> Mapping[str, tuple[str, ...]]:
    """For each mutant the checks that kill it, of those that the referee passes."""
    known = {one.name: one for one in which or mutants(setting.corpus.rulesets).values()}
    reference = referee_answer()
    once = [check for check in one_a_case(setting.checks) if not wrong(reference, check)]
    rest = [check for check in setting.checks if not wrong(reference, check)]
    more = [check for check in rest if check.case.op != "perft"]
    perft = [check for check in rest if check.case.op == "perft"]

    def killed(name: str) -> Json:
        found = {check.id for check in failed(known[name].answer, once)}
        for part in (more, perft):
            for check in failed(known[name].answer, part) if weak(found) else ():
                found.add(check.id)
                if not weak(found):
                    break
        return sorted(found)

    found = dict(forked(list(known), killed, jobs=setting.jobs, seconds=SECONDS))
    return {name: tuple(texts_of(found[name] or [], "kills")) for name in known}


def topics_of(kills: Iterable[str]) -> set[str]:
    """The topics of the cases that kill; a topic begins the id of its cases."""
    return {check.partition("@")[0].rpartition("-")[0] for check in kills}


def weak(kills: Iterable[str]) -> bool:
    """Whether the cases that kill are of fewer than two topics."""
    return len(topics_of(kills)) < ENOUGH


def named_mutants(setting: Setting) -> Part:
    """Each named mutant is killed by cases of two topics, each case kills one or says why not."""
    known = mutants(setting.corpus.rulesets)
    kills = matrix(setting)
    idle = idle_cases(setting, kills)
    return Part(
        name="mutants",
        title="Named mutants, one wrong rule each",
        heading=("mutant", "kills", "topics", "killed by"),
        rows=[
            [name, str(len(found)), str(len(topics_of(found))), _shown(found)]
            for name, found in kills.items()
        ],
        problems=[*_survivors(setting, known, kills), *_idle(setting, idle)],
        notes=[f"knob {knob}: {reason}" for knob, reason in setting.explained.knobs.items()]
        + [f"case {case}: {reason}" for case, reason in setting.explained.cases.items()],
        figures={
            "mutants": len(known),
            "killed by two topics": sum(not weak(found) for found in kills.values()),
            "cases that kill none": len(idle),
            "kills": {name: list(found) for name, found in kills.items()},
        },
    )


def _survivors(
    setting: Setting, known: Mapping[str, Mutant], kills: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    for name, found in kills.items():
        if weak(found) and known[name].knob not in setting.explained.knobs:
            yield f"{name} is killed by {len(topics_of(found))} topics: {known[name].text}"
    for knob in setting.explained.knobs:
        if not any(weak(found) for name, found in kills.items() if known[name].knob == knob):
            yield f"explained.yaml excuses the knob {knob}, which needs no excuse"


def _idle(setting: Setting, idle: list[str]) -> Iterator[str]:
    for case in idle:
        if case not in setting.explained.cases:
            yield f"case {case} kills no named mutant, and explained.yaml does not say why it stays"
    for case in setting.explained.cases:
        if case not in idle:
            yield f"explained.yaml says why {case} kills no mutant, but it does (or is gone)"


def idle_cases(setting: Setting, kills: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The cases that kill no mutant, asked once more under every rule set and with perft."""
    busy = {check.partition("@")[0] for found in kills.values() for check in found}
    rest: dict[str, list[Check]] = {}
    for check in setting.checks:
        if check.case.id not in busy:
            rest.setdefault(check.case.id, []).append(check)
    known = list(mutants(setting.corpus.rulesets).values())

    def kills_any(case: str) -> Json:
        return any(wrong(one.answer, check) for check in rest[case] for one in known)

    found = dict(forked(list(rest), kills_any, jobs=setting.jobs, seconds=SECONDS))
    return sorted(case for case, any_killed in found.items() if not any_killed)


def _shown(found: tuple[str, ...]) -> str:
    one_each = {check.rpartition("-")[0]: check for check in found}
    return " ".join(list(one_each.values())[:SHOWN]) or "-"
