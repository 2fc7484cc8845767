package description

import (
	"reflect"
	"strings"
	"sync"
	"time"

	"cxdeck/device/bounds"
)

// table holds the rules of a struct's fields, from their tags and types.
type table []rule

// rule is the requirements on one field by itself; relations between fields are checked elsewhere.
type rule struct {
	field    int
	key      any // a string
	limits   bounds.Range
	limited  bool
	required bool
	duration bool
	word     bool  // it belongs to an enumeration
	inner    table // of a table or of a list of tables
}

// rules are the rules of a description.
var rules = sync.OnceValue(func() table { return rulesOf(reflect.TypeFor[Description]()) })

func rulesOf(structure reflect.Type) (list table) {
	for i := range structure.NumField() {
		f := structure.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if key == "" {
			continue
		}
		r := rule{field: i, key: key, required: f.Tag.Get("required") != ""}
		r.limits, r.limited = bounds.Of(&f)
		kind := f.Type
		r.word = kind.Implements(reflect.TypeFor[enumeration]())
		if kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		r.duration = kind == reflect.TypeFor[Duration]()
		if kind.Kind() == reflect.Struct {
			r.inner = rulesOf(kind)
		}
		list = append(list, r)
	}
	return list
}

// checkTable checks the fields of a struct, recursively.
func (c *checker) checkTable(rules table, v reflect.Value, at []any) {
	for i := range rules {
		if r := &rules[i]; c.err == nil {
			c.field(r, v.Field(r.field), append(at, r.key))
		}
	}
}

func (c *checker) field(r *rule, v reflect.Value, path []any) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if r.limited {
		if problem := r.limits.Problem(v); problem != "" {
			c.report(path, "%s %s", r.key, problem)
		}
	}
	list := v.Kind() == reflect.Slice
	switch {
	case v.Kind() == reflect.String && r.required && v.Len() == 0:
		c.report(path, "%s is missing", r.key)
	case v.Kind() == reflect.String:
		c.text(v.String(), path)
	case r.duration && list:
		for i := range v.Len() {
			c.span(v.Index(i), path)
		}
	case r.duration:
		c.span(v, path)
	case r.word: // a number in place of a word is not checked when words are read
		if words := v.Interface().(enumeration).words(); v.Uint() >= uint64(len(words)) {
			c.report(path, "%s must be one of %s", r.key, strings.Join(words, ", "))
		}
	case r.inner != nil && list:
		for i := range v.Len() {
			c.checkTable(r.inner, v.Index(i), append(path, i))
		}
	case r.inner != nil:
		c.checkTable(r.inner, v, path)
	}
}

// span reports a duration that is negative or longer than a day.
func (c *checker) span(v reflect.Value, path []any) {
	if d := time.Duration(v.Int()); d < 0 || d > MaxDuration {
		c.report(path, "%s must be durations from 0s to 24h", path[len(path)-1])
	}
}
