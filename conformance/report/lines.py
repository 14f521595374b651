"""JSON on lines: how one record is written."""

import json
from collections.abc import Mapping

from conformance.jsontypes import Json


def line(value: Mapping[str, Json]) -> str:
    """One JSON record on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)
