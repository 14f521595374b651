package main

const (
	deepest       = 6
	longestKey    = 32
	largestNumber = 1<<53 - 1
)

// canonical tells whether bytes are an object in canonical form: one spelling for each value.
func canonical(text []byte) bool {
	r := reader{text: text}
	return r.object(1) && r.at == len(text)
}

type reader struct {
	text []byte
	at   int
}

// peek is the next byte; 0, which the form does not know, stands for the end.
func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *reader) eat(letters string) bool {
	for i := 0; i < len(letters); i++ {
		if r.peek() != letters[i] {
			return false
		}
		r.at++
	}
	return true
}

func (r *reader) value(depth int) bool {
	switch c := r.peek(); {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '"':
		_, ok := r.quoted()
		return ok
	case c == 't':
		return r.eat("true")
	case c == 'f':
		return r.eat("false")
	default:
		return r.number()
	}
}

func (r *reader) object(depth int) bool {
	if depth > deepest || !r.eat("{") {
		return false
	}
	if r.eat("}") {
		return true
	}
	last := ""
	for {
		key, ok := r.quoted()
		if !ok || !isKey(key) || key <= last || !r.eat(":") || !r.value(depth+1) {
			return false
		}
		last = key
		if !r.eat(",") {
			return r.eat("}")
		}
	}
}

func (r *reader) array(depth int) bool {
	if depth > deepest || !r.eat("[") {
		return false
	}
	if r.eat("]") {
		return true
	}
	for {
		if !r.value(depth + 1) {
			return false
		}
		if !r.eat(",") {
			return r.eat("]")
		}
	}
}

// quoted is a string between quotes.
func (r *reader) quoted() (string, bool) {
	if !r.eat(`"`) {
		return "", false
	}
	start := r.at
	for r.peek() >= ' ' && r.peek() <= '~' && r.peek() != '"' && r.peek() != '\\' {
		r.at++
	}
	text := string(r.text[start:r.at])
	return text, r.eat(`"`)
}

func isKey(key string) bool {
	if key == "" || len(key) > longestKey || key[0] < 'a' || key[0] > 'z' {
		return false
	}
	for i := 0; i < len(key); i++ {
		c := key[i]
		if !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' {
			return false
		}
	}
	return true
}

func (r *reader) number() bool {
	start, value := r.at, int64(0)
	for r.peek() >= '0' && r.peek() <= '9' {
		value = value*10 + int64(r.peek()-'0')
		r.at++
		if value > largestNumber {
			return false
		}
	}
	digits := r.at - start
	return digits == 1 || digits > 1 && r.text[start] != '0'
}
