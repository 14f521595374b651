"""How the pages write a figure."""

from fractions import Fraction

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def decimal(value: Fraction, places: int = 3) -> str:
    """So many places, half to even, and no sign before nothing."""
    units = round(value * 10**places)
    digits = str(abs(units)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if units < 0 else text


def signed(value: Fraction, places: int = 3) -> str:
    """With a plus sign above nothing."""
    text = decimal(value, places)
    return f"+{text}" if round(value * 10**places) > 0 else text


def shortest(value: Fraction) -> str:
    """As few places as it needs, at most six."""
    text = decimal(value, 6)
    while text.endswith("0"):
        text = text[:-1]
    return text.removesuffix(".")


def card(text: str) -> str:
    """A card with the sign of its suit."""
    if text[1:] in SUITS:
        return text[0] + SUITS[text[1:]]
    return text


def cards(texts: list[str]) -> str:
    """Cards side by side."""
    return " ".join(card(text) for text in texts)
