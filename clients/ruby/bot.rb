#!/usr/bin/env ruby
# Plays Euchre over standard input and output with the standard library alone: change choose.
require "digest"
require "json"

# Any legal action, the same one for the same match and moment.
def choose(view, legal, match)
  moment = "0/#{match}/#{view["state_version"] + 1}/#{view["seat"]}"
  legal.sort[Digest::SHA256.digest(moment).unpack1("N") % legal.size]
end

$stdout.sync = true
match = nil
while (line = $stdin.gets)
  told = JSON.parse(line) rescue next
  case told["op"]
  when "hello"
    match = told["match"]
    puts JSON.generate(name: "ruby-bot", ops: [])
  when "choose"
    puts JSON.generate(id: told["id"], action: choose(told["view"], told["legal"], match))
  when "end" then break
  end
end
