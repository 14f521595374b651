"""`python -m conformance.fingerprint`: choose the cases that a fingerprint asks, and write them."""

from pathlib import Path

from conformance.corpus import load
from conformance.fingerprint.asking import CHOSEN
from conformance.fingerprint.choose import chosen


def main() -> None:
    """Write the list beside this module."""
    names = chosen(load())
    text = "".join(name + "\n" for name in names)
    (Path(__file__).parent / CHOSEN).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
