package main

import "testing"

// given is a source of bytes that ends.
func given(all ...byte) byteSource {
	return func() (byte, bool) {
		if len(all) == 0 {
			return 0, false
		}
		first := all[0]
		all = all[1:]
		return first, true
	}
}

func TestBelowGivesEachNumberAsOftenAsAnother(t *testing.T) {
	for m := 1; m <= 256; m++ {
		counts := make([]int, m)
		for x := 0; x < 256; x++ {
			if value, ok := below(m, given(byte(x))); ok {
				counts[value]++
			}
		}
		for value, count := range counts {
			if count != 256/m {
				t.Fatalf("below(%d) is %d from %d bytes, not from %d", m, value, count, 256/m)
			}
		}
	}
}

func TestBelowRefusesWhatOneByteCannotGive(t *testing.T) {
	for _, m := range []int{-1, 0, 257} {
		if _, ok := below(m, given(0)); ok {
			t.Errorf("below(%d) gave a number", m)
		}
	}
}

func TestEveryPackHoldsEachOfItsCardsOnce(t *testing.T) {
	sizes := map[string]int{"E24": 24, "E25": 25, "E28": 28, "E32": 32, "E25J": 25, "E33J": 33}
	for name, cards := range packs {
		different := map[string]bool{}
		for _, card := range cards {
			different[card] = true
		}
		if len(cards) != sizes[name] || len(different) != sizes[name] {
			t.Errorf("%s holds %d cards, %d of them different", name, len(cards), len(different))
		}
	}
}
