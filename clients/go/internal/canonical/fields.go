package canonical

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"euchrebot/internal/fault"
)

// Seats are the places at the table, in the order of play.
var Seats = []string{"north", "east", "south", "west"}

// Fields are the fields of an event, read with their types.
//
// The first one that is absent or of a wrong type is kept, and Err tells it; what is read from then
// on has no meaning. Objects inside share what is kept.
type Fields struct {
	Where  string
	values Object
	fault  *error
}

// Read is the fields of an event, which must be in canonical form.
func Read(where string, event []byte) (Fields, error) {
	values, ok := Parse(event)
	if !ok {
		return Fields{}, fault.New(fault.Proof, "%s is not an object in canonical JSON", where)
	}
	return Fields{where, values, new(error)}, nil
}

// Err is the first thing that was wrong.
func (f Fields) Err() error { return *f.fault }

// As is the same fields under another name for messages.
func (f Fields) As(where string) Fields {
	f.Where = where
	return f
}

// Has tells whether a field is there.
func (f Fields) Has(key string) bool {
	_, ok := f.values[key]
	return ok
}

func (f Fields) wrong(format string, args ...any) {
	if *f.fault == nil {
		*f.fault = fault.New(fault.Proof, "%s%s", f.Where, fmt.Sprintf(format, args...))
	}
}

func get[T any](f Fields, key, wanted string) T {
	value, ok := f.values[key].(T)
	if !ok {
		if f.Has(key) {
			f.wrong(": %s is not %s", key, wanted)
		} else {
			f.wrong(" has no %s", key)
		}
	}
	return value
}

// Text is a string.
func (f Fields) Text(key string) string { return get[string](f, key, "a string") }

// Truth is true or false.
func (f Fields) Truth(key string) bool { return get[bool](f, key, "true or false") }

// Number is a whole number that fits the four bytes in which numbers are hashed.
func (f Fields) Number(key string) int {
	return f.number(key, get[json.Number](f, key, "a number"))
}

func (f Fields) number(key string, value json.Number) int {
	if f.Err() != nil {
		return 0
	}
	number, err := strconv.ParseUint(value.String(), 10, 32)
	if err != nil {
		f.wrong(": %s is too large: %s", key, value)
	}
	return int(number)
}

// Numbers is a list of whole numbers.
func (f Fields) Numbers(key string) []int {
	var numbers []int
	for _, item := range get[[]any](f, key, "a list") {
		value, ok := item.(json.Number)
		if !ok {
			f.wrong(": %s is not a list of numbers", key)
			return nil
		}
		numbers = append(numbers, f.number(key, value))
	}
	return numbers
}

// Seat is a seat, from its word.
func (f Fields) Seat(key string) int {
	word := f.Text(key)
	seat := slices.Index(Seats, word)
	if seat < 0 {
		f.wrong(": %s is not a seat but %q", key, word)
		return 0
	}
	return seat
}

// Bytes is bytes in lower-case hex, of one of the sizes.
func (f Fields) Bytes(key string, sizes ...int) []byte {
	return f.bytes(key, f.Text(key), sizes)
}

func (f Fields) bytes(key, text string, sizes []int) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil || text != strings.ToLower(text) || !slices.Contains(sizes, len(raw)) {
		f.wrong(": %s is not bytes in lower-case hex, %d of them", key, sizes)
		return make([]byte, slices.Max(sizes))
	}
	return raw
}

// BytesList is a list of so many bytes, each of one of the sizes.
func (f Fields) BytesList(key string, count int, sizes ...int) [][]byte {
	items := get[[]any](f, key, "a list")
	if len(items) != count {
		f.wrong(": %s is not a list of %d but of %d", key, count, len(items))
		items = make([]any, count)
	}
	found := make([][]byte, count)
	for i, item := range items {
		text, ok := item.(string)
		if !ok {
			f.wrong(": %s is not a list of strings", key)
		}
		found[i] = f.bytes(key, text, sizes)
	}
	return found
}

// Child is an object.
func (f Fields) Child(key string) Fields {
	return Fields{f.Where + ", " + key, get[Object](f, key, "an object"), f.fault}
}

// ChildrenIfAny is a list of objects; none where it is absent.
func (f Fields) ChildrenIfAny(key string) []Fields {
	if !f.Has(key) {
		return nil
	}
	return f.Children(key)
}

// Children is a list of objects.
func (f Fields) Children(key string) []Fields {
	var found []Fields
	for i, item := range get[[]any](f, key, "a list") {
		values, ok := item.(Object)
		if !ok {
			f.wrong(": %s is not a list of objects", key)
			return nil
		}
		found = append(found, Fields{fmt.Sprintf("%s, %s %d", f.Where, key, i), values, f.fault})
	}
	return found
}

// Texts is the whole object, in which each value is a string.
func (f Fields) Texts() map[string]string {
	texts := make(map[string]string, len(f.values))
	for key := range f.values {
		texts[key] = f.Text(key)
	}
	return texts
}
