"""A machine-made mutant that speaks JSON lines: `python -m conformance.machine ID`."""

import json
import sys

from conformance.errors import UsageError
from conformance.machine import change_of, load_changed


def serve(wanted: str) -> int:
    """Answer every line of standard input until it ends."""
    try:
        answer = load_changed(change_of(wanted))
    except UsageError as err:
        sys.stderr.write(f"{err}\n")
        return err.exit_code
    for text in sys.stdin:
        request = json.loads(text)
        said: dict[str, object]
        if request["op"] == "hello":
            said = {"protocol": 1, "name": f"machine:{wanted}", "ops": OPS, "knobs": {}}
        else:
            said = dict(answer(request))
        sys.stdout.write(json.dumps({"id": request["id"], **said}) + "\n")
        sys.stdout.flush()
    return 0


OPS = [
    *("legal", "apply", "view", "replay", "score", "deck", "draw", "game", "perft", "adjudicate"),
    "verify",
]

if __name__ == "__main__":
    sys.exit(serve(sys.argv[1]))
