// Command sensible plays as a careful beginner would: it counts trumps, leads aces, wins cheaply.
package main

import "euchrebot"

func main() { euchrebot.Run(choose, "sensible") }
