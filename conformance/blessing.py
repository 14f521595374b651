"""Writing answers into a case file: only the value of `then` changes, all else stays as it is."""

from pathlib import Path

import yaml

from conformance.case import Case
from conformance.errors import CorpusError
from conformance.flow import flow
from conformance.jsontypes import Record
from conformance.tree import LOADER


def blessed(text: str, values: dict[str, Record], name: str) -> str:
    """The text of a case file in which the `then` of each case is another."""
    root = yaml.compose(text, Loader=LOADER)
    places = {_scalar(case, "id"): _pair(case, "then") for case in _items(_pair(root, "cases"))}
    changed = text
    for case_id in sorted(values, key=lambda one: -_start(places.get(one))):
        node = places.get(case_id)
        if node is None:
            raise CorpusError(f"{name}: no case {case_id} with a then")
        start, end = node.start_mark.index, node.end_mark.index
        old = text[start:end]
        kept = old.rstrip()
        if "#" in kept:
            raise CorpusError(
                f"{name}:{node.start_mark.line + 1}: a comment stands within the then of "
                f"{case_id}, and would be lost: move it above the case"
            )
        changed = changed[:start] + flow(values[case_id]) + old[len(kept) :] + changed[end:]
    return changed


def with_answers(case: Case, answer: Record) -> Record:
    """The fields that a case judges, each as it was answered; a tree whole."""
    names = ("leaves", "spread") if case.op == "perft" else tuple(case.then)
    view = answer.get("view")
    body = view if case.op == "view" and isinstance(view, dict) else answer
    kept = ("unchanged", "hidden")
    return {name: case.then[name] if name in kept else body.get(name, "none") for name in names}


def replace_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _pair(node: yaml.Node | None, wanted: str) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == wanted:
                return value if isinstance(value, yaml.Node) else None
    return None


def _scalar(node: yaml.Node, wanted: str) -> str:
    found = _pair(node, wanted)
    return str(found.value) if isinstance(found, yaml.ScalarNode) else ""


def _items(node: yaml.Node | None) -> list[yaml.Node]:
    if not isinstance(node, yaml.SequenceNode):
        return []
    return [item for item in node.value if isinstance(item, yaml.Node)]


def _start(node: yaml.Node | None) -> int:
    return node.start_mark.index if node is not None else 0
