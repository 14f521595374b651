"""Metrics for Prometheus, and whether the referee is alive and ready, on a port of their own.

The port is served by threads beside the event loop, so that it answers when the loop does not.
"""

import logging
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, ProcessCollector, make_wsgi_app
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from referee.meter import Counted, Measured
from referee.service.addresses import is_loopback
from referee.service.operating import Standing
from referee.service.server import check_address
from referee.service.tls import ListenError

log = logging.getLogger(__name__)
PATIENCE_S: Final = 5.0
"""A request is answered in that time, or its line is cut."""
MOST_REQUESTS: Final = 32
"""Requests at a time; a line beyond that is closed at once."""
Line: TypeAlias = socket.socket | tuple[bytes, socket.socket]
Environ: TypeAlias = dict[str, object]
StartResponse: TypeAlias = Callable[[str, list[tuple[str, str]]], object]
WsgiApp: TypeAlias = Callable[[Environ, StartResponse], Iterable[bytes]]

COUNTERS: Final[tuple[tuple[Counted, str, str, str], ...]] = (
    ("actions", "euchre_actions", "outcome", "Actions that were ruled on, by what came of them."),
    ("refusals", "euchre_refusals", "reason", "Refused actions, by the reason of the ruling."),
    ("misuses", "euchre_misuses", "reason", "Inputs that had no place in their match, by reason."),
    ("faults", "euchre_faults", "kind", "Faults of seats, by kind."),
    ("matches", "euchre_matches", "event", "Matches that opened or ended, by how."),
    ("resumed", "euchre_matches_resumed", "", "Matches taken up from the journal at the start."),
    ("superseded", "euchre_seats_superseded", "", "Seats that another stream has taken."),
    ("slow_readers", "euchre_slow_readers", "", "Streams ended because their reader fell behind."),
    ("commits", "euchre_journal_commits", "", "Commits of the journal."),
    ("appends", "euchre_journal_appends", "outcome", "Decisions for the journal: kept, or lost."),
    ("started", "euchre_rpcs_started", "rpc", "Calls that began, by rpc."),
)
"""What is counted: its name in the tally, its name for Prometheus, its label, and its help."""
HISTOGRAMS: Final[tuple[tuple[Measured, str, str, str], ...]] = (
    (
        "seconds",
        "euchre_rpc_duration_seconds",
        "rpc",
        "From a call to its answer; for Play from an input to its durable answer.",
    ),
    ("commit_rows", "euchre_journal_commit_rows", "", "Rows of one commit of the journal."),
    ("commit_seconds", "euchre_journal_commit_duration_seconds", "", "One commit of the journal."),
    ("flush_seconds", "euchre_journal_flush_duration_seconds", "", "Its write and flush to disk."),
    ("queue_items", "euchre_stream_queue_items", "", "Items that waited when a stream wrote."),
    ("loop_lag_seconds", "euchre_loop_lag_seconds", "", "How late the event loop ran."),
)


class TallyCollector(Collector):
    """The tally as metrics, read when somebody asks."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    def collect(self) -> Iterator[Metric]:
        """Every metric of ours."""
        yield from self._gauges()
        for what, name, label, text in COUNTERS:
            yield self._counter(what, name, label, text)
        yield self._ended()
        for measured, name, label, text in HISTOGRAMS:
            yield self._histogram(measured, name, label, text)

    def _gauges(self) -> Iterator[Metric]:
        now = self._standing.message()
        info = InfoMetricFamily("euchre_referee", "The referee that runs here.")
        info.add_metric((), {"version": now.version, "key": now.referee_key})
        yield info
        for name, text, value in (
            ("euchre_start_time_seconds", "When it started, since 1970.", now.started_at / 1_000),
            ("euchre_draining", "1 while it takes nothing more.", now.draining),
            ("euchre_journal_ok", "1 while appends are recorded.", now.journal_ok),
            ("euchre_matches_open", "Matches that are played.", now.open_matches),
            ("euchre_matches_waiting", "Matches with empty seats.", now.waiting_matches),
            ("euchre_seats_connected", "Seats that a stream holds.", now.seats_connected),
            ("euchre_play_streams", "Open streams of Play.", now.play_streams),
            ("euchre_watchers", "Open streams of Watch.", now.watch_streams),
        ):
            yield GaugeMetricFamily(name, text, value=float(value))

    def _counter(self, what: Counted, name: str, label: str, text: str) -> Metric:
        counts = self._standing.tally.counted(what)
        if not label:
            return CounterMetricFamily(name, text, value=counts.get("", 0))
        family = CounterMetricFamily(name, text, labels=(label,))
        for key, number in sorted(counts.items()):
            family.add_metric((key,), number)
        return family

    def _ended(self) -> Metric:
        labels = ("rpc", "code")
        family = CounterMetricFamily("euchre_rpcs_ended", "Calls that ended.", labels=labels)
        for key, number in sorted(self._standing.tally.counted("ended").items()):
            family.add_metric(key.split(" "), number)
        return family

    def _histogram(self, what: Measured, name: str, label: str, text: str) -> Metric:
        family = HistogramMetricFamily(name, text, labels=(label,) if label else ())
        for key, spread in sorted(self._standing.tally.spreads(what)):
            counts, so_far = list(spread.counts), 0
            buckets: list[tuple[str, float]] = []
            for bound, count in zip((*map(str, spread.bounds), "+Inf"), counts, strict=True):
                so_far += count
                buckets.append((bound, so_far))
            family.add_metric((key,) if label else (), buckets, spread.total)
        return family


class MetricsServer:
    """`/metrics`, `/healthz` (alive: the event loop turns) and `/readyz` (matches can be played).

    Beyond loopback only where `insecure` says so: nothing here is encrypted.
    """

    def __init__(
        self,
        address: str,
        standing: Standing,
        *,
        insecure: bool = False,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.address = ""
        self._wanted = address
        self._insecure = insecure
        self._patience_s = patience_s
        registry = CollectorRegistry()
        registry.register(TallyCollector(standing))
        ProcessCollector(registry=registry)
        self._app = _routes(make_wsgi_app(registry), standing)
        self._server: WSGIServer | None = None

    def start(self) -> None:
        """Listen; `address` then holds the real port. Raises ListenError where that fails."""
        check_address(self._wanted)
        host, _, port = self._wanted.rpartition(":")
        if self._wanted.startswith("unix:"):
            raise ListenError(f"metrics have no Unix socket: {self._wanted!r} (write HOST:PORT)")
        if not self._insecure and not is_loopback(self._wanted):
            raise ListenError(
                f"{self._wanted!r} is not loopback, and metrics would be open to others (put a"
                " proxy before a loopback port, or give --insecure if you know better)"
            )
        try:
            server = make_server(host.strip("[]"), int(port), self._app, _Threads, _Handler)
        except OSError as err:
            raise ListenError(
                f"cannot listen on {self._wanted!r} for metrics: {err.strerror or err}"
                " (use another port, or port 0 for a free one)"
            ) from err
        server.patience_s = self._patience_s
        self._server = server
        self.address = f"{host}:{server.server_port}"
        log.info("metrics_started address=%s", self.address)
        threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()

    def stop(self) -> None:
        """Close the port."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


class _Threads(socketserver.ThreadingMixIn, WSGIServer):
    """A thread a request; none outlives the process, and none keeps a slow client for long."""

    daemon_threads = True
    patience_s = PATIENCE_S

    def server_bind(self) -> None:
        """Bind, and ask no name server who we are."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "localhost", int(self.server_address[1])
        self.setup_environ()
        self._room = threading.BoundedSemaphore(MOST_REQUESTS)

    def process_request(self, request: Line, client_address: object) -> None:
        """Answer in a thread, or hang up on one too many."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._room.release()
            raise

    def process_request_thread(self, request: Line, client_address: object) -> None:
        """Answer, and hang up where that takes too long, however often a byte comes."""
        late = threading.Timer(self.patience_s, _hang_up, (request,))
        late.daemon = True
        late.start()
        try:
            super().process_request_thread(request, client_address)
        finally:
            late.cancel()
            self._room.release()

    def handle_error(self, request: Line, client_address: object) -> None:  # noqa: ARG002 -- the library's
        """A client that hung up is no news; an error of ours is told in the log."""
        err = sys.exception()
        if not isinstance(err, OSError):
            log.error("metrics_failed", exc_info=err)


def _hang_up(request: Line) -> None:
    if isinstance(request, socket.socket):
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's name
        """Say nothing: a probe comes every few seconds."""


def _routes(metrics: WsgiApp, standing: Standing) -> WsgiApp:
    def app(environ: Environ, start: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD"}:
            return _say(start, "405 Method Not Allowed", "only GET and HEAD")
        match environ["PATH_INFO"]:
            case "/metrics":
                return metrics(environ, start)
            case "/healthz" if standing.pulse.alive:
                return _say(start, "200 OK", "alive")
            case "/healthz":
                return _say(start, "503 Service Unavailable", "the event loop does not turn")
            case "/readyz":
                why = standing.unready or ("" if standing.pulse.alive else "not alive")
                return _say(start, "503 Service Unavailable" if why else "200 OK", why or "ready")
            case _:
                return _say(start, "404 Not Found", "there are /metrics, /healthz and /readyz")

    return app


def _say(start: StartResponse, status: str, text: str) -> Iterable[bytes]:
    body = f"{text}\n".encode("ascii")
    head = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
    start(status, head)
    return [body]
