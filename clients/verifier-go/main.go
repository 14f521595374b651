// The seal of a Euchre deal, checked a third time: written from SEALING.md alone.
//
// The command judges the claims of a vectors file and names each one whose result is not ours.
package main

import (
	"fmt"
	"io"
	"os"
)

const (
	exitRight      = 0
	exitUsage      = 2
	exitDiffers    = 3
	exitUnreadable = 6
)

const usage = `usage: verifier-go FILE

Judge every claim of a vectors file (euchre-derivation-vectors/1).

exit: 0 every result is ours, 2 usage, 3 a result differs, 6 the file cannot be read
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(words []string, out, errors io.Writer) int {
	if len(words) == 1 && (words[0] == "-h" || words[0] == "--help") {
		fmt.Fprint(out, usage)
		return exitRight
	}
	if len(words) != 1 {
		fmt.Fprint(errors, usage)
		return exitUsage
	}
	text, err := os.ReadFile(words[0])
	if err != nil {
		fmt.Fprintf(errors, "verifier-go: %v (name a vectors file)\n", err)
		return exitUnreadable
	}
	claims, err := readClaims(text)
	if err != nil {
		fmt.Fprintf(errors, "verifier-go: %s: %v\n", words[0], err)
		return exitUnreadable
	}
	return report(claims, out, errors)
}

func report(claims []claim, out, errors io.Writer) int {
	differ := 0
	for _, c := range claims {
		holds, err := judgeClaim(c)
		if err != nil {
			fmt.Fprintf(errors, "verifier-go: %v\n", err)
			return exitUnreadable
		}
		if holds != (c.Result == "valid") {
			differ++
			fmt.Fprintf(out, "%s: the file says %s\n", c.ID, c.Result)
		}
	}
	fmt.Fprintf(out, "%d claims judged, %d differ\n", len(claims), differ)
	if differ > 0 {
		return exitDiffers
	}
	return exitRight
}
