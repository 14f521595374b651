"""Programs that behave badly: in the middle of a good talk, or from the start."""

from dataclasses import dataclass
from typing import Final

CULPRIT: Final = 7
"""The question at which a program misbehaves."""

PRELUDE: Final = """
import json, os, subprocess, sys, time
def note(pid, what="child"):
    with open("pids", "a") as out:
        out.write(f"{what} {pid}\\n")
def say(value):
    sys.stdout.write(json.dumps(value) + "\\n")
    sys.stdout.flush()
def hello():
    say({"id": json.loads(sys.stdin.readline())["id"], "protocol": 1, "name": "bad",
         "ops": ["legal"], "rulesets": ["standard"], "knobs": {}, "parallel": True})
answers = json.load(open("answers.json"))
def right(number):
    return {"id": number, **answers[str(number)]}
note(os.getpid(), "start")
"""
LOOP: Final = """
hello()
for line in sys.stdin:
    number = json.loads(line)["id"]
    if number == CULPRIT:
        misbehave(number)
    else:
        say(right(number))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A program, the verdicts that one case may end with, and which and how many it may cost."""

    name: str
    body: str
    wanted: tuple[str, ...]
    cost: int = 1
    culprit: int = CULPRIT
    whole: bool = False

    def source(self) -> str:
        """The whole program."""
        if self.whole:
            return PRELUDE + self.body
        lines = "\n".join(f"    {line}" for line in self.body.strip().splitlines())
        return f"{PRELUDE}CULPRIT = {CULPRIT}\ndef misbehave(number):\n{lines}\n{LOOP}"


STARTS_NOT: Final = "did not start"
RIGHT_AFTER: Final = "\nsay(right(number))"
SLEEP: Final = "subprocess.Popen(['sleep', '600'], "
EVERY: Final = 5
"""What a program costs that breaks down in every case: the run stops after five in a row."""

PROGRAMS: Final = (
    Bad(name="exits", body="os._exit(3)", wanted=("crash",)),
    Bad(
        name="exits in the middle of a line",
        body="""sys.stdout.write('{"id": 7, "tu'); sys.stdout.flush(); os._exit(0)""",
        wanted=("crash",),
    ),
    Bad(name="kills itself", body="os.kill(os.getpid(), 9)", wanted=("crash",)),
    Bad(name="sleeps", body="time.sleep(600)", wanted=("hang",)),
    Bad(
        name="prints a banner later",
        body="print('thinking...', flush=True)" + RIGHT_AFTER,
        wanted=("protocol",),
    ),
    Bad(name="answers rubbish", body="print('{]', flush=True)", wanted=("protocol",)),
    Bad(name="answers twice", body="say(right(number))" + RIGHT_AFTER, wanted=("protocol",)),
    Bad(
        name="answers a closed question once more",
        body="""
hello()
for line in sys.stdin:
    number = json.loads(line)["id"]
    say(right(number))
    if number == 10:
        say(right(7))
""",
        wanted=("protocol",),
        culprit=10,
        whole=True,
    ),
    Bad(
        name="answers with a wrong id",
        body="say({**right(number), 'id': 999})",
        wanted=("protocol",),
    ),
    Bad(
        name="answers what was never asked, again and again",
        body="for other in range(1000, 300000):\n    sys.stdout.write('{\"id\": %d}\\n' % other)",
        wanted=("protocol",),
    ),
    Bad(
        name="floods standard error",
        body="sys.stderr.write('noise ' * 400000)" + RIGHT_AFTER,
        wanted=(),
        cost=0,
    ),
    Bad(
        name="writes a line of a gigabyte",
        body="for _ in range(1 << 14):\n    sys.stdout.write('x' * (1 << 16))",
        wanted=("protocol",),
    ),
    Bad(
        name="nests its answer deeply",
        body="print('{\"id\": 7, \"legal\": ' + '[' * 100000, flush=True)",
        wanted=("protocol",),
    ),
    Bad(
        name="closes its standard output and lives on",
        body="os.close(1); time.sleep(600)",
        wanted=("crash",),
    ),
    Bad(
        name="trickles its answer",
        body="for letter in json.dumps(right(number)):\n"
        "    sys.stdout.write(letter); sys.stdout.flush(); time.sleep(0.5)",
        wanted=("hang",),
    ),
    Bad(
        name="leaves a grandchild that holds the pipe",
        body=f"note({SLEEP}).pid); os._exit(0)",
        wanted=("crash", "hang"),
    ),
    Bad(
        name="leaves one that left its group, session and environment",
        body=f"note({SLEEP}start_new_session=True, env={{}}).pid); os._exit(0)",
        wanted=("crash", "hang"),
    ),
    Bad(
        name="leaves one, and answers on",
        body=f"note({SLEEP}start_new_session=True, stdin=-3, stdout=-3, stderr=-3).pid)"
        + RIGHT_AFTER,
        wanted=(),
        cost=0,
    ),
    Bad(
        name="never reads",
        body="hello(); time.sleep(600)",
        wanted=("hang",),
        cost=EVERY,
        whole=True,
    ),
    Bad(
        name="answers one question and exits",
        body="hello(); say(right(json.loads(sys.stdin.readline())['id']))",
        wanted=("crash",),
        cost=EVERY,
        whole=True,
    ),
    Bad(name="never says hello", body="time.sleep(600)", wanted=(STARTS_NOT,), whole=True),
    Bad(name="exits at once", body="sys.exit(3)", wanted=(STARTS_NOT,), whole=True),
    Bad(
        name="prints a banner first",
        body="print('Welcome to Euchre!', flush=True); hello()",
        wanted=(STARTS_NOT,),
        whole=True,
    ),
)
