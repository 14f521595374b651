"""One page for the table: a rule set in plain words."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from referee.cli.book import Book, BookRuleSet

WIDTH: Final = 92
THE_PLAY: Final = "The play"
POINTS: Final = "Points"
SECTIONS: Final = (
    ("The pack and the first dealer", ("pack", "first_dealer", "target", "deals")),
    ("The deal", ("cut", "packets")),
    (
        "Hands that may be changed",
        ("farmers_hand", "going_under", "ace_no_face", "no_ace_no_face_no_trump"),
    ),
    (
        "Making trump",
        (
            *("trump_making", "all_pass", "throw_in_dealer", "order_needs_trump"),
            *("order_needs_trump_scope", "partner_order", "upcard", "bury_upcard"),
            *("sitting_out_dealer", "best_bower_turned", "no_trump"),
        ),
    ),
    (
        "Going alone",
        (
            *("alone_who", "alone_when", "defend_alone", "defend_alone_poll", "loner_limit"),
            *("partners_best",),
        ),
    ),
    (THE_PLAY, ("loner_lead", "both_alone_lead", "enforcement")),
    (
        POINTS,
        (
            *("points_made", "points_march", "points_lone_march", "points_euchre"),
            *("points_euchre_all_five", "points_lone_euchred", "points_lone_defender"),
            *("renege_points", "renege_vs_lone_maker", "renege_by_lone_side"),
            *("renege_false_claim",),
        ),
    ),
)
BEST_BOWER: Final = {
    "E25": "The two of spades is the best bower, the highest trump whatever suit is trump.",
    "E25J": "The joker is the best bower, the highest trump whatever suit is trump.",
    "E33J": "The joker is the best bower, the highest trump whatever suit is trump.",
}
AFTER_THE_BOWERS: Final = {"E28": ", eight", "E32": ", eight, seven", "E33J": ", eight, seven"}


def page(book: Book, name: str, *, markdown: bool) -> str:
    """The page as text."""
    return "\n".join(_lines(book, book.ruleset(name), markdown=markdown)) + "\n"


def _lines(book: Book, chosen: BookRuleSet, *, markdown: bool) -> Iterator[str]:
    title = f"Euchre: {chosen.name}"
    yield f"# {title}" if markdown else title
    yield from wrap(chosen.text, WIDTH)
    yield from wrap(f"After: {'; '.join(chosen.sources)}.", WIDTH)
    for heading, knobs in SECTIONS:
        sentences = [
            *(_ranking(chosen.knobs["pack"]) if heading == THE_PLAY else ()),
            *((_scorers(chosen.knobs["trump_making"]),) if heading == POINTS else ()),
            *(text for knob in knobs if (text := _sentence(book, chosen, knob))),
        ]
        if sentences:
            yield ""
            yield f"## {heading}" if markdown else heading
        for text in sentences:
            first, *rest = wrap(text, WIDTH - 2)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)


def _ranking(pack: str) -> Iterator[str]:
    """Which card beats which with a pack, and how a trick goes."""
    best = BEST_BOWER.get(pack)
    if best:
        yield best
    place = "next below it" if best else "the highest trump"
    yield f"The jack of trump is the right bower, {place}."
    yield "The other jack of its color is the left bower, next, and a trump in every way."
    low = AFTER_THE_BOWERS.get(pack, "")
    yield f"Then ace, king, queen, ten, nine{low}; in a plain suit the jack stands below the queen."
    yield "Follow the suit that was led if you can; else play anything."
    yield "The highest trump wins the trick, else the highest of the suit led; the winner leads."


def _scorers(trump_making: str) -> str:
    """Who scores for tricks."""
    if trump_making == "turned_suit":
        return "Whichever side takes three tricks or more scores for them."
    return "The side that made trump scores for three tricks or more; with fewer it is euchred."


def _sentence(book: Book, chosen: BookRuleSet, knob: str) -> str:
    """What a knob means here; nothing where it cannot matter under these rules."""
    values = chosen.knobs
    nobody_makes = values["trump_making"] == "turned_suit"
    silent = {
        "all_pass": values["trump_making"] != "two_rounds",
        "target": values["deals"] != "none",
        "points_euchre": nobody_makes,
        "points_euchre_all_five": nobody_makes
        or values["points_euchre_all_five"] == values["points_euchre"],
        "points_lone_euchred": nobody_makes
        or values["points_lone_euchred"] == values["points_euchre"],
        "points_lone_defender": values["defend_alone"] == "never",
        "best_bower_turned": values["pack"] not in ("E25", "E25J", "E33J"),
        "order_needs_trump_scope": values["order_needs_trump"] == "never",
    }
    if silent.get(knob, False) or (knob.startswith("renege") and values["enforcement"] != "table"):
        return ""
    return book.knobs[knob].of(values[knob])
