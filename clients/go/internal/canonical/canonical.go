// Package canonical reads and writes the one spelling of JSON that events and kept files have.
package canonical

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

const (
	largest = 1<<53 - 1
	deepest = 6
)

var (
	aKey    = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)
	aText   = regexp.MustCompile(`^[ !#-\[\]-~]*$`)
	aNumber = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,15})$`)
)

// Object is the fields of a JSON object.
type Object = map[string]any

// Parse reads an object that is spelt in the one allowed way, and tells whether it is.
func Parse(text []byte) (Object, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var object Object
	if decoder.Decode(&object) != nil || object == nil {
		return nil, false
	}
	again, ok := Dump(object)
	return object, ok && bytes.Equal(again, text)
}

// Dump is the one spelling of an object; false where it has none.
func Dump(object Object) ([]byte, bool) {
	return appendValue(nil, object, 0)
}

func appendValue(out []byte, value any, depth int) ([]byte, bool) {
	switch value := value.(type) {
	case bool:
		return strconv.AppendBool(out, value), true
	case string:
		return append(append(append(out, '"'), value...), '"'), aText.MatchString(value)
	case json.Number:
		number, err := strconv.ParseInt(value.String(), 10, 64)
		return append(out, value...), err == nil && number <= largest && aNumber.MatchString(value.String())
	case int:
		return strconv.AppendInt(out, int64(value), 10), 0 <= value && value <= largest
	case []any:
		return appendList(out, value, depth)
	case Object:
		return appendObject(out, value, depth)
	default:
		return out, false
	}
}

func appendList(out []byte, items []any, depth int) ([]byte, bool) {
	out, ok := append(out, '['), depth < deepest
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		if !ok {
			return out, false
		}
		out, ok = appendValue(out, item, depth+1)
	}
	return append(out, ']'), ok
}

func appendObject(out []byte, object Object, depth int) ([]byte, bool) {
	out, ok := append(out, '{'), depth < deepest
	for i, key := range slices.Sorted(maps.Keys(object)) {
		if i > 0 {
			out = append(out, ',')
		}
		if !ok || !aKey.MatchString(key) {
			return out, false
		}
		out = append(append(append(out, '"'), key...), '"', ':')
		out, ok = appendValue(out, object[key], depth+1)
	}
	return append(out, '}'), ok
}
