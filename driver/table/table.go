// Package table reads the tables that are embedded in the program: JSON in the fields of Go structures. The program reads half
// a megabyte of JSON before its first frame, so the reader is fast rather than general: a key must equal its field's tag, and a
// key without a field is an error. It is independent of the contents of the tables, and reads no outside data.
package table

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Read reads a table. Its strings are parts of the text, which is not copied.
func Read[T any](text string) (read T, err error) {
	r := reader{text: text, plans: map[reflect.Type]*plan{}}
	defer func() {
		if problem := recover(); problem != nil {
			wrong, ok := problem.(*syntaxError)
			if !ok {
				panic(problem)
			}
			err = wrong
		}
	}()
	r.value(reflect.ValueOf(&read).Elem(), r.planOf(reflect.TypeFor[T]()))
	if r.peekByte() != 0 {
		r.fail("there is data after the end")
	}
	return read, nil
}

// syntaxError is an error in a table, with its position.
type syntaxError struct {
	line    int
	problem string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.problem) }

type reader struct {
	text  string
	at    int
	plans map[reflect.Type]*plan
	words []string // of the list that is being read
}

func (r *reader) fail(format string, args ...any) {
	panic(&syntaxError{1 + strings.Count(r.text[:min(r.at, len(r.text))], "\n"), fmt.Sprintf(format, args...)})
}

// plan describes how a type is read. It is made once for each type of a table.
type plan struct {
	read   func(r *reader, into reflect.Value)
	fields []field
	of     *plan // the element of a list, a map or a pointer
}

type field struct {
	key  string
	path []int // the field's index, through embedded structures
	plan *plan
}

var (
	ownJSON = reflect.TypeFor[json.Unmarshaler]()
	ownText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func (r *reader) value(into reflect.Value, p *plan) { p.read(r, into) }

func (r *reader) planOf(t reflect.Type) *plan {
	if p := r.plans[t]; p != nil {
		return p
	}
	p := &plan{}
	r.plans[t] = p
	switch pointer := reflect.PointerTo(t); {
	case t == reflect.TypeFor[json.RawMessage]():
		p.read = func(r *reader, into reflect.Value) { into.SetBytes([]byte(r.skip())) }
	case pointer.Implements(ownJSON):
		p.read = func(r *reader, into reflect.Value) {
			if err := into.Addr().Interface().(json.Unmarshaler).UnmarshalJSON([]byte(r.skip())); err != nil {
				r.fail("%v", err)
			}
		}
	case pointer.Implements(ownText):
		p.read = func(r *reader, into reflect.Value) {
			if err := into.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(r.string())); err != nil {
				r.fail("%v", err)
			}
		}
	default:
		r.planKind(p, t)
	}
	return p
}

func (r *reader) planKind(p *plan, t reflect.Type) {
	switch t.Kind() {
	case reflect.String:
		p.read = func(r *reader, into reflect.Value) { into.SetString(r.string()) }
	case reflect.Bool:
		p.read = func(r *reader, into reflect.Value) { into.SetBool(r.readBool()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.read = func(r *reader, into reflect.Value) {
			n, err := strconv.ParseInt(r.skip(), 10, into.Type().Bits())
			if err != nil {
				r.fail("%v", err)
			}
			into.SetInt(n)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.read = func(r *reader, into reflect.Value) {
			n, err := strconv.ParseUint(r.skip(), 10, into.Type().Bits())
			if err != nil {
				r.fail("%v", err)
			}
			into.SetUint(n)
		}
	case reflect.Float64:
		p.read = func(r *reader, into reflect.Value) {
			x, err := strconv.ParseFloat(r.skip(), 64)
			if err != nil || math.IsInf(x, 0) {
				r.fail("a number is missing")
			}
			into.SetFloat(x)
		}
	case reflect.Pointer:
		p.of = r.planOf(t.Elem())
		p.read = func(r *reader, into reflect.Value) {
			into.Set(reflect.New(t.Elem()))
			r.value(into.Elem(), p.of)
		}
	case reflect.Slice:
		p.of = r.planOf(t.Elem())
		p.read = func(r *reader, into reflect.Value) { r.list(into, p.of) }
		if t == reflect.TypeFor[[]string]() {
			p.read = func(r *reader, into reflect.Value) { *into.Addr().Interface().(*[]string) = r.strings() }
		}
	case reflect.Map:
		p.of = r.planOf(t.Elem())
		p.read = func(r *reader, into reflect.Value) {
			into.Set(reflect.MakeMap(t))
			r.object(func(key string) {
				value := reflect.New(t.Elem()).Elem()
				r.value(value, p.of)
				into.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), value)
			})
		}
	case reflect.Struct:
		r.planFields(p, t, nil)
		p.read = func(r *reader, into reflect.Value) { r.structure(into, p) }
	default:
		panic("a table can't hold a " + t.String())
	}
}

func (r *reader) planFields(p *plan, t reflect.Type, above []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		path := append(append([]int(nil), above...), i)
		switch key := f.Tag.Get("json"); {
		case f.Anonymous && key == "":
			r.planFields(p, f.Type, path)
		case key != "" && key != "-":
			p.fields = append(p.fields, field{key, path, r.planOf(f.Type)})
		}
	}
}

// structure reads an object. Keys are mostly in the order of the fields.
func (r *reader) structure(into reflect.Value, p *plan) {
	next := 0
	r.object(func(key string) {
		for range p.fields {
			f := &p.fields[next]
			if next++; next == len(p.fields) {
				next = 0
			}
			if f.key != key {
				continue
			}
			place := into
			for _, i := range f.path {
				place = place.Field(i)
			}
			if r.peekByte() == 'n' {
				r.word("null")
			} else {
				r.value(place, f.plan)
			}
			return
		}
		r.fail("there is no field %q", key)
	})
}

func (r *reader) object(member func(key string)) {
	r.expect('{')
	if r.peekByte() == '}' {
		r.at++
		return
	}
	for {
		if r.peekByte() != '"' {
			r.fail("a key is missing")
		}
		key := r.string()
		r.expect(':')
		member(key)
		if !r.moreElements('}') {
			return
		}
	}
}

func (r *reader) list(into reflect.Value, of *plan) {
	r.expect('[')
	if r.peekByte() == ']' {
		r.at++
		into.Set(reflect.MakeSlice(into.Type(), 0, 0))
		return
	}
	for n := 0; ; {
		if n == into.Cap() {
			into.Grow(1)
		}
		into.SetLen(n + 1)
		r.value(into.Index(n), of)
		if n++; !r.moreElements(']') {
			break
		}
	}
	if n := into.Len(); into.Cap() > n { // it is kept permanently
		exact := reflect.MakeSlice(into.Type(), n, n)
		reflect.Copy(exact, into)
		into.Set(exact)
	}
}

// strings reads a list of texts into a slice of the exact length.
func (r *reader) strings() []string {
	r.expect('[')
	if r.peekByte() == ']' {
		r.at++
		return []string{}
	}
	r.words = r.words[:0]
	for {
		r.words = append(r.words, r.string())
		if !r.moreElements(']') {
			return append(make([]string, 0, len(r.words)), r.words...)
		}
	}
}

// moreElements reports whether another element follows, and reads the comma or the end.
func (r *reader) moreElements(end byte) bool {
	switch r.peekByte() {
	case ',':
		r.at++
		return true
	case end:
		r.at++
		return false
	}
	r.fail("a comma or %q is missing", end)
	return false
}

// peekByte returns the next byte other than white space, 0 at the end.
func (r *reader) peekByte() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\n', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) expect(c byte) {
	if r.peekByte() != c {
		r.fail("%q is missing", c)
	}
	r.at++
}

func (r *reader) word(word string) {
	if !strings.HasPrefix(r.text[r.at:], word) {
		r.fail("%q is missing", word)
	}
	r.at += len(word)
}

func (r *reader) readBool() bool {
	if r.peekByte() == 't' {
		r.word("true")
		return true
	}
	r.word("false")
	return false
}

func (r *reader) string() string {
	r.expect('"')
	first := r.at
	end := strings.IndexByte(r.text[first:], '"')
	if end < 0 {
		r.fail("a text is not terminated")
	}
	if strings.IndexByte(r.text[first:first+end], '\\') < 0 {
		r.at += end + 1
		return r.text[first : first+end]
	}
	r.at--
	var s string
	if err := json.Unmarshal([]byte(r.skip()), &s); err != nil {
		r.fail("%v", err)
	}
	return s
}

// skip skips a value of any kind, and returns its text.
func (r *reader) skip() string {
	if r.peekByte() == 0 {
		r.fail("a value is missing")
	}
	first, depth := r.at, 0
	for ; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '"':
			for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
				if r.text[r.at] == '\\' {
					r.at++
				}
			}
			if depth == 0 {
				r.at = min(r.at+1, len(r.text))
				return r.text[first:r.at]
			}
		case '[', '{':
			depth++
		case ']', '}', ',':
			if depth == 0 {
				return strings.TrimSpace(r.text[first:r.at])
			}
			if r.text[r.at] == ',' {
				continue
			}
			if depth--; depth == 0 {
				r.at++
				return r.text[first:r.at]
			}
		}
	}
	if depth > 0 {
		r.fail("a value is not terminated")
	}
	return strings.TrimSpace(r.text[first:])
}
