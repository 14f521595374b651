"""What an event takes is known before it begins, for every format."""

import pytest

from referee.arena.tournament.outline import outline_of
from referee.arena.tournament.sheetread import parse_sheet


@pytest.mark.parametrize(
    ("form", "rounds", "encounters", "deals"),
    [
        ("round_robin", 7, 28, 28 * 4 * 2),
        ("{kind: round_robin, times: 2}", 14, 56, 56 * 4 * 2),
        ("{kind: gauntlet, challengers: [p1]}", 7, 7, 7 * 4 * 2),
        ("{kind: swiss, rounds: 3}", 3, 12, 12 * 4 * 2),
        ("{kind: progressive, rounds: 5}", 5, 20, 20 * 4 * 2),
        ("{kind: progressive, rounds: 5, size: 4}", 5, 10, 10 * 4 * 6),
        ("individual", 7, 14, 14 * 4 * 6),
        ("{kind: single_elimination, third_place: true}", 3, 8, 8 * 4 * 2),
    ],
)
def test_every_format_says_what_it_takes(
    form: str, rounds: int, encounters: int, deals: int
) -> None:
    names = "".join(f"  - {{name: p{n}, bot: random}}\n" for n in range(8))
    sheet = parse_sheet("c.yaml", f"name: c\nformat: {form}\nboards: 4\nentries:\n{names}".encode())
    outline = outline_of(sheet)
    assert (outline.rounds, outline.encounters, outline.deals) == (rounds, encounters, deals)


def test_where_results_decide_the_outline_is_no_promise() -> None:
    names = "".join(f"  - {{name: p{n}, bot: random}}\n" for n in range(8))
    text = f"name: c\nformat: double_elimination\nboards: 4\nentries:\n{names}"
    outline = outline_of(parse_sheet("c.yaml", text.encode()))
    assert not outline.exact
    assert outline.encounters >= 14
