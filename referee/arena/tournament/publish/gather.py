"""The facts of an event as its director has them, read while it may be running."""

from collections.abc import Iterator, Mapping, Sequence

from referee.arena.tournament.bounded import LARGEST_RECORD, read_bounded
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.place import EventPlace
from referee.arena.tournament.publish.facts import Facts, Paired
from referee.arena.tournament.publish.machines import machines
from referee.arena.tournament.publish.site import Sources, record_names
from referee.arena.tournament.publish.write import PublishError
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.signedlog import ACTIONS, ANNOUNCED, read_log
from referee.sealing.keys import parse_key


def gather(place: EventPlace, db: EventDb, sheet: Sheet) -> tuple[Facts, Sources]:
    """The facts and the public files; only boards that are closed or void are in them.

    Errors: PublishError where the file of a closed board is missing.
    """
    with db.at_once():
        _, results = db.results()
        rounds = tuple(Paired(planned.plan, planned.actions) for planned in db.rounds())
        referee_key = db.about()["referee_key"]
        announced, actions, heard = db.announced(), db.actions(), db.noise()
    key = parse_key(referee_key)
    noisy, noise = machines(heard)
    facts = Facts(
        sheet=sheet,
        referee_key=referee_key,
        announced=tuple(read_log(ANNOUNCED, announced, key)),
        actions=tuple(read_log(ACTIONS, actions, key)),
        rounds=rounds,
        results=tuple(results),
        noisy=noisy,
        noise=noise,
    )
    names = [name for played in results for name in record_names(played)]
    records = Records(place, names)
    return facts, Sources(sheet.text, b"".join(announced), b"".join(actions), records)


class Records(Mapping[str, bytes]):
    """The public files of boards by their names, read when they are asked for.

    Errors: PublishError where one cannot be read.
    """

    def __init__(self, place: EventPlace, names: Sequence[str]) -> None:
        self._folder = place.records
        self._names = dict.fromkeys(names)

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        try:
            return read_bounded(self._folder / name, LARGEST_RECORD)
        except OSError as err:
            raise PublishError(
                f"cannot read {str(self._folder / name)!r}: {err.strerror}"
                " (see that nothing stands there, and go on with euchre-referee tournament run,"
                " which writes it again)"
            ) from err

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
