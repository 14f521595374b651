"""Records with one thing taken out of them: no fall, and nobody accused by a guess.

What is lawful stays lawful when less of it is known, so every accusation here would be a guess.
"""

from random import Random

import pytest

from referee.errors import RefereeError
from referee.records import WRITERS, judge, read_record
from tests.records.support import F1, F2, F3, F4, F5, both_alone

LAWFUL = (F1, F2, F3, F4, F5, both_alone(3), both_alone(0))
BOOKKEEPING = {"trick.count", "alone.trick-size", "round-one.order"}
"""Rules that speak of what is missing from the record itself."""
ROUNDS = 8


def holed(text: str, choose: Random) -> str:
    """The record with one to three cards unknown, calls unheard, or lines left out."""
    lines = text.splitlines()
    for _ in range(choose.randrange(1, 4)):
        place = choose.randrange(len(lines))
        words = lines[place].split(" ")
        match words[0]:
            case "hand" | "trick" if choose.random() < 0.6:
                cards = [n for n, word in enumerate(words) if len(word) == 2]
                words[choose.choice(cards or [0])] = "X"
                lines[place] = " ".join(words)
            case "calls" if choose.random() < 0.6:
                heard = [n for n, word in enumerate(words) if word == "pass"]
                words[choose.choice(heard or [0])] = "?"
                lines[place] = " ".join(words)
            case "deal":
                gone = choose.choice([" up ", " dealer "])
                before, mark, after = lines[place].partition(gone)
                lines[place] = (
                    before + after[after.find(" ") :] if " " in after and mark else before
                )
            case "rules" | "score" | "trick":
                pass
            case _:
                del lines[place]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("text", LAWFUL)
def test_less_that_is_known_of_a_lawful_deal_accuses_nobody(text: str) -> None:
    choose = Random(3)  # noqa: S311 -- a test repeats itself
    for _ in range(2 * ROUNDS):
        changed = holed(text, choose)
        (deal,) = judge(read_record(changed.encode())).deals
        accused = [item for item in deal.irregularities if item.rule not in BOOKKEEPING]
        assert accused == [], f"{changed}\n{[item.what for item in accused]}"


@pytest.mark.parametrize("text", LAWFUL)
def test_what_is_written_of_a_record_with_a_hole_is_judged_as_the_record_is(text: str) -> None:
    choose = Random(7)  # noqa: S311 -- a test repeats itself
    for _ in range(ROUNDS):
        record = read_record(holed(text, choose).encode())
        (first,) = judge(record).deals
        for name in WRITERS:
            try:
                written = WRITERS[name](record).text
            except RefereeError:
                continue
            (again,) = judge(read_record(written.encode()), rules=record.rules).deals
            assert (again.trump, again.maker, again.alone) == (
                first.trump,
                first.maker,
                first.alone,
            ), written
            assert len(again.irregularities) == len(first.irregularities), written
