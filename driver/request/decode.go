package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Decode reads one JSON value, and refuses unknown keys and data after it.
func Decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return ExplainJSON(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is data after the end")
	}
	return nil
}

// ExplainJSON returns an error of encoding/json without names of Go types; other errors pass unchanged.
func ExplainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		name := kind.Field
		if name == "" {
			name = "it"
		}
		return fmt.Errorf("%s must be %s, not %s", name, nameType(kind.Type), article(kind.Value))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends too early for JSON")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not valid JSON: %w", err)
	case err != nil && strings.HasPrefix(err.Error(), "json: "):
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return err
}

// nameType returns the name in JSON of the values that a Go type takes.
func nameType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a number of the type " + t.Kind().String()
	}
}

// article returns a word of encoding/json for a value with its article: "an array". The word of a number may have the number after
// it.
func article(value string) string {
	switch {
	case value == "bool":
		return "true or false"
	case strings.HasPrefix(value, "a"), strings.HasPrefix(value, "o"):
		return "an " + value
	}
	return "a " + value
}
