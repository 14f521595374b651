#!/usr/bin/env bash
# Legal actions in Euchre from the view alone, in jq; copy it, and put your own in its place.
#
# It needs bash and jq 1.6 or newer, and one jq answers all requests, a line each.
# Try it: euchre-conformance run -t "cmd:bash adapter.sh"
set -euo pipefail

exec jq --compact-output --unbuffered '
  def hello: {
    protocol: 1, name: "small-euchre-jq", version: "1", language: "jq",
    ops: ["legal"],
    rulesets: ["standard", "quick", "throw-in", "defend-alone", "ontario", "guide"],
    knobs: {                      # besides the named sets: every mixture of these values
      target: ["any"], first_dealer: ["any"], packets: ["any"], cut: ["any"],
      all_pass: ["stick", "throw_in"], throw_in_dealer: ["left", "same"],
      order_needs_trump: ["never", "left_counts"],
      partner_order: ["with_partner", "must_be_alone"],
      bury_upcard: ["allowed", "forbidden"],
      alone_who: ["maker", "making_side"], alone_when: ["with_call", "before_lead"],
      defend_alone: ["never", "vs_loner"],
      points_made: ["any"], points_march: ["any"], points_lone_march: ["any"],
      points_euchre: ["any"], points_euchre_all_five: ["any"],
      points_lone_euchred: ["any"], points_lone_defender: ["any"]
    },
    parallel: true
  };

  # The suit that a card counts as: the left bower is a trump.
  def suit_of($trump):
    {C: "S", S: "C", D: "H", H: "D"} as $twin
    | if . == "J" + $twin[$trump] then $trump else .[1:] end;

  def partner: {north: "south", south: "north", east: "west", west: "east"}[.];

  # A call, and the same call alone where that is said with the call.
  def with_alone($rules): ., (select($rules.alone_when == "with_call") | . + " alone");

  def order($rules; $view):
    $view.upcard[1:] as $turned
    | ($view.turn == $view.dealer or $rules.order_needs_trump == "never"
       or ($view.hand | any(suit_of($turned) == $turned))) as $may
    | ($rules.partner_order == "must_be_alone"
       and $view.turn == ($view.dealer | partner)) as $only_alone
    | select($may)
    | if $only_alone then "order alone" else "order" | with_alone($rules) end;

  def name($rules; $view):
    ("C", "D", "H", "S") | select(. != $view.upcard[1:]) | "name " + . | with_alone($rules);

  # The cards of the suit led, or all of them.
  def follow($view):
    if $view.led == null then .
    else
      ($view.led | suit_of($view.trump)) as $led
      | map(select(suit_of($view.trump) == $led)) as $able
      | if $able == [] then . else $able end
    end;

  def legal($rules; $view):
    if $view.phase == "round_one" then "pass", order($rules; $view)
    elif $view.phase == "round_two" then
      (select($view.turn != $view.dealer or $rules.all_pass == "throw_in") | "pass"),
      name($rules; $view)
    elif $view.phase == "discard" then
      $view.hand[] | select($rules.bury_upcard == "allowed" or . != $view.upcard) | "discard " + .
    elif $view.phase == "alone" then "alone", "decline"
    else $view.hand | follow($view)[] | "play " + .
    end;

  def answer:
    if .op == "hello" then hello
    elif .op != "legal" then {unsupported: .op}
    elif .view == null then {phase: "over", legal: [], closed: true}
    else .rules as $rules | .view as $view
      | {turn: $view.turn, phase: $view.phase, legal: [legal($rules; $view)]}
    end;

  {id} + answer
'
