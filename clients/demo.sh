#!/usr/bin/env bash
# The main job in one go: a sealed match between bots in two languages, verified offline.
# usage: demo.sh VENV_BIN OUT_DIR     (`make demo` calls it)
set -euo pipefail
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
out=$2

say() { printf '\n== %s\n' "$*"; }

north_south="dial:$bin/python -m euchre_bot.bots.sensible"
if command -v node >/dev/null && command -v npm >/dev/null; then
  east_west="dial:node $here/node/bots/sensible.mjs"
  say "Python (north-south) against Node $(node --version) (east-west), one game to 10"
else
  east_west="cmd:sh $here/shell/bot.sh"
  say "Python (north-south) against sh and awk (east-west), one game to 10"
  echo "node or npm is missing: the shell bot plays instead and cannot draw seeds, so this host"
  echo "draws them for its two seats; the JavaScript verifier is skipped"
fi
"$bin/euchre-referee" match --rules standard \
  --north-south "$north_south" --east-west "$east_west" \
  --db "$out/journal.db" --key "$out/referee.pem" --transcript "$out/match.jsonl"
key=$("$bin/python" - "$out/match.jsonl" <<'PY'
import json, sys
with open(sys.argv[1], encoding="ascii") as lines:
    print(json.loads(next(lines))["event"]["referee_key"])
PY
)

say "verified offline in Python"
"$bin/euchre-referee" verify "$out/match.jsonl" --referee-key "$key"
if command -v node >/dev/null; then
  say "verified offline in JavaScript"
  node "$here/node/verifier/euchre-verify.mjs" "$out/match.jsonl" --referee-key "$key"
fi

say "the corpus, against the referee"
"$bin/euchre-conformance" run -t referee:

say "done"
"$bin/euchre-referee" verify "$out/match.jsonl" --referee-key "$key" --json |
  "$bin/python" -c '
import json, sys
report = json.load(sys.stdin)
found = report["files"][0] if "files" in report else report
seeds = found["seeds"]
with open(sys.argv[1], encoding="ascii") as lines:
    closes = [e for e in (json.loads(line)["event"] for line in lines) if e["kind"] == "deal_close"]
score = closes[-1]["score"]
print("transcript:     %s" % sys.argv[1])
print("final score:    ns %d, ew %d" % (score["ns"], score["ew"]))
print("deals verified: %d of %d" % (found["verified"], found["deals"]))
print("seeds: %d by bots, %d by this host" % (seeds["seat"], seeds["host"]))
' "$out/match.jsonl"
cat <<EOF

try next:
  .venv/bin/euchre-referee show $2/match.jsonl --deal 1
  .venv/bin/euchre-referee prove-deal $2/match.jsonl 1 -o $2/deal-1.json
  .venv/bin/euchre-referee legal --rules standard --hand "JD TD" --trump H --led AD
  .venv/bin/euchre-referee match --north-south sensible --east-west "cmd:sh clients/shell/bot.sh"
  .venv/bin/euchre-conformance list
EOF
