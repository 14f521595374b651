"""How figures are written: to so many places, halves to the even digit, a sign where one can be."""

from fractions import Fraction
from typing import Final

PLACES: Final = 3
EXACT_PLACES: Final = 6


def decimal(value: Fraction | float, places: int = PLACES) -> str:
    """The value to so many places; never `-0`.

    >>> decimal(Fraction(-1, 16)), decimal(Fraction(-1, 9999)), decimal(Fraction(5, 2), 0)
    ('-0.062', '0.000', '2')
    """
    scaled = round(Fraction(value) * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{rest:0{places}}" if places else f"{sign}{whole}"


def signed(value: Fraction | float, places: int = PLACES) -> str:
    """The same with a plus sign where it is above nothing.

    >>> signed(Fraction(1, 4)), signed(Fraction(0))
    ('+0.250', '0.000')
    """
    text = decimal(value, places)
    return text if text.startswith("-") or not text.strip("0.") else f"+{text}"


def shortest(value: Fraction) -> str:
    """The value with no more places than it needs, six at the most.

    >>> shortest(Fraction(3, 2)), shortest(Fraction(4)), shortest(Fraction(1, 3))
    ('1.5', '4', '0.333333')
    """
    return decimal(value, EXACT_PLACES).rstrip("0").rstrip(".")


def exact(value: Fraction) -> str:
    """The value as a fraction in lowest terms, which loses nothing.

    >>> exact(Fraction(-3, 6)), exact(Fraction(2))
    ('-1/2', '2')
    """
    return str(value)


def tie_break(word: str, value: Fraction) -> str:
    """The value of a tie-break; a lot is shown as the hex digits of its hash.

    >>> tie_break("wins", Fraction(3)), tie_break("lots", Fraction(255))
    ('3', '0000000000ff')
    """
    return f"{value.numerator:012x}" if word == "lots" else shortest(value)
