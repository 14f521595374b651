"""What is given to the journal, counted by whether it was kept."""

import asyncio
from concurrent.futures import Future

from referee.journal.store import StoreError
from referee.meter import Meter


async def kept(append: "Future[None]", meter: Meter) -> None:
    """Wait until an append is durable; StoreError where it is lost."""
    try:
        await asyncio.wrap_future(append)
    except StoreError:
        meter.count("appends", "lost")
        raise
    meter.count("appends", "kept")
