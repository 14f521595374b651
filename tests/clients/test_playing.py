"""Each client at a real referee: what it plays, survives, and leaves behind."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from referee.sealing import SigningKey
from referee.service.client import Wire
from tests.clients.house import SEATS, Bot, House, finished, told_as_the_referee_does, until
from tests.clients.known import CLIENTS, ROOT, Client
from tests.service.certificates import Authority

PYTHON = CLIENTS[0]
OTHER_KEY = SigningKey.from_bytes("other", bytes(range(32)))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    made.serve()
    yield made
    made.stop()


def seat_key(folder: Path, seat: str) -> Path:
    path = folder / f"{seat}.pem"
    path.write_bytes(SigningKey.from_bytes(f"bot-{seat}", seat[:1].encode() * 32).pem())
    path.chmod(0o600)
    return path


def test_each_level_of_the_seal_is_played_in_one_match_that_verifies(
    client: Client, house: House
) -> None:
    table = house.create()
    key = str(seat_key(house.folder, "north"))
    bots = [
        table.sit(client, "north", "--level", "signs", "--seat-key", key, kind="sensible"),
        table.sit(client, "east"),
        table.sit(client, "south", "--level", "seeds", kind="sensible"),
        table.sit(client, "west", "--level", "plays"),
    ]
    finished(bots)
    opened = table.events()[0]
    assert isinstance(opened["seats"], list)
    assert [(seat["level"], seat["seed_by"]) for seat in opened["seats"]] == [
        ("signs", "seat"),
        ("checks", "seat"),
        ("seeds", "seat"),
        ("plays", "host"),
    ]
    report = table.verified()
    assert report["seeds"] == {"seat": 3, "host": 0, "declined": 1}
    assert report["faults"] == []
    told_as_the_referee_does(bots, table)
    assert " in games, the last one " in table.told()


def test_a_forfeit_for_points_is_told_as_the_referee_does(client: Client, house: House) -> None:
    table = house.create(deals="1")
    bots = [table.sit(client, seat, kind="sensible") for seat in ("north", "south")]
    words = ("--how", "unknown-words", "--referee", house.address)
    # Both of a side, as one whose partner goes alone may never be asked.
    for seat in ("east", "west"):
        bad = Bot.start(
            house.folder,
            f"{seat}.log",
            *(sys.executable, str(ROOT / "clients" / "misbehaving" / "misbehave.py"), *words),
            *("--token-file", str(table.tokens[seat])),
        )
        house.bots.append(bad)
    finished(bots)
    told_as_the_referee_does(bots, table)
    told = r"forfeit by (east|west): ns wins \d+-\d+ in points, after 1 deal$"
    assert re.match(told, table.told())


@pytest.mark.heavy
def test_four_signing_seats_leave_a_record_that_is_beyond_doubt_and_receipts_for_it(
    client: Client, house: House
) -> None:
    table = house.create()
    finished(
        [table.sit(client, seat, "--seat-key", str(seat_key(house.folder, seat))) for seat in SEATS]
    )
    report = table.verified("--strict", "--receipts", str(table.receipts))
    assert report["faults"] == []
    kept = sorted(path.name for path in table.receipts.iterdir())
    assert kept == sorted(f"{table.match}-{seat}.jsonl" for seat in SEATS)


def test_a_bot_survives_kills_of_the_referee_in_mid_deal_and_shows_each_seed_once(
    client: Client, house: House
) -> None:
    table = house.create()
    bots = table.sit_all(client)
    for event in (7, 40):  # among the commitments, and in play
        table.reaches(event)
        house.kill()
        house.serve()
    finished(bots)
    assert table.verified("--receipts", str(table.receipts))["faults"] == []
    for seat in SEATS:
        table.shown_once(seat)


def test_a_referee_that_does_not_answer_is_said_at_once_and_tried_until_it_is_there(
    client: Client, house: House
) -> None:
    table = house.create()
    house.kill()
    bot = table.sit(client, "north")
    until(lambda: "trying again" in bot.said, "a word on the referee that is away")
    told = bot.said.strip()
    address = re.escape(house.address)
    assert re.search(rf": no word from {address} \(UNAVAILABLE: .+\); trying again for 60 s", told)
    assert told.count("\n") == 0
    house.serve()
    until(lambda: any(table.names), "the Hello of north")


@pytest.mark.heavy
def test_a_killed_bot_goes_on_with_the_same_files(client: Client, house: House) -> None:
    table = house.create()
    north, *others = table.sit_all(client)
    for event in (10, 45):
        table.reaches(event)
        north.kill()
        north = table.sit(client, "north")
    finished([north, *others])
    assert table.verified("--receipts", str(table.receipts))["faults"] == []
    table.shown_once("north")


@pytest.mark.heavy
def test_a_bot_is_continued_by_another_languages_client(client: Client, house: House) -> None:
    table = house.create("guide", target="4")  # with a cut
    north, *others = table.sit_all(client)
    for event, heir in ((12, PYTHON), (50, client), (90, PYTHON)):
        table.reaches(event)
        north.kill()
        north = table.sit(heir, "north")
    finished([north, *others])
    assert table.verified("--receipts", str(table.receipts))["faults"] == []
    table.shown_once("north")


def test_a_second_process_with_the_token_takes_the_seat_and_the_first_leaves_with_four(
    client: Client, house: House
) -> None:
    table = house.create()
    first = table.sit(client, "north")
    until(lambda: any(table.names), "the Hello of north")
    second = table.sit(client, "north")
    code, said = first.ends()
    assert code == 4, said
    assert "taken" in said
    until(lambda: any(table.names), "north at the table")
    finished([second, *(table.sit(client, seat) for seat in SEATS[1:])])


@pytest.mark.heavy
def test_tls_with_our_own_certificates_on_both_sides(client: Client, tmp_path: Path) -> None:
    server, guests = Authority(tmp_path, "server-ca"), Authority(tmp_path, "guests-ca")
    own, guest = server.sign("referee"), guests.sign("guest")
    mine = ("--ca", str(server.file), "--cert", str(guest.cert), "--cert-key", str(guest.key))
    house = House(
        tmp_path,
        flags=(
            *("--tls-cert", str(own.cert), "--tls-key", str(own.key)),
            *("--client-ca", str(guests.file)),
        ),
        wire=Wire(ca=server.file, cert=guest.cert, cert_key=guest.key),
        credentials=grpc.ssl_channel_credentials(
            server.file.read_bytes(), guest.key.read_bytes(), guest.cert.read_bytes()
        ),
    )
    try:
        house.serve()
        table = house.create(target="2")
        finished(table.sit_all(client, *mine))
        assert table.verified()["faults"] == []
    finally:
        house.stop()


@pytest.mark.heavy
def test_a_referee_under_an_authority_that_we_name_needs_no_certificate_of_ours(
    client: Client, tmp_path: Path
) -> None:
    server = Authority(tmp_path, "server-ca")
    own = server.sign("referee")
    mine = ("--ca", str(server.file))
    house = House(
        tmp_path,
        flags=("--tls-cert", str(own.cert), "--tls-key", str(own.key)),
        wire=Wire(ca=server.file),
        credentials=grpc.ssl_channel_credentials(server.file.read_bytes()),
    )
    try:
        house.serve()
        table = house.create(target="1")
        finished(table.sit_all(client, *mine))
        assert table.verified()["faults"] == []
    finally:
        house.stop()


@pytest.mark.heavy
def test_without_a_pin_the_line_to_pin_is_printed_and_with_it_nothing_is(
    client: Client, house: House
) -> None:
    table = house.create(target="1")
    bots = [table.sit(client, seat, pin=seat != "north") for seat in SEATS]
    finished(bots)
    assert f"--key {table.key}" in bots[0].said.replace("'", "").replace('"', "")
    assert "--key" not in bots[1].said


def test_another_key_than_the_pinned_one_ends_the_bot_before_anything_is_promised(
    client: Client, house: House
) -> None:
    table = house.create()
    bot = table.sit(client, "north", "--key", OTHER_KEY.public.text, pin=False)
    code, said = bot.ends()
    assert code == 2, said
    assert "key" in said.splitlines()[-1]
    assert not table.state("north").exists() or table.promises("north") == []


@pytest.mark.heavy
def test_an_invitation_is_taken_once_and_its_token_kept(client: Client, house: House) -> None:
    table = house.create(open_seats=("north",))
    token = house.folder / "invited.token"
    invited = ("--invitation", table.codes["north"], "--token-file", str(token))
    first = table.sit(client, "north", *invited)
    until(lambda: any(table.names), "the Hello of north")
    first.kill()
    assert token.stat().st_mode & 0o777 == 0o600
    finished(
        [
            table.sit(client, "north", *invited),
            *(table.sit(client, seat) for seat in SEATS[1:]),
        ]
    )
    assert not token.with_name("invited.token.request").exists()
    table.shown_once("north")


@pytest.mark.heavy
def test_files_lie_by_default_under_one_name_a_seat_and_nobody_else_can_read_them(
    client: Client, house: House
) -> None:
    table = house.create(target="1")
    bot = table.bare(client, "north")
    finished([bot, *(table.sit(client, seat) for seat in SEATS[1:])])
    home = house.folder / "state" / "euchre-bot"
    secret, state = home / "bare-north.secret", home / "bare-north.state.jsonl"
    kept = home / "receipts" / f"{table.match}-north.jsonl"
    assert [path.stat().st_mode & 0o777 for path in (secret, state, kept)] == [0o600] * 3
    assert len(bytes.fromhex(secret.read_text().strip())) == 32
    rows = [json.loads(line) for line in state.read_text().splitlines()]
    assert {row["match"] for row in rows} == {table.match}
