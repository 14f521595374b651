// Package euchrebot plays sealed Euchre matches: write one function of type Choose, and Run it.
//
// The client draws the seat's seeds, checks every commit set before it reveals, holds its own cards
// against the sealed deck, derives the whole deck again at the close, and comes back by itself when
// the connection breaks.
package euchrebot

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"unicode"

	"euchrebot/internal/fault"
)

// Choose is a bot: the view and the legal actions go in, one of the actions comes out.
type Choose func(view *View, legal []string) string

// Run reads the flags of the command line, plays one match under the name that they or the caller
// give, and ends the program. Flags of a bot's own are defined with package flag beforehand.
//
// The exit status: 0 the match was closed; 1 the referee was lost, or the bot failed; 2 a flag or a
// file is wrong, or the key is not the pinned one; 3 the seal does not hold; 4 another process took
// the seat.
func Run(choose Choose, name string) {
	os.Exit(run(flag.CommandLine, os.Args[1:], choose, name))
}

func run(set *flag.FlagSet, args []string, choose Choose, name string) int {
	set.Init(name, flag.ContinueOnError)
	flags := defineFlags(set, name)
	options, err := flags.parse(set, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage(set, name))
		return 0
	case err == nil:
		stopWithGrace()
		var end result
		if end, err = play(choose, options, everyday); err == nil {
			say("%s", end)
			return 0
		}
	}
	say("%s", err)
	var known *fault.Error
	if errors.As(err, &known) {
		return known.Status
	}
	return fault.Lost
}

// stopWithGrace makes an interrupt end the program with a word on how to go on: all that the seat has
// promised is on disk before it is sent.
func stopWithGrace() {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		say("stopped; the seat stays ours: start again with the same files to go on")
		os.Exit(130)
	}()
}

// say tells the operator, on standard error; what came from outside cannot steer a terminal.
func say(format string, args ...any) {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return '?'
	}
	fmt.Fprintf(os.Stderr, "euchre-bot: %s\n", strings.Map(printable, fmt.Sprintf(format, args...)))
}
