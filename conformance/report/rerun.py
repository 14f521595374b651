"""The command that asks one check again."""

import shlex
from collections.abc import Sequence

from conformance.jsontypes import Record


def rerun(target: str, check: str, options: Record) -> str:
    """The command, to be run in the folder that the run was started in."""
    words = ["euchre-conformance", "run", "-t", target, "--check", check]
    folder = options.get("corpus")
    if isinstance(folder, str):
        words += ["--corpus", folder]
    timeout = options.get("timeout")
    if isinstance(timeout, (int, float)) and timeout != options.get("default_timeout"):
        words += ["--timeout", f"{timeout:g}"]
    if options.get("strict_rulings") is True:
        words.append("--strict-rulings")
    return shlex.join(words)


def rerun_failed(target: str, options: Record) -> Sequence[str]:
    """The command that asks again all that failed."""
    command = rerun(target, "", options).replace(" --check ''", "")
    return [f"{command} --last-failed"]
