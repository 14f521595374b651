"""How a command reaches a referee that is running: address, certificates, the operator's token."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Concatenate, Final, ParamSpec

import click

from referee.cli.operators import operator_token
from referee.service.addresses import has_port
from referee.service.client import Client, Wire

P = ParamSpec("P")
Command = Callable[P, None]
KEPT: Final = "referee.cli.reach"


def _keep(ctx: click.Context, param: click.Parameter, value: Path | str | bool) -> None:  # noqa: FBT001 -- click's
    ctx.meta[f"{KEPT}.{param.name}"] = value


def _keep_place(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if not has_port(value):
        raise click.BadParameter(
            f"{value!r} names no port (give HOST:PORT, as 127.0.0.1:8377 or [::1]:8377,"
            " or unix:PATH)",
            ctx=ctx,
            param=param,
        )
    _keep(ctx, param, value)


def _option(name: str, text: str) -> Callable[[Command[P]], Command[P]]:
    """An option that names a file."""
    kind = click.Path(path_type=Path)
    return click.option(name, type=kind, help=text, expose_value=False, callback=_keep)


_OPTIONS: Final = (
    click.option(
        "--referee",
        default="127.0.0.1:8377",
        show_default=True,
        help="HOST:PORT or unix:PATH; another machine is reached over TLS.",
        expose_value=False,
        callback=_keep_place,
    ),
    _option("--ca", "Whose certificate to trust (PEM); the usual authorities without it."),
    _option("--cert", "Our own certificate, where the referee asks for one (PEM)."),
    _option("--cert-key", "Its private key (PEM)."),
    click.option(
        "--insecure",
        is_flag=True,
        help="Send tokens in plain text to another machine.",
        expose_value=False,
        callback=_keep,
    ),
)
_TOKEN: Final = _option(
    "--operator-token-file", "The operator's token, mode 0600; or set EUCHRE_OPERATOR_TOKEN."
)


def _kept(name: str) -> Path | None:
    found = click.get_current_context().meta.get(f"{KEPT}.{name}")
    return found if isinstance(found, Path) else None


def _client(token: str) -> Client:
    meta = click.get_current_context().meta
    wire = Wire(
        ca=_kept("ca"),
        cert=_kept("cert"),
        cert_key=_kept("cert_key"),
        insecure=bool(meta[f"{KEPT}.insecure"]),
    )
    return Client(str(meta[f"{KEPT}.referee"]), wire=wire, operator_token=token)


def reaching(run: Callable[Concatenate[Client, P], None]) -> Callable[P, None]:
    """A command whose first argument is a connection to the referee that its options name."""

    @wraps(run)
    def given(*args: P.args, **kwargs: P.kwargs) -> None:
        run(_client(""), *args, **kwargs)

    return _with(given, _OPTIONS)


def operating(run: Callable[Concatenate[Client, P], None]) -> Callable[P, None]:
    """As `reaching`, with the operator's token."""

    @wraps(run)
    def given(*args: P.args, **kwargs: P.kwargs) -> None:
        run(_client(operator_token(_kept("operator_token_file"))), *args, **kwargs)

    return _with(_TOKEN(given), _OPTIONS)


def _with(
    command: Callable[P, None],
    options: tuple[Callable[[Callable[P, None]], Callable[P, None]], ...],
) -> Callable[P, None]:
    for option in reversed(options):
        command = option(command)
    return command
