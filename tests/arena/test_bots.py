"""Players of local matches, over real processes that misbehave."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from referee.arena.bots import (
    JSON,
    BotFailure,
    BotSpecError,
    CommandSpec,
    DialSpec,
    FailureKind,
    Player,
    PythonSpec,
    Reveal,
    parse_bot,
    within,
)
from tests.arena.ending import ended

T = TypeVar("T")
LEGAL = ("pass", "order")
HELLO = """
import json, os, subprocess, sys, time
def say(**answer): print(json.dumps(answer), flush=True)
def hear(): return json.loads(sys.stdin.readline())
hello = hear()
say(name="tester", ops=OPS)
"""


def command(tmp_path: Path, body: str, *, ops: str = "[]") -> Player:
    """A player whose process says hello and then does `body`."""
    script = tmp_path / "bot.py"
    script.write_text(HELLO.replace("OPS", ops) + body)
    return CommandSpec("cmd:bot", (sys.executable, str(script))).player()


def silent(tmp_path: Path, body: str) -> Player:
    """A player whose process does `body` and nothing before it."""
    script = tmp_path / "bot.py"
    script.write_text(body)
    return CommandSpec("cmd:bot", (sys.executable, str(script))).player()


def with_player(player: Player, play: Callable[[Player], Awaitable[T]]) -> T:
    async def course() -> T:
        try:
            await player.start(match="ab" * 16, seat="north", rules={"pack": "E24"})
            return await play(player)
        finally:
            await player.close()

    return asyncio.run(course())


async def choice(player: Player) -> str:
    return await player.choose({"phase": "round_one"}, LEGAL)


def failure(player: Player, play: Callable[[Player], Awaitable[object]] = choice) -> BotFailure:
    with pytest.raises(BotFailure) as caught:
        with_player(player, play)
    return caught.value


# -- bots that behave

ECHO = """
while True:
    asked = hear()
    if asked["op"] == "choose":
        say(id=asked["id"], action=asked["legal"][-1])
    if asked["op"] == "end":
        break
"""


def test_command_answers_what_it_is_asked(tmp_path: Path) -> None:
    assert with_player(command(tmp_path, ECHO), choice) == "order"


def test_hello_tells_name_and_known_ops(tmp_path: Path) -> None:
    player = command(tmp_path, ECHO, ops='["event", "commit", "reveal", "fly"]')

    async def greeted() -> tuple[str, frozenset[str]]:
        hello = await player.start(match="ab" * 16, seat="west", rules={})
        await player.close()
        return hello.name, hello.ops

    assert asyncio.run(greeted()) == ("tester", frozenset({"event", "commit", "reveal"}))


def test_bot_is_told_match_seat_and_rules(tmp_path: Path) -> None:
    body = """
asked = hear()
say(id=asked["id"], action=" ".join([hello["seat"], hello["match"][:2], hello["rules"]["pack"]]))
"""
    assert with_player(command(tmp_path, body), choice) == "north ab E24"


def test_answer_under_another_id_is_dropped(tmp_path: Path) -> None:
    body = """
asked = hear()
say(id=asked["id"] + 5, action="order alone")
say(id=asked["id"] - 1, action="order alone")
say(id=asked["id"], action="pass")
"""
    assert with_player(command(tmp_path, body), choice) == "pass"


def test_late_answer_does_not_count_for_the_next_question(tmp_path: Path) -> None:
    body = """
first, second = hear(), hear()
say(id=first["id"], action="late")
say(id=second["id"], action="pass")
"""

    async def play(player: Player) -> str:
        with pytest.raises(BotFailure, match="did not choose within"):
            await within(0.05, choice(player), "choose")
        return await choice(player)

    assert with_player(command(tmp_path, body), play) == "pass"


def test_refusal_names_the_question_it_is_about(tmp_path: Path) -> None:
    body = """
asked = hear()
say(id=asked["id"], action="order")
refused, again = hear(), hear()
told = [refused["op"], refused["id"] == asked["id"], refused["reason"], again["id"] > asked["id"]]
say(id=again["id"], action=" ".join(map(str, told)))
"""

    async def play(player: Player) -> str:
        await choice(player)
        await player.refused("NEEDS_TRUMP", "a trump is needed")
        return await choice(player)

    told = with_player(command(tmp_path, body), play)
    assert told == "refused True NEEDS_TRUMP True"


def test_seeds_are_committed_to_and_revealed(tmp_path: Path) -> None:
    body = """
asked = hear()
assert asked["op"] == "commit" and asked["deal"] == 3 and asked["cutter"] is True
say(id=asked["id"], commit="ab" * 32)
asked = hear()
assert asked["op"] == "reveal" and len(asked["commits"]) == 4
say(id=asked["id"], seed="cd" * 32, cut=7)
"""

    async def play(player: Player) -> tuple[str, Reveal]:
        commit = await player.commit(3, cutter=True)
        return commit, await player.reveal(3, commits=[commit] * 4, r_commit="00", cset="11")

    player = command(tmp_path, body, ops='["commit", "reveal"]')
    assert with_player(player, play) == ("ab" * 32, Reveal("cd" * 32, 7))


def test_bot_that_leaves_after_the_end_is_not_killed(tmp_path: Path) -> None:
    body = ECHO + "open(sys.argv[0] + '.done', 'w').close()\n"

    async def play(player: Player) -> None:
        await player.end({"ns": 10, "ew": 7})

    with_player(command(tmp_path, body), play)
    assert (tmp_path / "bot.py.done").exists()


# -- bots that do not


def test_bot_that_dies_is_a_crash_with_its_status_and_last_words(tmp_path: Path) -> None:
    body = "hear(); print('first', file=sys.stderr); sys.exit('out of luck')"
    failed = failure(command(tmp_path, body))
    assert failed.kind is FailureKind.CRASH
    assert failed.text == (
        "'cmd:bot' exited with status 1 before it answered choose; its last words: 'out of luck'"
    )
    assert failed.stderr == "first\nout of luck"


def test_bot_that_is_killed_is_a_crash_that_names_the_signal(tmp_path: Path) -> None:
    failed = failure(command(tmp_path, "hear(); os.kill(os.getpid(), 9)"))
    assert failed.kind is FailureKind.CRASH
    assert "was killed by SIGKILL" in failed.text


def test_bot_that_closes_its_output_is_a_crash(tmp_path: Path) -> None:
    failed = failure(command(tmp_path, "hear(); os.close(1); time.sleep(60)"))
    assert failed.kind is FailureKind.CRASH
    assert "closed its output" in failed.text


def test_last_answer_of_a_bot_that_exits_still_counts(tmp_path: Path) -> None:
    body = "asked = hear(); say(id=asked['id'], action='pass'); sys.exit(0)"
    assert with_player(command(tmp_path, body), choice) == "pass"


def test_only_the_end_of_a_long_complaint_is_kept(tmp_path: Path) -> None:
    body = "hear(); print('x' * 9000 + 'end', file=sys.stderr); sys.exit(3)"
    failed = failure(command(tmp_path, body))
    assert failed.stderr.endswith("xend")
    assert len(failed.stderr) < 4097
    assert len(failed.text) < 250


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print('hello?', flush=True)", "wrote b'hello?'"),
        ("print('[1]', flush=True)", "wrote b'[1]'"),
        ("print('{} {}', flush=True)", "wrote b'{} {}'"),
        ("print('[' * 60000, flush=True)", "one JSON object"),
        ("os.write(1, b'\\xff\\xfe\\n')", "one JSON object"),
        ("os.write(1, b'\\n')", "wrote b''"),
        ("print('x' * 70000, flush=True)", "over 65536 bytes"),
        ("say(action='pass')", "the id None"),
        ("say(id=True, action='pass')", "the id True"),
        ("say(id='1', action='pass')", "the id '1'"),
        ("say(id=asked['id'], action=7)", "the action 7"),
        ("say(id=asked['id'])", "the action None"),
    ],
)
def test_rubbish_is_malformed_and_quoted(body: str, words: str, tmp_path: Path) -> None:
    failed = failure(command(tmp_path, f"asked = hear(); {body}; hear()"))
    assert failed.kind is FailureKind.MALFORMED
    assert words in failed.text


def test_bot_may_go_on_after_an_overlong_line(tmp_path: Path) -> None:
    body = """
asked = hear()
print("x" * 300_000, flush=True)
asked = hear()
say(id=asked["id"], action="pass")
"""

    async def play(player: Player) -> str:
        with pytest.raises(BotFailure, match="over 65536 bytes"):
            await choice(player)
        return await choice(player)

    assert with_player(command(tmp_path, body), play) == "pass"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("say(id=asked['id'], commit='AB' * 32)", "64 lower-case hex digits"),
        ("say(id=asked['id'])", "64 lower-case hex digits"),
    ],
)
def test_commitment_that_is_none_is_malformed(body: str, words: str, tmp_path: Path) -> None:
    async def play(player: Player) -> str:
        return await player.commit(1, cutter=False)

    failed = failure(command(tmp_path, f"asked = hear(); {body}; hear()"), play)
    assert failed.kind is FailureKind.MALFORMED
    assert words in failed.text


def test_flood_of_dropped_answers_is_a_timeout_and_ends_with_the_bot(tmp_path: Path) -> None:
    body = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))"
    body += """
line = json.dumps({"id": 999, "action": "pass"}) + "\\n"
while True:
    os.write(1, line.encode() * 1000)
"""

    async def play(player: Player) -> str:
        return await within(0.3, choice(player), "choose")

    failed = failure(command(tmp_path, body), play)
    assert failed.kind is FailureKind.TIMEOUT
    assert ended(int((tmp_path / "pid").read_text()))


def test_sleeping_bot_is_a_timeout_and_is_killed(tmp_path: Path) -> None:
    body = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(600)"

    async def play(player: Player) -> str:
        return await within(0.3, choice(player), "choose")

    failed = failure(command(tmp_path, body), play)
    assert failed.kind is FailureKind.TIMEOUT
    assert failed.text == "the bot did not choose within 0.3 s"
    assert ended(int((tmp_path / "pid").read_text()))


def test_child_that_the_bot_left_behind_is_killed_too(tmp_path: Path) -> None:
    body = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
asked = hear()
say(id=asked["id"], action=str(child.pid))
"""
    pid = int(with_player(command(tmp_path, body), choice))
    assert ended(pid)


def test_child_that_holds_the_pipe_does_not_hide_the_crash(tmp_path: Path) -> None:
    body = """
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
hear()
os._exit(4)
"""

    async def play(player: Player) -> str:
        return await within(10, choice(player), "choose")

    failed = failure(command(tmp_path, body), play)
    assert failed.kind is FailureKind.CRASH
    assert "exited with status 4" in failed.text


def test_bot_that_ignores_the_end_is_killed(tmp_path: Path) -> None:
    body = "import signal; signal.signal(15, signal.SIG_IGN)\nasked = hear()\nsay(id=asked['id'],"
    body += " action=str(os.getpid()))\nwhile True: time.sleep(600)"

    async def play(player: Player) -> str:
        pid = await choice(player)
        await player.end({"ns": 10, "ew": 0})
        return pid

    assert ended(int(with_player(command(tmp_path, body), play)))


def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    async def play(player: Player) -> str:
        await player.close()
        await player.close()
        return "closed"

    assert with_player(command(tmp_path, ECHO), play) == "closed"


def test_tokens_in_the_environment_are_not_handed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUCHRE_TOKEN", "abc")
    body = "asked = hear(); say(id=asked['id'], action=str('EUCHRE_TOKEN' in os.environ))"
    assert with_player(command(tmp_path, body), choice) == "False"


# -- bots that do not start


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise SystemExit('no licence')", "its last words: 'no licence'"),
        ("print('{\"ops\": []}')", "the name None"),
        ('print(\'{"name": "a+b"}\')', "the name 'a+b'"),
        ('print(\'{"name": "x", "ops": "event"}\')', "the ops 'event'"),
        ('print(\'{"name": "x", "ops": ["commit"]}\')', "both or neither"),
        ("print('ready')", "wrote b'ready'"),
    ],
)
def test_bad_hello_is_a_failed_start(body: str, words: str, tmp_path: Path) -> None:
    failed = failure(silent(tmp_path, body))
    assert failed.kind is FailureKind.START_FAIL
    assert words in failed.text


@pytest.mark.parametrize("program", ["/nowhere/bot", "/etc", "no-such-command-here"])
def test_command_that_is_not_there_is_a_failed_start(program: str) -> None:
    failed = failure(CommandSpec(f"cmd:{program}", (program,)).player())
    assert failed.kind is FailureKind.START_FAIL
    assert failed.text.startswith(f"cannot start 'cmd:{program}': ")


def test_start_that_is_given_up_leaves_nothing_running(tmp_path: Path) -> None:
    body = f"import os, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    player = silent(tmp_path, body + "time.sleep(600)")

    async def start() -> None:
        await within(0.5, player.start(match="00", seat="north", rules={}), "say hello")

    with pytest.raises(BotFailure, match="did not say hello within"):
        asyncio.run(start())
    assert ended(int((tmp_path / "pid").read_text()))


# -- the shell bot

SHELL_BOT = Path(__file__).parents[2] / "clients" / "shell" / "bot.sh"


def test_shell_bot_plays_legal_actions_and_leaves() -> None:
    async def play(player: Player) -> list[str]:
        said = [await choice(player) for _ in range(3)]
        await player.refused("NEEDS_TRUMP", "a trump is needed")
        said.append(await player.choose({"hand": ["JD"], "legal": ["play JD"]}, ["play JD"]))
        await player.end({"ns": 10, "ew": 7})
        return said

    said = with_player(CommandSpec("cmd:bot.sh", (str(SHELL_BOT),)).player(), play)
    assert set(said[:3]) == set(LEGAL)
    assert said[3] == "play JD"


# -- classes in this process

MODULE = """
class Slow:
    def choose(self, view, legal):
        import time
        time.sleep(30)

class Odd:
    def choose(self, view, legal):
        return 7

class Broken:
    def choose(self, view, legal):
        return {}["no such card"]

class Unmade:
    def __init__(self):
        raise RuntimeError("no table")

    def choose(self, view, legal):
        return legal[0]

class Polite:
    def start(self, *, match, seat, rules):
        self.heard = [seat]

    def refused(self, reason, text):
        self.heard.append(reason)

    def event(self, event):
        self.heard.append(event["kind"])

    def choose(self, view, legal):
        return " ".join(self.heard)

class NoBot:
    pass
"""


@pytest.fixture
def bot_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"bots_of_{tmp_path.name}".replace("-", "_").replace("[", "_").replace("]", "_")
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return name


def python_player(text: str) -> Player:
    spec = parse_bot(text)
    assert isinstance(spec, PythonSpec)
    return spec.player()


def test_class_is_found_in_the_working_directory_and_told_what_it_wants(bot_module: str) -> None:
    async def play(player: Player) -> str:
        await player.refused("NEEDS_TRUMP", "a trump is needed")
        await player.event({"kind": "turn_up"})
        await player.end({"ns": 10, "ew": 7})
        return await choice(player)

    heard = with_player(python_player(f"py:{bot_module}:Polite"), play)
    assert heard == "north NEEDS_TRUMP turn_up"


def test_class_that_raises_is_a_crash_that_says_where(bot_module: str) -> None:
    failed = failure(python_player(f"py:{bot_module}:Broken"))
    assert failed.kind is FailureKind.CRASH
    assert f"{bot_module}.py:13" in failed.text
    assert "KeyError" in failed.text


def test_class_that_returns_no_string_is_malformed(bot_module: str) -> None:
    failed = failure(python_player(f"py:{bot_module}:Odd"))
    assert failed.kind is FailureKind.MALFORMED
    assert "returned 7" in failed.text


def test_class_that_cannot_be_made_is_a_failed_start(bot_module: str) -> None:
    failed = failure(python_player(f"py:{bot_module}:Unmade"))
    assert failed.kind is FailureKind.START_FAIL
    assert "no table" in failed.text


def test_slow_class_is_a_timeout_and_does_not_hold_up_the_others(bot_module: str) -> None:
    async def play(player: Player) -> str:
        return await within(0.1, choice(player), "choose")

    failed = failure(python_player(f"py:{bot_module}:Slow"), play)
    assert failed.kind is FailureKind.TIMEOUT


# -- names of bots


def test_forms_of_a_bot_are_told_apart() -> None:
    assert isinstance(parse_bot("random"), PythonSpec)
    assert isinstance(parse_bot("py:referee.arena.builtin:Sensible"), PythonSpec)
    assert parse_bot("cmd:./bot 'a b'") == CommandSpec("cmd:./bot 'a b'", ("./bot", "a b"))
    assert parse_bot("dial") == DialSpec("dial", ())
    assert parse_bot("dial:python -m bot") == DialSpec(
        "dial:python -m bot", ("python", "-m", "bot")
    )


def test_class_that_is_to_run_apart_is_not_imported_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "explosive.py").write_text("raise AssertionError\n")
    monkeypatch.chdir(tmp_path)
    spec = parse_bot("py:explosive:Bot", apart=True)
    assert isinstance(spec, CommandSpec)
    assert spec.command[-2:] == ("referee.arena.apart", "py:explosive:Bot")
    assert {str(place) for place in spec.needs} == set(sys.path) - {""}
    for own in ("sensible", "py:referee.arena.builtin:Random"):
        assert isinstance(parse_bot(own, apart=True), PythonSpec)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a bot: ''"),
        ("./bot", "write random, sensible, strong, py:MODULE:CLASS"),
        ("cmd:", "names no command"),
        ("dial:", "names no command"),
        ("cmd:./bot 'a", "mind the quotes"),
        ("py:", "names no class"),
        ("py:module", "names no class"),
        ("py:no_such_module_here:Bot", "importing 'no_such_module_here' failed"),
        ("py:..:Bot", "importing '..' failed"),
        ("py:referee.arena.builtin:Rando", "it has Random, Sensible"),
        ("py:json:dumps", "it has none"),
    ],
)
def test_name_that_is_no_bot_is_explained(text: str, words: str) -> None:
    with pytest.raises(BotSpecError) as caught:
        parse_bot(text)
    assert words in str(caught.value)


def test_class_without_choose_is_explained(bot_module: str) -> None:
    with pytest.raises(BotSpecError, match="no class 'NoBot' with a choose method"):
        parse_bot(f"py:{bot_module}:NoBot")


# -- the built-in bots


def shown(phase: str, hand: str, **fields: JSON) -> Mapping[str, JSON]:
    view: dict[str, JSON] = {"seat": "south", "phase": phase, "hand": hand.split(), "trick": []}
    return {**view, **fields}


def plays(cards: str, word: str = "play") -> Sequence[str]:
    return [f"{word} {card}" for card in cards.split()]


async def sensible(player: Player) -> list[str]:
    calls = ["pass", "order", "order alone"]
    names = [f"name {suit}" for suit in "CDS"]
    trick: JSON = [{"seat": "west", "card": "KS"}, {"seat": "north", "card": "AS"}]
    return [
        await player.choose(shown("round_one", "JH JD AH KH AS", upcard="QH"), calls),
        await player.choose(shown("round_one", "9S TS QC KC 9D", upcard="QH"), calls),
        await player.choose(shown("round_two", "9S TS QC 9D AS", upcard="QH"), names),
        await player.choose(
            shown("discard", "JH JD AH KH AS 9C", trump="H"), plays("AS 9C", "discard")
        ),
        await player.choose(shown("alone", "JH JD AH KH AS", trump="H"), ["alone", "decline"]),
        await player.choose(shown("play", "JD AS 9H", trump="H", maker="south"), plays("JD AS 9H")),
        await player.choose(
            shown("play", "9S QS", trump="H", led="KS", trick=trick), plays("QS 9S")
        ),
        await player.choose(shown("house", ""), ["redeal", "pass"]),
    ]


def test_built_in_sensible_bot_does_the_plain_things() -> None:
    assert with_player(python_player("sensible"), sensible) == [
        "order alone",
        "pass",
        "name S",
        "discard 9C",
        "alone",
        "play JD",
        "play 9S",
        "redeal",
    ]


def test_built_in_random_bot_answers_one_question_alike() -> None:
    legal = plays("9C TC JC QC KC")

    async def play(player: Player) -> set[str]:
        view: Mapping[str, JSON] = {"state_version": 9}
        return {await player.choose(view, legal), await player.choose(view, legal[::-1])}

    assert len(with_player(python_player("random"), play)) == 1
