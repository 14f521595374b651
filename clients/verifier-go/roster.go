package main

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
)

// entry is one line of a roster: a key that a name has from a time on.
type entry struct {
	From string `json:"from"`
	Key  string `json:"key"`
	Name string `json:"name"`
	Sig  string `json:"sig"`
}

type listed struct {
	key  publicKey
	from int64
}

var (
	decimal   = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	signature = regexp.MustCompile(`^([0-9a-f]{128})?$`)
)

// rosterHolds tells whether every new key of a name is signed by the one before it.
func rosterHolds(entries []entry) bool {
	names := map[string][]listed{}
	for _, e := range entries {
		key, sound := parseKey(e.Key)
		from, err := strconv.ParseInt(e.From, 10, 64)
		if !sound || err != nil || !decimal.MatchString(e.From) || from > largestNumber {
			return false
		}
		sig, err := hex.DecodeString(e.Sig)
		if err != nil || !signature.MatchString(e.Sig) || key.name != e.Name {
			return false
		}
		if !succeeds(names[e.Name], key, e.From, from, sig) {
			return false
		}
		names[e.Name] = append(names[e.Name], listed{key, from})
	}
	return len(entries) > 0
}

func succeeds(before []listed, key publicKey, text string, from int64, sig []byte) bool {
	if len(before) == 0 {
		return len(sig) == 0
	}
	last := before[len(before)-1]
	had := func(known listed) bool { return bytes.Equal(known.key.raw, key.raw) }
	if from <= last.from || slices.ContainsFunc(before, had) {
		return false
	}
	message := tagged(tagRoster, []byte(key.name), last.key.raw, key.raw, []byte(text))
	return last.key.signed(message, sig)
}
