// Package moving keeps lists of the state that a step of the lab leaves for the next one: it copies, compares, saves and reads
// them. It does not depend on their contents.
package moving

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
)

// ErrDamaged reports a saved list that is too short, or has an impossible number.
var ErrDamaged = errors.New("the saved list is damaged")

// List is a list of any elements.
type List interface {
	Allocate()
	Clone()
	Append(out []byte) ([]byte, error)
	Read(in io.Reader) error
	Same(other List) bool
}

// list is a List whose elements T are saved as S, data of fixed size.
type list[T any, S comparable] struct {
	items   *[]T
	length  int
	save    func(*T) S
	restore func(*T, S)
}

// Entire returns a list whose elements are saved unchanged.
func Entire[T comparable](items *[]T, length int) List {
	return Partial(items, length, func(item *T) *T { return item })
}

// Partial returns a list of which a part of each element is saved: the rest belongs to one step, or is derived from the seed.
func Partial[T any, S comparable](items *[]T, length int, part func(*T) *S) List {
	return list[T, S]{items, length, func(item *T) S { return *part(item) }, func(item *T, saved S) { *part(item) = saved }}
}

// Converted returns a list of which each element is saved in another form.
func Converted[T any, S comparable](items *[]T, length int, save func(*T) S, restore func(*T, S)) List {
	return list[T, S]{items, length, save, restore}
}

func (p list[T, S]) Allocate() { *p.items = make([]T, p.length) }

func (p list[T, S]) Clone() { *p.items = slices.Clone(*p.items) }

func (p list[T, S]) saved() []S {
	saved := make([]S, len(*p.items))
	for i := range saved {
		saved[i] = p.save(&(*p.items)[i])
	}
	return saved
}

func (p list[T, S]) Append(out []byte) ([]byte, error) {
	return binary.Append(out, binary.LittleEndian, p.saved())
}

// Read reads a list of the current length, and checks its remainders and levels.
func (p list[T, S]) Read(in io.Reader) error {
	saved := make([]S, len(*p.items))
	if err := binary.Read(in, binary.LittleEndian, saved); err != nil {
		return ErrDamaged
	}
	for i := range saved {
		if !possible(reflect.ValueOf(&saved[i]).Elem()) {
			return ErrDamaged
		}
		p.restore(&(*p.items)[i], saved[i])
	}
	return nil
}

func (p list[T, S]) Same(other List) bool {
	q, ok := other.(list[T, S])
	return ok && slices.Equal(p.saved(), q.saved())
}

// possible reports whether all remainders and levels in a value are in the range of a running lab: neither negative nor
// unbounded.
func possible(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return v.Float() >= 0 && v.Float() <= math.MaxUint32*1e6
	case reflect.Struct:
		for i := range v.NumField() {
			if !possible(v.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if !possible(v.Index(i)) {
				return false
			}
		}
	default: // integers and booleans are checked elsewhere
	}
	return true
}
