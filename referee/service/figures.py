"""The figures of a running referee as plain values, for whoever asked for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.pb.euchre.referee.v1 import status_pb2


@dataclass(frozen=True, slots=True)
class Latency:
    """How long an rpc took in the last minute; for Play from an input to its durable answer."""

    rpc: str
    count: int
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Commits:
    """What the journal was given."""

    count: int
    rows: int
    failures: int
    last_rows: int
    last_ms: float
    last_flush_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How a referee is doing; counts are since its start."""

    version: str
    referee_key: str
    started_at: int
    up_ms: int
    draining: bool
    journal_ok: bool
    open_matches: int
    waiting_matches: int
    resumed_matches: int
    seats_connected: int
    play_streams: int
    watch_streams: int
    actions: Mapping[str, int]
    actions_a_second: float
    refusals: Mapping[str, int]
    faults: Mapping[str, int]
    latencies: tuple[Latency, ...]
    commits: Commits
    loop_lag_ms: float

    @property
    def ready(self) -> bool:
        """Whether matches can be made and played."""
        return self.journal_ok and not self.draining


def figures_of(told: status_pb2.GetStatusResponse) -> Figures:
    """The figures in an answer."""
    commits = told.commits
    return Figures(
        version=told.version,
        referee_key=told.referee_key,
        started_at=told.started_at,
        up_ms=told.up_ms,
        draining=told.draining,
        journal_ok=told.journal_ok,
        open_matches=told.open_matches,
        waiting_matches=told.waiting_matches,
        resumed_matches=told.resumed_matches,
        seats_connected=told.seats_connected,
        play_streams=told.play_streams,
        watch_streams=told.watch_streams,
        actions=dict(told.actions),
        actions_a_second=told.actions_a_second,
        refusals=dict(told.refusals),
        faults=dict(told.faults),
        latencies=tuple(
            Latency(each.rpc, each.count, each.p50_ms, each.p99_ms) for each in told.latencies
        ),
        commits=Commits(
            commits.count,
            commits.rows,
            commits.failures,
            commits.last_rows,
            commits.last_ms,
            commits.last_flush_ms,
        ),
        loop_lag_ms=told.loop_lag_ms,
    )
