"""The shared vectors of the derivation: one claim about the seal's bytes a case, true or false.

`python -m tests.vectors.derivation` writes `derivation-v1.json`; a test holds the file equal to
what is made here. What is true is computed by the plain engine of the suite, which shares no code
with the verifiers; what is false is a true claim with one thing changed, and its verdict is
written down beside the change.
"""

import json
from pathlib import Path

from tests.vectors.claimed_decks import deck_claims, draw_claims, opening_claims, stream_claims
from tests.vectors.claimed_keys import key_claims, message_claims, roster_claims, signature_claims
from tests.vectors.claimed_parts import commit_claims, form_claims, hidden_claims, link_claims
from tests.vectors.claims import Claim

FILE = Path(__file__).with_name("derivation-v1.json")
FORMAT = "euchre-derivation-vectors/1"
NOTE = (
    "Each case is one claim about bytes: op names it, input holds its parts, result says whether it"
    " holds. Bytes are lower-case hex, seats are numbers, null is nothing. exit is the code that"
    " a verifier ends with where the claim fails in a file; party is whom that speaks against."
    " README.md beside this file says what each op claims."
)


def all_claims() -> list[Claim]:
    """Every claim, by what it is about."""
    return [
        *link_claims(),
        *commit_claims(),
        *stream_claims(),
        *deck_claims(),
        *draw_claims(),
        *opening_claims(),
        *hidden_claims(),
        *form_claims(),
        *key_claims(),
        *signature_claims(),
        *message_claims(),
        *roster_claims(),
    ]


def document() -> str:
    """The file's text."""
    cases = [
        {
            "id": claim.id,
            "comment": claim.comment,
            "flags": list(claim.flags),
            "op": claim.op,
            "input": claim.input,
            "result": "valid" if claim.exit == 0 else "invalid",
            "exit": claim.exit,
            "party": claim.party,
        }
        for claim in all_claims()
    ]
    return json.dumps({"format": FORMAT, "note": NOTE, "cases": cases}, indent=1) + "\n"


def main() -> None:
    """Write the file."""
    FILE.write_text(document(), encoding="ascii")


if __name__ == "__main__":
    main()
