"""The facts of an event as its director has them, read while it may be running."""

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

    Results are read first: whatever is read after them knows of all of them.
    Errors: PublishError where the file of a closed board is missing.
    """
    _, results = db.results()
    rounds = tuple(Paired(planned.plan, planned.actions) for planned in db.rounds())
    referee_key = db.about()["referee_key"]
    key = parse_key(referee_key)
    announced, actions = db.announced(), db.actions()
    noisy, noise = machines(db.noise())
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
    records: dict[str, bytes] = {}
    for played in results:
        for name in record_names(played):
            records[name] = _record(place, name)
    return facts, Sources(sheet.text, b"".join(announced), b"".join(actions), records)


def _record(place: EventPlace, name: str) -> bytes:
    try:
        return (place.records / name).read_bytes()
    except OSError as err:
        raise PublishError(
            f"cannot read {str(place.records / name)!r}: {err.strerror}"
            " (go on with euchre-referee tournament run, which writes it again)"
        ) from err
