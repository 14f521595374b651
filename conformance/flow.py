"""Values in the flow style of YAML, as the cases write them."""

from collections.abc import Mapping

import yaml

from conformance.jsontypes import Json
from conformance.tree import LOADER, TEXT


def flow(value: Json) -> str:
    """A value in the flow style: lists of words as a list, cards as words."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    return quoted(value) if isinstance(value, str) else str(value)


def quoted(text: str) -> str:
    """A text as it can stand in a flow: in quotes where YAML would read something else."""
    try:
        node = yaml.compose(f"[{text}]", Loader=LOADER)
    except yaml.YAMLError:
        node = None
    if isinstance(node, yaml.SequenceNode) and len(node.value) == 1:
        only = node.value[0]
        if isinstance(only, yaml.ScalarNode) and only.value == text and only.tag == TEXT:
            return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
