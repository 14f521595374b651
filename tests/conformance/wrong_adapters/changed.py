"""The Python adapter with a change in it, run in place of the right one."""

from pathlib import Path

ADAPTER = (
    Path(__file__).parents[3] / "conformance" / "targets" / "adapters" / "python" / "adapter.py"
)


def changed(was: str, becomes: str) -> str:
    """The adapter's text with one piece exchanged, which must stand in it exactly once."""
    source = ADAPTER.read_text(encoding="utf-8")
    if source.count(was) != 1:
        raise SystemExit(f"{source.count(was)} times, not once, in {ADAPTER.name}: {was!r}")
    return source.replace(was, becomes)


def run(was: str, becomes: str) -> None:
    """Be the changed adapter."""
    program = compile(changed(was, becomes), f"wrong {ADAPTER.name}", "exec")
    exec(program, {"__name__": "__main__"})  # noqa: S102 -- our own program with a piece exchanged
