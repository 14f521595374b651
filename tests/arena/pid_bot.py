"""A bot over stdio that notes its process, and plays the first legal action."""

import json
import os
import sys
from pathlib import Path

Path(sys.argv[1], str(os.getpid())).touch()
for line in sys.stdin:
    asked = json.loads(line)
    match asked["op"]:
        case "hello":
            answer = {"op": "hello", "name": "pid"}
        case "choose":
            answer = {"op": "choose", "id": asked["id"], "action": asked["legal"][0]}
        case "end":
            break
        case _:
            continue
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
