"""A seat taken with an invitation: once, with a file that a second start finds."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest

from euchre_bot.errors import BotError, RefereeLostError, UsageError
from euchre_bot.joining import take_seat
from euchre_bot.options import argument_parser
from euchre_bot.pb.euchre.referee.v1 import lobby_pb2

CODE = "7KQM-2D9X-RT4W"


@dataclass
class FakeLobby:
    """A lobby that says what the test tells it to, and then gives a token."""

    says: list[grpc.StatusCode] = field(default_factory=list)
    asked: list[lobby_pb2.JoinMatchRequest] = field(default_factory=list)

    def join(
        self, request: lobby_pb2.JoinMatchRequest, context: grpc.ServicerContext
    ) -> lobby_pb2.JoinMatchResponse:
        self.asked.append(request)
        if self.says:
            context.abort(self.says.pop(0), "so it is")
        return lobby_pb2.JoinMatchResponse(token=f"token-of-{request.request_id.hex()[:4]}")

    @contextmanager
    def serving(self) -> Iterator[str]:
        server = grpc.server(ThreadPoolExecutor(2))
        handler = grpc.unary_unary_rpc_method_handler(
            self.join,
            request_deserializer=lobby_pb2.JoinMatchRequest.FromString,
            response_serializer=lobby_pb2.JoinMatchResponse.SerializeToString,
        )
        rpcs = {"JoinMatch": handler}
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("euchre.referee.v1.LobbyService", rpcs),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.stop(None)


def taking(address: str, *words: str) -> Callable[[], None]:
    flags = argument_parser("bot", "a bot").parse_args(["--referee", address, *words])
    return lambda: take_seat(flags)


def join(address: str, file: Path) -> None:
    taking(address, "--invitation", CODE, "--token-file", str(file))()


def test_the_token_is_kept_in_a_file_of_ours_and_nothing_beside_it(tmp_path: Path) -> None:
    lobby = FakeLobby()
    with lobby.serving() as address:
        join(address, tmp_path / "t")
    (asked,) = lobby.asked
    assert asked.code == CODE
    assert (tmp_path / "t").read_text() == f"token-of-{asked.request_id.hex()[:4]}\n"
    assert (tmp_path / "t").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["t"]


def test_a_second_start_goes_on_with_the_token_and_asks_nobody(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("mine\n")
    join("127.0.0.1:1", tmp_path / "t")
    assert (tmp_path / "t").read_text() == "mine\n"


def test_without_an_invitation_nobody_is_asked() -> None:
    taking("127.0.0.1:1")()


def test_a_lost_answer_is_asked_for_again_with_the_same_request(tmp_path: Path) -> None:
    lobby = FakeLobby([grpc.StatusCode.UNAVAILABLE])
    with lobby.serving() as address:
        join(address, tmp_path / "t")
    first, second = lobby.asked
    assert first == second
    assert len(first.request_id) == 16


def test_a_start_after_a_stop_asks_with_the_request_of_before(tmp_path: Path) -> None:
    lobby = FakeLobby([grpc.StatusCode.RESOURCE_EXHAUSTED])
    with lobby.serving() as address:
        with pytest.raises(RefereeLostError, match="so it is"):
            join(address, tmp_path / "t")
        assert [path.name for path in tmp_path.iterdir()] == ["t.request"]
        join(address, tmp_path / "t")
    assert lobby.asked[0] == lobby.asked[1]
    assert [path.name for path in tmp_path.iterdir()] == ["t"]


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
    ],
)
def test_a_code_that_gives_no_seat_is_one_sentence(tmp_path: Path, code: grpc.StatusCode) -> None:
    with FakeLobby([code]).serving() as address, pytest.raises(UsageError, match="gives no seat"):
        join(address, tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--invitation", CODE), "needs --token-file"),
        (("--invitation", CODE, "--token-file", "none/t"), "cannot write"),
        (("--invitation", CODE, "--token-file", "t", "--ca", "none"), "cannot read the authority"),
        (("--invitation", CODE, "--token-file", "t", "--cert", "c"), "go together"),
        (("--invitation", CODE, "--token-file", "torn"), "remove it"),
    ],
)
def test_flags_that_make_no_sense_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torn.request").write_text("not hex\n")
    with pytest.raises(BotError, match=text):
        taking("127.0.0.1:1", *words)()
