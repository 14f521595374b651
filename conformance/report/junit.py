"""A log as JUnit XML, in the shape that Jenkins, GitLab and Surefire read.

A wrong answer is a failure; a crash, a hang or a breach of the protocol is an error; what was not
asked, is known to fail or is not scored is skipped, with its reason.
"""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from conformance.report.log import Entry, Log
from conformance.report.story import story
from conformance.report.totals import Total, totals_of
from conformance.report.words import DISPUTED, FIXED
from conformance.verdict import Verdict

UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FAILURES = (Verdict.FAIL.value, Verdict.UNSUPPORTED.value)


def junit(log: Log) -> str:
    """The document."""
    root = Element("testsuites", name="euchre-conformance")
    for total in totals_of(log):
        _target(root, log, total)
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _target(root: Element, log: Log, total: Total) -> None:
    chapters: dict[str, list[Entry]] = {}
    for entry in total.entries:
        chapters.setdefault(entry.chapter, []).append(entry)
    for chapter, entries in chapters.items():
        suite = SubElement(root, "testsuite", name=_clean(f"{total.asked.target} {chapter}"))
        suite.set("timestamp", log.opening.started[:19])
        _properties(suite, log, total)
        for entry in entries:
            _case(suite, log, entry)
        _count(suite, sum(entry.seconds or 0.0 for entry in entries))
    if total.stopped or total.baseline or not total.entries:
        suite = SubElement(root, "testsuite", name=_clean(f"{total.asked.target} run"))
        suite.set("timestamp", log.opening.started[:19])
        words = [*([total.stopped] if total.stopped else []), *total.baseline]
        for number, text in enumerate(words or ["no check was executed"], start=1):
            case = SubElement(suite, "testcase", classname="run", name=f"the run {number}")
            SubElement(case, "error", type="incomplete", message=_clean(text))
        _count(suite, 0.0)


def _properties(suite: Element, log: Log, total: Total) -> None:
    found = SubElement(suite, "properties")
    for name, value in (
        ("target", total.asked.target),
        ("name", total.asked.name),
        ("version", total.asked.version),
        ("corpus", log.opening.corpus_version or log.opening.corpus),
        ("seed", "" if log.opening.seed is None else str(log.opening.seed)),
    ):
        if value:
            SubElement(found, "property", name=name, value=_clean(value))


def _count(suite: Element, seconds: float) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("time", f"{seconds:.3f}")


def _case(suite: Element, log: Log, entry: Entry) -> None:
    case = SubElement(
        suite,
        "testcase",
        classname=_clean(f"{entry.chapter}.{entry.topic}.{entry.ruleset}"),
        name=_clean(f"{entry.check} {entry.title}"),
    )
    if entry.seconds is not None:
        case.set("time", f"{entry.seconds:.6f}")
    if entry.bad:
        tag = "failure" if entry.verdict in FAILURES or _disputed(entry) else "error"
        found = SubElement(case, tag, type=entry.verdict, message=_clean(entry.said))
        found.text = _clean("\n".join(story(log, entry)))
    elif entry.verdict not in (Verdict.PASS, FIXED) and not _disputed(entry):
        SubElement(case, "skipped", message=_clean(f"{entry.verdict} {entry.note}".strip()))
    stderr = "\n".join(fault.stderr for fault in entry.faults if fault.stderr)
    if stderr:
        SubElement(case, "system-err").text = _clean(stderr)


def _disputed(entry: Entry) -> bool:
    return entry.verdict.startswith(DISPUTED)


def _clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return UNPRINTABLE.sub("�", text)
