// Package bounds reads the tag `range:"1 400"` of struct fields: the bounds of a number, both included, or of the length of a
// list. Fields declare their bounds, from which checks and documentation are derived. The package is independent of the meaning
// of the numbers.
package bounds

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Range is from Low to High, both included.
type Range struct{ Low, High float64 }

// Of returns the range of a field; ok is false for a field without one. It panics on an invalid tag.
func Of(f *reflect.StructField) (r Range, ok bool) {
	text, ok := f.Tag.Lookup("range")
	if !ok {
		return r, false
	}
	low, high, two := strings.Cut(text, " ")
	var err1, err2 error
	r.Low, err1 = strconv.ParseFloat(low, 64)
	r.High, err2 = strconv.ParseFloat(high, 64)
	if !two || err1 != nil || err2 != nil {
		panic("bounds: the tag of " + f.Name + " is not a range: " + text)
	}
	return r, true
}

// String returns the form "1 to 400".
func (r Range) String() string { return number(r.Low) + " to " + number(r.High) }

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Problem returns the violation of the range by a value: "must be 1 to 400, not 0"; empty for a valid value.
func (r Range) Problem(v reflect.Value) string {
	var n float64
	switch {
	case v.CanInt():
		n = float64(v.Int())
	case v.CanUint():
		n = float64(v.Uint())
	case v.CanFloat():
		n = v.Float()
	default:
		n = float64(v.Len())
	}
	if n >= r.Low && n <= r.High { // not so for a NaN
		return ""
	}
	return "must be " + r.String() + ", not " + number(n)
}

// Check returns an error for the first field of a struct that is out of its range.
func Check(structure any) error {
	v := reflect.Indirect(reflect.ValueOf(structure))
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if r, ok := Of(&f); ok {
			if problem := r.Problem(v.Field(i)); problem != "" {
				return fmt.Errorf("%s %s", f.Name, problem)
			}
		}
	}
	return nil
}
