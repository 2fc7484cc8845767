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

// rule is the constraints on one field; relations between fields are checked elsewhere.
type rule struct {
	field    int
	key      any // string, boxed for paths
	limits   bounds.Range
	limited  bool
	required bool
	duration bool
	isEnum   bool
	fields   table // of a nested struct or slice of structs
}

// descriptionRules returns the rules of a Description.
var descriptionRules = sync.OnceValue(func() table { return fieldRules(reflect.TypeFor[Description]()) })

func fieldRules(structure reflect.Type) (list table) {
	for i := range structure.NumField() {
		f := structure.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if key == "" {
			continue
		}
		r := rule{field: i, key: key, required: f.Tag.Get("required") != ""}
		r.limits, r.limited = bounds.Of(&f)
		kind := f.Type
		r.isEnum = kind.Implements(reflect.TypeFor[enumeration]())
		if kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		r.duration = kind == reflect.TypeFor[Duration]()
		if kind.Kind() == reflect.Struct {
			r.fields = fieldRules(kind)
		}
		list = append(list, r)
	}
	return list
}

// checkTable checks the fields of a struct, recursively.
func (c *checker) checkTable(rules table, v reflect.Value, path []any) {
	for i := range rules {
		if r := &rules[i]; c.err == nil {
			c.checkField(r, v.Field(r.field), append(path, r.key))
		}
	}
}

func (c *checker) checkField(r *rule, v reflect.Value, path []any) {
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
		c.report(path, "%s is required", r.key)
	case v.Kind() == reflect.String:
		c.text(v.String(), path)
	case r.duration && list:
		for i := range v.Len() {
			c.checkDuration(v.Index(i), path)
		}
	case r.duration:
		c.checkDuration(v, path)
	case r.isEnum: // Decoding validates names but not numbers, so check the range here.
		if words := v.Interface().(enumeration).words(); v.Uint() >= uint64(len(words)) {
			c.report(path, "%s must be one of %s", r.key, strings.Join(words, ", "))
		}
	case r.fields != nil && list:
		for i := range v.Len() {
			c.checkTable(r.fields, v.Index(i), append(path, i))
		}
	case r.fields != nil:
		c.checkTable(r.fields, v, path)
	}
}

// checkDuration reports a duration that is negative or longer than a day.
func (c *checker) checkDuration(v reflect.Value, path []any) {
	if d := time.Duration(v.Int()); d < 0 || d > MaxDuration {
		c.report(path, "%s must be from 0s to 24h", path[len(path)-1])
	}
}
