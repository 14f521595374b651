"""How many deals' seals one core checks in a second, and what a whole match costs.

Time is that of the processor, and the best of many short rounds counts, since both figures are said
of one core: other work on the machine takes caches away, and is no part of the cost.
Two figures: seal checks a second (four commitments, the commit set, the deck, its leaves and root,
recomputed and compared), and the time of verifying match files over that of their signatures alone.
The files are several, of other decks each, so that nothing is remembered from one to the next.
Their seats do not sign, which makes the ratio the highest there is: a seat's signature costs more
than all the rest of its line.
"""

import sys
from io import BytesIO
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.harness import Goal, interleave, ratio, report
from referee.cli.verify import quiet_collector
from referee.journal.verify import verify_stream
from referee.sealing import commit_set, parse_key, sealed_deck, seat_commit, split_line
from referee.sealing.canonical import parse
from referee.sealing.chain import link_below
from referee.sealing.messages import referee_bytes
from referee.sealing.transcript import ZERO_HEAD, event_hash
from tests.journal.support import random_match
from tests.sealing.support import MATCH, secret

CHECKS = 200
ROUNDS = 60


def seals() -> list[tuple[int, bytes, bytes, list[bytes], list[bytes], bytes]]:
    """What a verifier holds of each deal: number, r, R_d, seeds, commitments, root."""
    kept = []
    for deal in range(1, 101):
        r = secret("r", deal)
        below = link_below(MATCH, deal + 1, r)
        seeds = [secret("seed", deal, i) for i in range(4)]
        commits = [seat_commit(MATCH, deal, i, seed, None) for i, seed in enumerate(seeds)]
        cset = commit_set(MATCH, deal, "E24", below, commits)
        deck = sealed_deck(MATCH, deal, "E24", r=r, cset=cset, seeds=seeds, cut=None)
        kept.append((deal, r, below, seeds, commits, deck.root))
    return kept


KEPT = seals()
GAMES = tuple(random_match(seed=n, match=secret("match", n)[:16]).text for n in range(5))


def check_seals() -> int:
    """Check so many seals; raises where one does not hold."""
    for n in range(CHECKS):
        deal, r, below, seeds, commits, root = KEPT[n % len(KEPT)]
        held = [seat_commit(MATCH, deal, i, seed, None) for i, seed in enumerate(seeds)]
        cset = commit_set(MATCH, deal, "E24", link_below(MATCH, deal + 1, r), held)
        deck = sealed_deck(MATCH, deal, "E24", r=r, cset=cset, seeds=seeds, cut=None)
        if held != commits or below == r or deck.root != root:
            raise SystemExit("a seal does not hold")
    return CHECKS


def signatures(game: bytes) -> list[tuple[bytes, bytes]]:
    """The signatures of a game and what they sign."""
    head, kept = ZERO_HEAD, []
    for line in game.splitlines():
        raw, sig = split_line(line)
        head = event_hash(head, raw)
        if sig:
            kept.append((sig, referee_bytes(head)))
    return kept


SIGNED = [pair for game in GAMES for pair in signatures(game)]
KEY = parse_key(str(parse(split_line(GAMES[0].splitlines()[0])[0])["referee_key"]))


def verify_games() -> int:
    """Verify each game once: seal, signatures, rules, scores."""
    if any(verify_stream(BytesIO(game)).exit for game in GAMES):
        raise SystemExit("a game does not verify")
    return 1


def verify_signatures() -> int:
    """Check the signatures of the games, and nothing else."""
    if not all(KEY.accepts(sig, message) for sig, message in SIGNED):
        raise SystemExit("a signature does not verify")
    return 1


def main() -> None:
    """Print the figures and write them as JSON."""
    quiet_collector()  # as the command `verify` does
    rates = interleave(
        {"seal": check_seals, "games": verify_games, "signatures": verify_signatures},
        rounds=ROUNDS,
        clock=process_time,
    )
    report(
        "seal",
        {
            "seal checks a second, best round": Goal(max(rates["seal"]), least=8_000),
            "whole verification ÷ its signatures, best rounds": Goal(
                max(rates["signatures"]) / max(rates["games"]), most=3
            ),
            "whole verification ÷ its signatures, median of rounds": ratio(
                rates, "signatures", "games"
            ),
            "games": len(GAMES),
            "signatures in the games": len(SIGNED),
            "lines in the games": sum(game.count(b"\n") for game in GAMES),
        },
    )


if __name__ == "__main__":
    main()
