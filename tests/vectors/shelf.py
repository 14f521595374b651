"""The transcripts that the corpus asks about: some of the shared vectors, each in a file.

`python -m tests.vectors.shelf` writes them; a test holds them equal to the vectors.
"""

from pathlib import Path

from tests.vectors.transcripts import all_cases

SHELF = Path(__file__).parents[2] / "conformance" / "transcripts"
NAMES = (
    "honest",
    "cut",
    "draw-ties",
    "odd-tree",
    "signing",
    "withheld-commit",
    "void",
    "r0",
    "commit-copied",
    "reveal-other",
    "upcard-other",
    "deck-other",
    "hidden-mismatch",
    "move-replayed",
    "deal-skipped",
    "key-none-verifies",
    "key-identity",
    "card-not-held",
    "buried-played",
    "points",
    "replay-winner",
)


def shelf() -> dict[str, bytes]:
    """The bytes of each file."""
    texts = {case.id: case.text for case in all_cases()}
    return {name: texts[name] for name in NAMES}


def main() -> None:
    """Write the files."""
    SHELF.mkdir(exist_ok=True)
    for name, text in shelf().items():
        (SHELF / f"{name}.jsonl").write_bytes(text)


if __name__ == "__main__":
    main()
