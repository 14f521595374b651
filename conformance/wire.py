"""The messages of `euchre.conformance.v1`, to and from the records that JSON lines hold.

Proto JSON and the lines agree but for lists of lists, which messages wrap, and for what a message
cannot tell from absent.  Rule of this page: the lists and counts that an op asks for are there,
even where they are empty or 0; any other empty text, false or 0 is absent; and an answer in which
nothing but the id is set is the empty answer.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from google.protobuf.json_format import Error, MessageToDict, ParseDict
from google.protobuf.message import Message

from conformance.errors import CorpusError, PositionError
from conformance.jsontypes import Json, Record, list_of, map_of, text_of
from conformance.pb.euchre.conformance.v1.target_pb2 import (
    AnswerRequest,
    AnswerResponse,
    HelloRequest,
    HelloResponse,
)

ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "legal": ("actions",),
    "apply": ("actions", "action"),
    "view": ("actions",),
    "replay": ("actions", "tricks"),
    "score": ("actions",),
    "deck": ("deck",),
    "draw": ("deck",),
    "game": ("deals",),
    "perft": ("actions",),
    "adjudicate": (),
    "verify": (),
}
"""The fields that a question of each op holds."""

ANSWERED: Final[Mapping[str, tuple[str, ...]]] = {
    "legal": ("legal",),
    "apply": ("legal",),
    "view": (),
    "replay": ("winners",),
    "score": (),
    "deck": ("kitty",),
    "draw": ("turned",),
    "game": ("scores",),
    "perft": ("leaves", "spread"),
    "adjudicate": ("findings",),
    "verify": (),
}
"""The lists and counts that an answer of each op holds."""

NUMBERS: Final = ("leaves", "event")
TRUE: Final = "true"


def question(request: Record) -> AnswerRequest:
    """A request as a message."""
    body = dict(request)
    rules = {
        knob: text_of(value, knob) for knob, value in map_of(body.pop("rules", {}), "rules").items()
    }
    if "tricks" in body:
        body["tricks"] = [{"actions": trick} for trick in list_of(body["tricks"], "tricks")]
    if "record" in body:
        play = dict(map_of(body["record"], "record"))
        play["tricks"] = [{"plays": trick} for trick in list_of(play["tricks"], "tricks")]
        body["record"] = play
    try:
        return ParseDict(_plain(body), AnswerRequest(rules=rules))
    except Error as err:
        raise CorpusError(f"a request that euchre.conformance.v1 cannot say: {err}") from err


def request_of(message: AnswerRequest) -> dict[str, Json]:
    """A message as the request it stands for."""
    kept = ASKED.get(message.op, ())
    body = _fields(message, kept)
    if "actions" in kept and "deal" not in body and not message.actions:
        del body["actions"]
    if message.tricks:
        body["tricks"] = [list(trick.actions) for trick in message.tricks]
    if message.HasField("record"):
        play: dict[str, Json] = {"tricks": [list(trick.plays) for trick in message.record.tricks]}
        if message.record.HasField("trump"):
            play["trump"] = message.record.trump
        body["record"] = play
    if "view" in body:
        seen = dict(map_of(body["view"], "view"))
        del seen["legal"]
        body["view"] = seen
    return body


def reply(answer: Record) -> AnswerResponse:
    """An answer as a message; what the messages have no field for is left out."""
    body = dict(answer)
    if body.get("refused") is True:
        body["refused"] = TRUE
    try:
        return ParseDict(_plain(body), AnswerResponse(), ignore_unknown_fields=True)
    except Error as err:
        raise PositionError(f"an answer that euchre.conformance.v1 cannot say: {err}") from err


def answer_of(message: AnswerResponse, op: str) -> dict[str, Json]:
    """A message as the answer it stands for, to a question of an op."""
    if message.unsupported or message.error or len(message.ListFields()) <= 1:
        return {"id": message.id, **_fields(message, ())}
    kept = () if message.refused and op == "replay" else ANSWERED.get(op, ())
    body: dict[str, Json] = {"id": message.id, **_fields(message, kept)}
    for name in NUMBERS:
        if name in body:
            body[name] = int(text_of(body[name], name))
    if "spread" in body:
        body["spread"] = {key: int(leaves) for key, leaves in message.spread.items()}
    if body.get("refused") == TRUE:
        body["refused"] = True
    return body


def introduction(greeting: Record) -> HelloRequest:
    """The runner's hello as a message."""
    return ParseDict(_plain(greeting), HelloRequest())


def greeting_of(message: HelloRequest) -> dict[str, Json]:
    """The runner's hello."""
    return {**_fields(message, ()), "id": message.id}


def hello_message(claims: Record) -> HelloResponse:
    """A target's hello as a message."""
    body = dict(claims)
    knobs = map_of(body.get("knobs", {}), "knobs")
    body["knobs"] = {knob: {"values": values} for knob, values in knobs.items()}
    return ParseDict(_plain(body), HelloResponse())


def claims_of(message: HelloResponse) -> dict[str, Json]:
    """A target's hello as a record."""
    body = _fields(message, ())
    body["knobs"] = {knob: list(held.values) for knob, held in message.knobs.items()}
    return body


def _fields(message: Message, kept: Sequence[str]) -> dict[str, Json]:
    """The fields that are set, and those to be kept though they are empty."""
    found: dict[str, Json] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return {
        name: _inside(name, value)
        for name, value in found.items()
        if name in kept
        or (value not in ("", "0", False, 0, []) and value != {})
        or _set(message, name)
    }


def _set(message: Message, name: str) -> bool:
    field = message.DESCRIPTOR.fields_by_name[name]
    return field.has_presence and message.HasField(name)


def _inside(name: str, value: Json) -> Json:
    """A message within a message: its counts and lists are there, empty texts are not."""
    if isinstance(value, list):
        return [_inside(name, item) for item in value]
    if not isinstance(value, Mapping):
        return value
    body = {key: _inside(key, item) for key, item in value.items() if item != ""}
    if name == "deal" and not body["kitty"]:
        del body["kitty"]
    if name == "view":
        _view(body)
    return body


def _view(body: dict[str, Json]) -> None:
    """What has no meaning yet is absent from a view."""
    for list_name, needs in (("alone", "trump"), ("out", "trump"), ("trick", "tricks")):
        if needs not in body and not body[list_name]:
            del body[list_name]


def _plain(value: Json) -> dict[str, Json]:
    """A record without what is null, in dictionaries and lists that the library takes."""
    return {key: _bare(item) for key, item in map_of(value, "a record").items() if item is not None}


def _bare(value: Json) -> Json:
    if isinstance(value, Mapping):
        return _plain(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_bare(item) for item in value]
    return value
