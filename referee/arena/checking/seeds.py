"""The seal over stdio: a bot that draws its own seeds shows each for one commit set alone."""

from collections.abc import Coroutine
from typing import Final

from referee.arena.checking.findings import Limits, StepFailedError
from referee.arena.players import BotFailure, Player, Reveal, within
from referee.sealing.commit import commit_set, reveal_fault

DEAL: Final = 3
NORTH: Final = 0
PACK: Final = "E24"
LINK: Final = bytes(range(32))
OTHERS: Final = tuple(bytes([place]) * 32 for place in (1, 2, 3))
STRANGER: Final = bytes([9]) * 32
SILENCE_S: Final = 1.0


async def check_own_commitment(player: Player, match: bytes, limits: Limits) -> None:
    """StepFailedError where the bot answers a commit set that lacks its own commitment."""
    await within(limits.move_s, player.commit(DEAL, cutter=True), "commit")
    if await _shown(_reveal(player, match, STRANGER)):
        raise StepFailedError("showed its seed for a commit set that lacks its own commitment")


async def check_one_set(player: Player, match: bytes, limits: Limits) -> None:
    """StepFailedError where the seed is not the committed one, or is shown for two commit sets."""
    commit = await within(limits.move_s, player.commit(DEAL, cutter=True), "commit")
    again = await within(limits.move_s, player.commit(DEAL, cutter=True), "commit again")
    if again != commit:
        raise StepFailedError(f"committed to deal {DEAL} twice, and not to the same", again)
    own = bytes.fromhex(commit)
    shown = await within(limits.move_s, _reveal(player, match, own), "show its seed")
    if shown.cut is None:
        raise StepFailedError("was asked to cut, and named no cut")
    seed, cut = bytes.fromhex(shown.seed), shown.cut
    fault = reveal_fault(match, DEAL, NORTH, pack=PACK, commit=own, seed=seed, cut=cut)
    if fault is not None:
        raise StepFailedError(fault)
    if await _shown(_reveal(player, match, own, OTHERS[::-1])):
        raise StepFailedError("showed one seed for two commit sets")


def _reveal(
    player: Player, match: bytes, own: bytes, others: tuple[bytes, ...] = OTHERS
) -> Coroutine[object, object, Reveal]:
    commits = (own, *others)
    cset = commit_set(match, DEAL, PACK, LINK, commits)
    return player.reveal(
        DEAL,
        commits=[commit.hex() for commit in commits],
        r_commit=LINK.hex(),
        cset=cset.hex(),
    )


async def _shown(revealing: Coroutine[object, object, Reveal]) -> bool:
    """Whether a seed was shown; silence, an error and leaving are all a no."""
    try:
        await within(SILENCE_S, revealing, "answer")
    except BotFailure:
        return False
    return True
