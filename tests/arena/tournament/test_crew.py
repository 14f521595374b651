"""Workers that do not come to anything end the event with their last words, and leave nothing."""

import asyncio
from pathlib import Path

import pytest

from referee.arena.tournament.crew import MOST_FALSE_STARTS, Crew
from referee.arena.tournament.place import EventPlace


@pytest.mark.heavy
def test_a_worker_that_never_starts_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    place = EventPlace(tmp_path / "none")
    place.work.mkdir(parents=True)  # but there is no event in it
    heard: list[str] = []
    rests: list[float] = []

    async def serve() -> Crew:
        given_up = asyncio.Event()

        def hear(_slot: int, word: str) -> None:
            heard.append(word)
            if word == "failed":
                given_up.set()

        async def rest(seconds: float) -> None:
            rests.append(round(seconds, 3))

        crew = Crew(place, tmp_path / "key.pem", tmp_path, hear, rest=rest)
        await crew.start(1)
        async with asyncio.timeout(120):
            await given_up.wait()
        await crew.stop()
        return crew

    crew = asyncio.run(serve())
    assert "worker 1 does not start" in str(crew.failed)
    assert "event.yaml" in str(crew.failed)
    assert heard.count("ended") == MOST_FALSE_STARTS
    assert rests == [0, 0.1, 0.3, 0.7]
    assert crew.pids == {}
