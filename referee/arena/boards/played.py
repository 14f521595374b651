"""How boards came out, in the words of a tournament."""

from collections.abc import Collection

from referee.arena.boards.chunk import read_key
from referee.arena.tournament.model import BoardPlayed, Seating, TableFault
from referee.host.boards import BoardHost, ClosedBoard


def board_played(closed: ClosedBoard) -> BoardPlayed:
    """A closed board as a tournament counts it; ChunkError where its label is no place in one."""
    seatings = tuple(_seating(closed, table) for table in range(closed.opened.tables))
    return BoardPlayed(
        key=read_key(closed.created.label),
        id=closed.created.board.hex(),
        matches=tuple(match.hex() for match in closed.created.matches),
        dealer=closed.opened.dealer,
        seatings=seatings,
        outcomes=tuple(deal.outcome for deal in closed.deals),
        points=() if closed.void else tuple(deal.points for deal in closed.deals),
        faults=tuple(
            TableFault(table, fault.seat, seatings[table][fault.seat], fault.why)
            for table, deal in enumerate(closed.deals)
            for fault in deal.faults
        ),
        void=closed.close.reason or "",
    )


def _seating(closed: ClosedBoard, table: int) -> Seating:
    north, east, south, west = (info.name for info in closed.opened.seats_of(table))
    return north, east, south, west


async def recover_boards(
    host: BoardHost, ids: Collection[str] | None = None
) -> tuple[BoardPlayed, ...]:
    """What a journal holds of the boards with some ids, or of all, after its process has ended.

    Those whose board_close is durable stand; every other that was opened is closed `void`, with the
    reason INFRA, and its tables with it. One that was never opened is not among them.
    """
    wanted = None if ids is None else [bytes.fromhex(text) for text in ids]
    return tuple([board_played(closed) for closed in await host.recover(wanted)])
