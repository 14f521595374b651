"""The shared vectors of whole files: what each is, how it is made, and what a verifier must say.

`python -m tests.vectors.transcripts` writes `transcripts-v1.json`; a test holds the file equal to
what is made here. Every key and seed is fixed, so that the bytes are the same each time.
"""

import json
from pathlib import Path

from tests.vectors.attempts import attempt_cases
from tests.vectors.dealt import dealt_cases
from tests.vectors.endings import ending_cases
from tests.vectors.files import file_cases, form_cases, key_cases, two_faced_cases
from tests.vectors.further import further_cases
from tests.vectors.honest import HONEST, Case, valid_cases
from tests.vectors.signed import cut_and_sign_cases, replayed_cases, resigned_cases
from tests.vectors.witnesses import receipt_cases, roster_cases, strict_cases

FILE = Path(__file__).with_name("transcripts-v1.json")
FORMAT = "euchre-transcript-vectors/1"
NOTE = (
    "Each case is one file, of bytes that are code points below 256. Every item of input is a line"
    " that a line feed follows: a string is the line, a number is that line of the case named base."
    " tail follows the last line feed. exit and party are what a verifier says; one that does not"
    " replay the rules says 0 where the flag rules stands. referee_key is pinned where it is given;"
    " receipts are the lines of what each seat kept, roster the lines of a roster."
)


def all_cases() -> list[Case]:
    """Every case, valid ones first."""
    return [
        *valid_cases(),
        *resigned_cases(),
        *cut_and_sign_cases(),
        *replayed_cases(),
        *file_cases(),
        *key_cases(),
        *form_cases(),
        *two_faced_cases(),
        *further_cases(),
        *ending_cases(),
        *attempt_cases(),
        *receipt_cases(),
        *dealt_cases(),
        *roster_cases(),
        *strict_cases(),
    ]


def packed(case: Case, base: dict[str, int]) -> dict[str, object]:
    """A case as the file holds it: lines of the honest file by number."""
    text = case.text.decode("latin-1")
    *whole, tail = text.split("\n")
    entry: dict[str, object] = {
        "id": case.id,
        "comment": case.comment,
        "flags": list(case.flags),
        "base": "honest",
        "input": [base.get(line, line) if case.id != "honest" else line for line in whole],
        "tail": tail,
        "result": "valid" if case.exit == 0 else "invalid",
        "exit": case.exit,
        "party": case.party,
    }
    if case.pinned is not None:
        entry["referee_key"] = case.pinned
    if case.strict:
        entry["strict"] = True
    if case.receipts:
        entry["receipts"] = [[line.decode() for line in file] for file in case.receipts]
    if case.roster:
        entry["roster"] = [line.decode() for line in case.roster]
    return entry


def document() -> str:
    """The file's text."""
    base = {line.decode()[:-1]: i for i, line in enumerate(HONEST.lines)}
    cases = [packed(case, base) for case in all_cases()]
    value = {"format": FORMAT, "note": NOTE, "cases": cases}
    return json.dumps(value, indent=1) + "\n"


def main() -> None:
    """Write the file."""
    FILE.write_text(document(), encoding="ascii")


if __name__ == "__main__":
    main()
