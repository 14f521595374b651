// Package fault says what ends a match early, and with which exit status.
package fault

import "fmt"

// The exit statuses of a bot.
const (
	Lost  = 1 // the referee could not be reached or would not have us, or the bot itself failed
	Usage = 2 // a flag, a file or an address is not usable, or the key is not the pinned one
	Proof = 3 // a seal, a signature or a promise of the referee is broken
	Taken = 4 // another process has the seat
)

// Error is a reason to stop, with the exit status that it comes to.
type Error struct {
	Status int
	text   string
	cause  error
}

// New is an error with an exit status; the rest is as for fmt.Errorf.
func New(status int, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Status: status, text: err.Error(), cause: err}
}

// Error is what is said, and what can be done about it.
func (e *Error) Error() string { return e.text }

// Unwrap gives what the error was made of.
func (e *Error) Unwrap() error { return e.cause }
