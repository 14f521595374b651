#!/bin/sh
# Plays Euchre over standard input and output: plain sh and awk, one JSON object a line.
# It takes any legal action, picked by the question's number.
while IFS= read -r line; do
  printf '%s\n' "$line" | awk '
    function field(name) {  # the text of a number or string field
      if (!match($0, "\"" name "\" *: *(\"[^\"]*\"|[0-9]+)")) return ""
      found = substr($0, RSTART, RLENGTH); sub(/^"[a-z]*" *: */, "", found); gsub(/"/, "", found)
      return found
    }
    function choose(  list, n, words, id) {
      if (!match($0, /"legal" *: *\[[^]]*\]/)) return
      list = substr($0, RSTART, RLENGTH); sub(/^[^[]*\[ *"/, "", list); sub(/" *\]$/, "", list)
      n = split(list, words, /" *, *"/); id = field("id")
      printf "{\"id\":%d,\"action\":\"%s\"}\n", id, words[(id * 7) % n + 1]
    }
    { op = field("op") }
    op == "hello"  { print "{\"name\":\"shell-bot\",\"ops\":[]}" }
    op == "choose" { choose() }
    op == "end"    { exit 1 }' || exit 0
done
