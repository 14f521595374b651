"""Sealed boards played with bots: a chunk of boards of one encounter in, results out.

    host = BoardHost(store=store, key=key, clock=LoopClock(), chance=secrets.token_bytes)
    async for played in play_chunk(chunk, host=host, bots=bots, chance=secrets.token_bytes):
        ...                                     # a BoardPlayed: durable, and its files are whole
    files = host.files(bytes.fromhex(played.id))        # name -> bytes, all public
    left = await recover_boards(host, ids)              # after a crash, on the same journal

`chunk` is a `Chunk`: what all its boards have in common (rules, policy, seatings) and the boards
themselves (`ChunkBoard`: key, announced ids, dealer). `bots` has for every entry of the seatings
something that makes its players (`MakesPlayers`; a `BotSpec` that is no `DialSpec` is one).

All players of the chunk are started before a board is opened; one that does not start raises
`EntryFailure`, a BotFailure of kind START_FAIL that names its `entry`, and nothing has been
recorded. `check_entry` asks that of one entry alone, before an event begins.
"""

from referee.arena.boards.chunk import Chunk, ChunkBoard, ChunkError, read_key, write_key
from referee.arena.boards.play import check_entry, play_chunk
from referee.arena.boards.played import board_played, recover_boards
from referee.arena.boards.seated import EntryFailure, MakesPlayers

__all__ = [
    "Chunk",
    "ChunkBoard",
    "ChunkError",
    "EntryFailure",
    "MakesPlayers",
    "board_played",
    "check_entry",
    "play_chunk",
    "read_key",
    "recover_boards",
    "write_key",
]
