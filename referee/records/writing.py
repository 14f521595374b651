"""A record written in a format: what the format cannot say is an error, or a note beside it."""

from collections.abc import Callable, Mapping
from typing import Final

from referee.records.model import Record
from referee.records.phases import Written
from referee.records.write_egn import write_egn
from referee.records.write_ptn import write_ptn
from referee.records.write_text import write_json, write_text

WRITERS: Final[Mapping[str, Callable[[Record], Written]]] = {
    "egn": write_egn,
    "ptn": write_ptn,
    "text": write_text,
    "json": write_json,
}
"""A writer a format: the text, and what is to be said of it."""
