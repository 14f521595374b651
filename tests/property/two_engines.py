"""A million random deals in both engines: `python -m tests.property.two_engines`.

A chunk is a thousand deals, and its number is its seed: half of them under the named rule sets in
turn, half under random knobs that have a meaning together.
A run can be cut into ranges (`--first`), and one that was interrupted goes on where it stopped
(`--done FILE` keeps the numbers of the chunks that agreed).
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from time import monotonic

from conformance.knobs import RuleSets
from tests.property.both import play_both, random_rules, repeatable, rulesets

CHUNK = 1_000


@cache
def known() -> RuleSets:
    """The named rule sets and the knobs."""
    return rulesets()


def rules_of_deal(chunk: int, number: int) -> Mapping[str, str]:
    """The rules of one deal of a chunk."""
    names = list(known().maps)
    if number % 2:
        return random_rules(known(), repeatable(f"rules {chunk} {number}"))
    return known().maps[names[number // 2 % len(names)]]


def play_chunk(chunk: int) -> int:
    """Play a chunk; a difference between the engines is an AssertionError that shows the deal."""
    chance = repeatable(f"two engines, chunk {chunk}")
    for number in range(CHUNK):
        play_both(rules_of_deal(chunk, number), chance)
    return chunk


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the chunks that are not done yet, on several processes, with a line of progress."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first chunk")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--done", type=Path, help="a file of the chunks that agreed")
    chosen = parser.parse_args(arguments)
    done = set[int]()
    if chosen.done is not None and chosen.done.exists():
        done = {int(line) for line in chosen.done.read_text(encoding="ascii").split()}
    wanted = range(chosen.first, chosen.first + chosen.deals // CHUNK)
    todo = [chunk for chunk in wanted if chunk not in done]
    start = monotonic()
    with Pool(chosen.jobs) as pool:
        for count, chunk in enumerate(pool.imap_unordered(play_chunk, todo), start=1):
            if chosen.done is not None:
                with chosen.done.open("a", encoding="ascii") as out:
                    out.write(f"{chunk}\n")
            seconds = monotonic() - start
            rate = count * CHUNK / seconds
            left = (len(todo) - count) * CHUNK / rate
            text = f"{count * CHUNK} of {len(todo) * CHUNK} deals, {rate:.0f}/s, {left:.0f} s left"
            sys.stderr.write(f"\r{text}   ")
            sys.stderr.flush()
    sys.stderr.write("\n")
    sys.stdout.write(f"{len(wanted) * CHUNK} deals, no difference between the engines\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
