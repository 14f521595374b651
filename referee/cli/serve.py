"""`euchre-referee serve`: the referee behind a port."""

import asyncio
import gc
import logging
import resource
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from referee.cli.files import check_writable, make_directory, move, write_bytes
from referee.cli.journals import open_journal
from referee.cli.logs import FORMATS, LEVELS, LogFormat, log_to_stderr
from referee.cli.operators import operators_of
from referee.cli.quotas import QUOTAS_HELP, quotas_of
from referee.host.clock import LoopClock
from referee.host.home import load_key, state_dir
from referee.host.referee import Referee
from referee.meter import Tally
from referee.service.limits import MOST_CONNECTIONS
from referee.service.metrics import MetricsServer
from referee.service.server import Listen, Server

log = logging.getLogger(__name__)
OTHER_FILES: Final = 256
"""Files that are open beside the connections: the journal, pipes, the metrics' own."""
PLAIN_TEXT = (
    "--insecure: tokens travel in plain text, and whoever reads them on their way can play for the"
    " seats and speak for the operators (give --tls-cert and --tls-key)"
)


@click.command()
@click.option(
    "--listen", default="127.0.0.1:8377", show_default=True, help="HOST:PORT; port 0 is a free one."
)
@click.option("--db", type=click.Path(path_type=Path), help="The journal (SQLite).")
@click.option("--key", type=click.Path(path_type=Path), help="The referee's private key (PEM).")
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate chain (PEM).")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its private key (PEM).")
@click.option("--client-ca", type=click.Path(path_type=Path), help="Ask clients for a certificate.")
@click.option("--insecure", is_flag=True, help="Allow plain text beyond this machine.")
@click.option(
    "--operator-token-file",
    type=click.Path(path_type=Path),
    help="Lines of NAME TOKEN, one an operator; mode 0600.",
)
@click.option("--quota", multiple=True, metavar="NAME=N", help=QUOTAS_HELP)
@click.option("--address-file", type=click.Path(path_type=Path), help="Write the address here.")
@click.option("--metrics", help="HOST:PORT for /metrics, /healthz and /readyz; off unless given.")
@click.option(
    "--log-level", type=click.Choice(LEVELS), default="info", show_default=True, help="To stderr."
)
@click.option("--log-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--verbose", is_flag=True, help="The same as --log-level debug.")
def serve(  # noqa: PLR0917 -- click hands every option over by itself
    listen: str,
    db: Path | None,
    key: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    client_ca: Path | None,
    insecure: bool,  # noqa: FBT001 -- click's
    operator_token_file: Path | None,
    quota: Sequence[str],
    address_file: Path | None,
    metrics: str | None,
    log_level: str,
    log_format: LogFormat,
    verbose: bool,  # noqa: FBT001 -- click's
) -> None:
    """Serve until SIGTERM or Ctrl-C; open matches go on at the next start.

    Operators' tokens are read from --operator-token-file and EUCHRE_OPERATOR_TOKEN; on loopback
    they may be left out, and then whoever is on this machine is an operator.
    """
    log_to_stderr(level="debug" if verbose else log_level, form=log_format)
    where = Listen(
        address=listen,
        cert=tls_cert,
        key=tls_key,
        client_ca=client_ca,
        insecure=insecure,
        operators=operators_of(operator_token_file),
        quotas=quotas_of(quota),
    )
    allow_files(MOST_CONNECTIONS + OTHER_FILES)
    journal = db or state_dir() / "journal.db"
    make_directory(journal.parent)
    if address_file is not None:
        check_writable(address_file)
    key = key or state_dir() / "referee.pem"
    asyncio.run(_serve(where, journal, key, address_file, metrics))


def allow_files(wanted: int) -> None:
    """Let this process have as many files and connections open as it takes, if the system does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        log.warning("few_files most=%s wanted=%s", most, wanted)


@contextmanager
def announcing(file: Path | None) -> Iterator[Callable[[str], None]]:
    """What writes the address where a script looks for it, whole or not at all.

    That it can be written is seen before anybody is served.
    """
    if file is None:
        yield lambda _address: None
        return
    part = file.with_name(file.name + ".part")
    write_bytes(part, b"")

    def announce(address: str) -> None:
        write_bytes(part, f"{address}\n".encode("ascii"))
        move(part, file)

    try:
        yield announce
    finally:
        part.unlink(missing_ok=True)


async def _serve(
    listen: Listen, db: Path, key: Path, address_file: Path | None, metrics: str | None
) -> None:
    tally = Tally()
    store = open_journal(db, meter=tally)
    try:
        referee = Referee(
            store=store,
            key=load_key(key, secrets.token_bytes),
            clock=LoopClock(),
            chance=secrets.token_bytes,
            meter=tally,
        )
        server = Server(referee, listen, tally)
        with (
            announcing(address_file) as announce,
            measured(metrics, server, insecure=listen.insecure) as told,
        ):
            await _serve_matches(referee, server, db, announce, told)
    finally:
        store.close()


@contextmanager
def measured(address: str | None, server: Server, *, insecure: bool) -> Iterator[str]:
    """Serve metrics as long as the server is there, where an address is given; a line of where."""
    if address is None:
        yield ""
        return
    metrics = MetricsServer(address, server.standing, insecure=insecure)
    metrics.start()
    try:
        yield f"metrics on http://{metrics.address}/metrics"
    finally:
        metrics.stop()


def rest_the_collector() -> None:
    """Let Python look for cycles more rarely: a referee makes many values, and few cycles.

    As it is set otherwise it walks all that the open matches hold every few hundred decisions.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def _serve_matches(
    referee: Referee, server: Server, db: Path, announce: Callable[[str], None], metrics: str
) -> None:
    resumed = referee.matches.let_in()
    rest_the_collector()
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):  # before anybody can know that we are there
        loop.add_signal_handler(number, stopping.set)
    try:
        await server.start()
        announce(server.address)
        if server.in_plain_text:
            click.echo(PLAIN_TEXT, err=True)
        click.echo(f"listening on {server.address}, journal {db}, {resumed} matches resumed")
        click.echo(f"key {referee.key.public.text}")
        if metrics:
            click.echo(metrics)
        taking_up = asyncio.create_task(referee.matches.take_up())
        await stopping.wait()
        taking_up.cancel()
        click.echo("draining")
    finally:
        await server.stop()
        referee.close()
