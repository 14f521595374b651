"""`serve`: any target as the service euchre.conformance.v1."""

import signal
from threading import Event
from types import FrameType

import click

from conformance.cli.options import timeout_option
from conformance.corpus import load
from conformance.runner import greeting
from conformance.targets import open_target


@click.command("serve")
@click.option("-t", "--target", "spec", required=True, help="What to serve.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 picks one."
)
@timeout_option(60.0)
def serve(*, spec: str, port: int, timeout: float) -> None:
    """Serve TARGET on loopback, until SIGINT or SIGTERM: a peer for `run -t grpc://HOST:PORT`.

    The first line printed is the address. Each stream has an instance of the target of its own.

    Exit: 0 ended, 2 usage, 4 the target did not start.
    """
    from conformance.serving import Served  # noqa: PLC0415 -- grpc takes long to load

    ended = Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    corpus = load()
    target = open_target(spec, corpus.rulesets)
    try:
        hello = target.hello(greeting(corpus))
    finally:
        target.close()
    served = Served(lambda: open_target(spec, corpus.rulesets, case_seconds=timeout), port=port)
    click.echo(served.address)
    click.echo(f"serving {spec} ({hello.name}); Ctrl-C ends it", err=True)
    ended.wait()
    served.stop()
