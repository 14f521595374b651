package canonical

import (
	"errors"
	"strings"
	"testing"

	"euchrebot/internal/fault"
	"euchrebot/internal/vectors"
)

func TestOnlyTheOneSpellingOfAnObjectIsRead(t *testing.T) {
	vectors.Claims(t, "form", func(_ *testing.T, c struct{ Text string }) bool {
		var text []byte
		for _, letter := range c.Text {
			text = append(text, byte(letter))
		}
		_, ok := Parse(text)
		return ok
	})
}

func TestAnObjectThatHasNoSpellingIsNotWritten(t *testing.T) {
	for _, value := range []any{-1, 1 << 53, `"`, "\n", "ü", nil, 1.5, Object{"Key": "x"}} {
		if text, ok := Dump(Object{"value": value}); ok {
			t.Errorf("%#v is written as %s", value, text)
		}
	}
}

func TestTheFirstFieldThatIsWrongIsTold(t *testing.T) {
	const event = `{"a":"0G","b":"nobody","c":[1,true],"d":"00","e":5000000000,"f":["00"]}`
	tests := []struct {
		read func(f Fields)
		says string
	}{
		{func(f Fields) { f.Bytes("a", 1) }, "event 1: a is not bytes in lower-case hex"},
		{func(f Fields) { f.Seat("b") }, `event 1: b is not a seat but "nobody"`},
		{func(f Fields) { f.Numbers("c") }, "event 1: c is not a list of numbers"},
		{func(f Fields) { f.Bytes("d", 2) }, "event 1: d is not bytes in lower-case hex, [2] of them"},
		{func(f Fields) { f.Number("e") }, "event 1: e is too large: 5000000000"},
		{func(f Fields) { f.Text("e") }, "event 1: e is not a string"},
		{func(f Fields) { f.BytesList("f", 2, 1) }, "event 1: f is not a list of 2 but of 1"},
		{func(f Fields) { f.Child("a").Text("x") }, "event 1: a is not an object"},
		{func(f Fields) { f.Children("c") }, "event 1: c is not a list of objects"},
		{func(f Fields) { f.Text("g"); f.Text("e") }, "event 1 has no g"},
	}
	for _, test := range tests {
		fields, err := Read("event 1", []byte(event))
		if err != nil {
			t.Fatal(err)
		}
		test.read(fields)
		if fields.Err() == nil || !strings.HasPrefix(fields.Err().Error(), test.says) {
			t.Errorf("%v, not %s", fields.Err(), test.says)
		}
		var known *fault.Error
		if !errors.As(fields.Err(), &known) || known.Status != fault.Proof {
			t.Errorf("%v is no breach of the seal", fields.Err())
		}
	}
}
