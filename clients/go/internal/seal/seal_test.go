package seal

import (
	"bytes"
	"testing"

	"euchrebot/internal/vectors"
)

type place struct {
	Match vectors.Hex
	Deal  int
}

func TestALinkOfTheChainIsTheHashOfTheOneAboveIt(t *testing.T) {
	type claim struct {
		Match, Link, Below vectors.Hex
		K                  int
	}
	vectors.Claims(t, "link", func(_ *testing.T, c claim) bool {
		return bytes.Equal(Descend(c.Match, c.Link, c.K, c.K-1), c.Below)
	})
}

func TestASeedFollowsFromTheSecretTheMatchAndTheDeal(t *testing.T) {
	type claim struct {
		place
		Secret, Seed vectors.Hex
	}
	vectors.Claims(t, "seed", func(_ *testing.T, c claim) bool {
		return bytes.Equal(Seed(c.Secret, c.Match, c.Deal), c.Seed)
	})
}

func TestANumberBelowABoundIsTakenFromBytesWithRejection(t *testing.T) {
	type claim struct {
		M, Value, Taken int
		Bytes           vectors.Hex
	}
	vectors.Claims(t, "below", func(_ *testing.T, c claim) bool {
		taken := 0
		value := below(func() int {
			taken++
			if taken > len(c.Bytes) {
				return 0 // past what the claim holds: it is wrong by then
			}
			return int(c.Bytes[taken-1])
		}, c.M)
		return value == c.Value && taken == c.Taken
	})
}

func TestTheDealerDrawStartsWhereItsOwnStreamSays(t *testing.T) {
	type claim struct {
		Key  vectors.Hex
		Seat int
	}
	vectors.Claims(t, "start", func(_ *testing.T, c claim) bool { return firstSeat(c.Key) == c.Seat })
}

func TestAHeadFollowsFromTheOneBeforeAndTheBytesOfTheEvent(t *testing.T) {
	type claim struct {
		Prev, Head vectors.Hex
		Event      string
	}
	vectors.Claims(t, "event", func(_ *testing.T, c claim) bool {
		return bytes.Equal(Head(c.Prev, []byte(c.Event)), c.Head)
	})
}
