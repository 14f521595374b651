"""The field: names, withdrawals, substitutes, forbidden pairs, the rule for byes."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from referee.arena.formats.entrants import Entrants, Substitution, Withdrawal, bye_rule
from referee.arena.formats.errors import FormatError

NAMES = ("ann", "bob", "cat")


def test_a_withdrawn_entry_is_there_up_to_the_round_before() -> None:
    field = Entrants(names=NAMES, withdrawals=(Withdrawal("bob", 3),))
    assert [field.holder(1, number) for number in (1, 2, 3, 4)] == ["bob", "bob", None, None]
    assert field.last_holder(1, 4) == "bob"


def test_a_substitute_may_be_replaced_and_withdraw() -> None:
    field = Entrants(
        names=NAMES,
        substitutions=(Substitution("eve", "dan", 4), Substitution("dan", "bob", 2)),
        withdrawals=(Withdrawal("eve", 5),),
    )
    assert [field.holder(1, number) for number in (1, 2, 3, 4, 5)] == [
        "bob",
        "dan",
        "dan",
        "eve",
        None,
    ]
    assert field.former(1, 5) == ("bob", "dan")


def test_a_substitute_may_come_for_one_who_has_withdrawn() -> None:
    field = Entrants(
        names=NAMES,
        withdrawals=(Withdrawal("bob", 2),),
        substitutions=(Substitution("dan", "bob", 4),),
    )
    assert [field.holder(1, number) for number in (1, 2, 3, 4)] == ["bob", None, None, "dan"]


def test_a_substitute_inherits_the_pairs_that_may_not_meet() -> None:
    field = Entrants(
        names=NAMES, forbidden=(("bob", "ann"),), substitutions=(Substitution("dan", "bob", 2),)
    )
    assert not field.may_meet(field.place("dan"), field.place("ann"))
    assert field.may_meet(field.place("dan"), field.place("cat"))


@pytest.mark.parametrize(
    ("text", "entered"),
    [
        ("nobody is entered", lambda: Entrants(names=())),
        ("no name", lambda: Entrants(names=("ann", ""))),
        ("two entries are named 'ann'", lambda: Entrants(names=("ann", "bob", "ann"))),
        (
            "two entries are named 'cat'",
            lambda: Entrants(names=NAMES, substitutions=(Substitution("cat", "bob", 2),)),
        ),
        (
            "'zoe' is to leave before round 2 and is not entered",
            lambda: Entrants(names=NAMES, withdrawals=(Withdrawal("zoe", 2),)),
        ),
        (
            "has left before",
            lambda: Entrants(names=NAMES, withdrawals=(Withdrawal("bob", 2), Withdrawal("bob", 3))),
        ),
        (
            "has left before",
            lambda: Entrants(
                names=NAMES,
                substitutions=(Substitution("dan", "bob", 2), Substitution("eve", "bob", 3)),
            ),
        ),
        (
            "rounds count from 1",
            lambda: Entrants(names=NAMES, withdrawals=(Withdrawal("bob", 0),)),
        ),
        ("no such entry: 'zoe'", lambda: Entrants(names=NAMES, forbidden=(("ann", "zoe"),))),
        ("a pair names two entries", lambda: Entrants(names=NAMES, forbidden=(("ann", "ann"),))),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, entered: Callable[[], Entrants]) -> None:
    with pytest.raises(FormatError, match=text):
        entered()


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("none", None),
        ("zero", Fraction(0)),
        ("half", Fraction(1, 2)),
        ("full", Fraction(1)),
        ("0.25", Fraction(1, 4)),
        ("2/3", Fraction(2, 3)),
    ],
)
def test_a_bye_is_worth_what_the_rule_says(text: str, worth: Fraction | None) -> None:
    assert bye_rule(text).worth == worth


@pytest.mark.parametrize(
    "text", ["", "two", "3/2", "-1", "1/0", "1e999999999", "nan", "²", "half "]
)
def test_a_rule_for_byes_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="not a rule for byes"):
        bye_rule(text)
