#!/usr/bin/env bash
# Every client against every other, a few sealed deals each, every transcript verified.
# usage: matrix.sh VENV_BIN [DEALS]     (`make matrix` calls it)
set -euo pipefail
bin=$(cd "$1" && pwd)
deals=${2:-2}
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

declare -A bots=(
  [python]="dial:$bin/python -m euchre_bot.bots.sensible"
  [shell]="cmd:sh $here/shell/bot.sh"
)
if command -v node >/dev/null && command -v npm >/dev/null; then
  bots[node]="dial:node $here/node/bots/sensible.mjs"
else
  echo "SKIPPED: node (node or npm is missing)"
fi
failed=0
printf '%-8s %-8s %-9s %-9s %6s %10s\n' ns ew finished verified faults seconds
for ns in $(printf '%s\n' "${!bots[@]}" | sort); do
  for ew in $(printf '%s\n' "${!bots[@]}" | sort); do
    file="$out/$ns-$ew.jsonl"
    start=$(date +%s.%N)
    finished=no verified=no
    "$bin/euchre-referee" match --deals "$deals" --north-south "${bots[$ns]}" \
      --east-west "${bots[$ew]}" --key "$out/referee.pem" --transcript "$file" --json \
      >"$out/report" 2>"$out/said" && finished=yes
    "$bin/euchre-referee" verify "$file" --json >"$out/verdict" 2>>"$out/said" && verified=yes
    faults=$(grep -o '"fault"' "$out/verdict" | wc -l || true)
    printf '%-8s %-8s %-9s %-9s %6s %10.1f\n' "$ns" "$ew" "$finished" "$verified" "$faults" \
      "$("$bin/python" -c "import sys; print(float(sys.argv[2]) - float(sys.argv[1]))" "$start" "$(date +%s.%N)")"
    if [ "$finished$verified" != yesyes ]; then
      failed=1
      sed 's/^/    /' "$out/said"
    fi
  done
done
exit $failed
