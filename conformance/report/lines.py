"""JSON on lines: how one record is written, whatever texts and numbers an answer held."""

import json
import math
from collections.abc import Mapping

from conformance.jsontypes import Json

SURROGATE = "\\ud"


def line(value: Mapping[str, Json]) -> str:
    """One JSON record on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def sound(value: Mapping[str, Json]) -> tuple[Mapping[str, Json], str]:
    """A record that every reader can take, and its line: no half of a character, no NaN."""
    try:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except ValueError:
        text = SURROGATE
    if SURROGATE not in text:
        return value, text
    whole = {_whole(name): _sound(item) for name, item in value.items()}
    return whole, line(whole)


def _sound(value: Json) -> Json:
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {_whole(name): _sound(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_sound(item) for item in value]
    return value


def _whole(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
