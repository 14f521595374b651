"""What was measured of the machines while an event was played, in words."""

import json
from collections.abc import Sequence
from contextlib import suppress

from referee.arena.noise import Noise, NoiseError, noise_of, together


def machines(records: Sequence[str]) -> tuple[bool, tuple[str, ...]]:
    """Whether the event is noisy, and what was measured; a record of JSON a worker's process.

    The figures are the worst of any process, the reasons those of the noisiest.
    """
    heard: list[Noise] = []
    for record in records:
        with suppress(NoiseError, ValueError, TypeError):
            heard.append(noise_of(json.loads(record)))
    whole = together(heard)
    if whole is None:
        return False, ()
    noisiest = max(heard, key=lambda noise: (len(noise.reasons), noise.late_ms))
    figures = (
        f"processes: {len(heard)}; at worst the load was {whole.load:.2f} a core, one timer in a"
        f" hundred rang {whole.late_ms:.1f} ms late and the latest {whole.latest_ms:.1f} ms, and"
        f" other machines took {whole.steal:.1%} of the processor"
    )
    return bool(noisiest.reasons), (figures, *noisiest.reasons)
