// Package tomlfile reads what people write in TOML: a description of a lab, an exercise, a guide. It reads strictly, so that a
// misspelled key is an error, and an error is a sentence with its place. It does not know what the keys mean.
package tomlfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// Error is an error in a file, with its place.
type Error struct {
	// Line and Column count from 1; both are 0 when the place is unknown.
	Line, Column int
	Problem      string
}

// Error returns the place and the problem.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Decode decodes a text of at most limit bytes into a struct. what names the file with its article: "a guide". Each error is an *Error.
func Decode(text []byte, into any, what string, limit int) error {
	if len(text) > limit {
		_, noun, _ := strings.Cut(what, " ")
		size := fmt.Sprintf("%d kB", limit>>10)
		if limit >= 1<<20 {
			size = fmt.Sprintf("%d MB", limit>>20)
		}
		return &Error{Problem: fmt.Sprintf("the %s is longer than %s", noun, size)}
	}
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into)
	var strict *toml.StrictMissingError
	var decode *toml.DecodeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		line, column := strict.Errors[0].Position()
		key := strict.Errors[0].Key()
		return &Error{line, column, fmt.Sprintf("%s has no key %q", what, key[len(key)-1])}
	case errors.As(err, &decode):
		line, column := decode.Position()
		return &Error{line, column, rewrite(decode.Error(), decode.Key(), reflect.TypeOf(into))}
	}
	return &Error{Problem: rewrite(err.Error(), nil, nil)}
}

// typeMismatch matches the decoder's error for a value of the wrong type.
var typeMismatch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cannot decode TOML (\S+) into .* of type (\S+)$`) })

// rewrite rewrites a message of the decoder in one line, without the types of Go.
func rewrite(message string, key toml.Key, into reflect.Type) string {
	message = strings.Join(strings.Fields(strings.TrimPrefix(message, "toml: ")), " ")
	match := typeMismatch().FindStringSubmatch(message)
	if match == nil || len(key) == 0 {
		return message
	}
	want := kindOf(into, key)
	switch goType := match[2]; {
	case strings.HasPrefix(goType, "["):
		want = "a list"
	case goType == "string": // also within an inline table, whose keys the decoder leaves out
		want = "text in quotes"
	}
	return fmt.Sprintf("%s must be %s, not a TOML %s", key[len(key)-1], want, match[1])
}

// kindOf returns the kind of the value of a key in words.
func kindOf(t reflect.Type, key toml.Key) string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case len(key) > 0 && t.Kind() == reflect.Map:
		return kindOf(t.Elem(), key[1:])
	case len(key) > 0 && t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ","); name == key[0] {
				return kindOf(t.Field(i).Type, key[1:])
			}
		}
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "text in quotes"
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		return "a table"
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		return "a number"
	case t.Kind() <= reflect.Uint64:
		return "an integer"
	}
	return "of another type"
}

// ReadAll reads all files of an embedded folder.
func ReadAll[T any](files fs.FS, parse func(text []byte) (T, error)) (list []T, err error) {
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		element, err := parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, element)
		return nil
	})
	return list, err
}

var namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

// IsName reports whether a text is a name: small letters, digits and hyphens.
func IsName(text string) bool { return namePattern().MatchString(text) }

// Field is a text or a list of texts of a file, with its bounds.
type Field struct {
	Name   string
	Values []string
	// MinCount and MaxCount bound the number of texts, and MaxLength their length in bytes.
	MinCount, MaxCount, MaxLength int
	// Optional allows an empty text, Line forbids a line break.
	Optional, Line bool
}

// Problem returns what is wrong with the texts; empty for nothing.
func (f *Field) Problem() string {
	switch n := len(f.Values); {
	case n < f.MinCount:
		return f.Name + " is required"
	case n > f.MaxCount:
		return fmt.Sprintf("%s has more than %d entries", f.Name, f.MaxCount)
	}
	for _, value := range f.Values {
		switch {
		case strings.TrimSpace(value) == "" && !f.Optional:
			if len(f.Values) > 1 {
				return f.Name + " has an empty entry"
			}
			return f.Name + " is required"
		case len(value) > f.MaxLength:
			return fmt.Sprintf("%s is longer than %d characters", f.Name, f.MaxLength)
		case strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }):
			return f.Name + " has a control character"
		case f.Line && strings.Contains(value, "\n"):
			return f.Name + " has a line break within a line"
		}
	}
	return ""
}
