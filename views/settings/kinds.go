package settings

import (
	"bytes"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// typeOf returns the Go type of a key of the file; for a list, the type of its elements. It stops at the first part of the key
// that does not exist.
func typeOf(key toml.Key) reflect.Type {
	typ := reflect.TypeFor[Settings]()
	for _, part := range key {
		if typ.Kind() != reflect.Struct {
			break
		}
		for i := range typ.NumField() {
			if typ.Field(i).Tag.Get("toml") == part {
				typ = typ.Field(i).Type
				break
			}
		}
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
	}
	return typ
}

// readsText reports whether values of a type are texts in the file.
func readsText(typ reflect.Type) bool {
	return typ.Kind() == reflect.String || reflect.PointerTo(typ).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// kindSentence returns the error text for a value of the wrong kind.
func kindSentence(key toml.Key) string {
	name, typ := strings.Join(key, "."), typeOf(key)
	switch {
	case name == "threshold.run":
		return name + ` must be a list of texts, such as ["logger", "{path}"]`
	case name == "lab.speed":
		return name + " must be a number from 0.1 to 1000"
	case readsText(typ):
		return name + " must be a text in quotes"
	case typ.Kind() == reflect.Bool:
		return name + " must be true or false"
	case typ.Kind() == reflect.Uint64:
		return fmt.Sprintf("%s must be an integer from 0 to %d", name, math.MaxInt64)
	default:
		return name + " is a table, with a line of its own: [" + name + "]"
	}
}

// unquoted returns the key of the first length of time or size that is a number without quotes, nil for none. It would be read as
// nanoseconds or bytes: a max_age of 30 ns would empty the history.
func unquoted(data []byte) toml.Key {
	var values struct {
		Interval any `toml:"interval"`
		History  struct {
			MaximumAge any `toml:"max_age"`
			MaximumUse any `toml:"max_size"`
			Samples    any `toml:"keep_samples"`
			Minutes    any `toml:"keep_minutes"`
		} `toml:"history"`
		Thresholds []struct {
			For any `toml:"for"`
		} `toml:"threshold"`
	}
	if toml.Unmarshal(data, &values) != nil {
		return nil // reported already
	}
	bare := func(value any) bool {
		_, text := value.(string)
		return value != nil && !text
	}
	switch {
	case bare(values.Interval):
		return toml.Key{"interval"}
	case bare(values.History.MaximumAge):
		return toml.Key{"history", "max_age"}
	case bare(values.History.MaximumUse):
		return toml.Key{"history", "max_size"}
	case bare(values.History.Samples):
		return toml.Key{"history", "keep_samples"}
	case bare(values.History.Minutes):
		return toml.Key{"history", "keep_minutes"}
	}
	for _, threshold := range values.Thresholds {
		if bare(threshold.For) {
			return toml.Key{"threshold", "for"}
		}
	}
	return nil
}

// bareValuePlace returns the position of the value in the first line "key = value" without quotes.
func bareValuePlace(data []byte, key string) (line, column int) {
	for i, text := range bytes.Split(data, []byte("\n")) {
		name, value, ok := bytes.Cut(text, []byte("="))
		bare := bytes.TrimLeft(value, " \t")
		if ok && string(bytes.TrimSpace(name)) == key && !bytes.ContainsAny(bare[:min(1, len(bare))], `"'`) {
			return i + 1, len(name) + 2 + len(value) - len(bare)
		}
	}
	return 1, 1
}
