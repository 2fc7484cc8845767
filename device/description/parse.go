package description

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// maxText is the maximum size of a description, in bytes.
const maxText = 4 << 20

//go:embed default.toml
var defaultText []byte

// The sample hosts of the manuals.
var (
	//go:embed manual-winof.toml
	manualWinOFText []byte
	//go:embed manual-winof2.toml
	manualWinOF2Text []byte
)

// storageSpacesText is a host for Storage Spaces Direct that nobody has set up.
//
//go:embed storage-spaces-direct.toml
var storageSpacesText []byte

// NamedLab is a lab that is embedded in the program.
type NamedLab struct {
	// Name is its name on the command line: "manual-winof".
	Name string
	// About describes it in a phrase.
	About string
	// Text returns its description, for an operator to save, edit and load.
	Text func() []byte
}

// NamedLabs returns the embedded labs, without the default one.
func NamedLabs() []NamedLab {
	return []NamedLab{
		{"large", "a host with many adapters and virtual functions", LargeText},
		{"manual-winof", "the sample host of the WinOF manual: two Ethernet and two InfiniBand ports of ConnectX-3 cards",
			func() []byte { return bytes.Clone(manualWinOFText) }},
		{"manual-winof2", "the sample host of the WinOF-2 manuals: a ConnectX-4 with factory settings", func() []byte { return bytes.Clone(manualWinOF2Text) }},
		{"storage-spaces-direct", "a new node of a cluster with Storage Spaces Direct, without anything that lossless RDMA needs",
			func() []byte { return bytes.Clone(storageSpacesText) }},
	}
}

// DefaultText returns the description of the default lab, for an operator to save, edit and load.
func DefaultText() []byte { return bytes.Clone(defaultText) }

func decode(text []byte) (*Description, error) {
	d := new(Description)
	return d, toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(d)
}

// DefaultHash is the precomputed Hash of the default lab. Do not change it: saved hosts use it as their key.
const DefaultHash = "12141f3bd05e38c5"

// Default returns the description of the default lab. A test checks it, and a start of the console does not.
func Default() *Description {
	d, err := decode(defaultText)
	if err != nil {
		panic("description: the embedded lab is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return d
}

// TextError is an error in a description, with its place.
type TextError struct {
	// Line and Column count from 1; both are 0 when the place is unknown.
	Line, Column int
	Problem      string
}

// Error returns the place and the problem.
func (e *TextError) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// ParseText reads a description from TOML and checks it. It returns a *TextError for an unknown key, a value out of range or an
// unknown name.
func ParseText(text []byte) (*Description, error) {
	if len(text) > maxText {
		return nil, &TextError{Problem: fmt.Sprintf("the lab description is longer than %d MB", maxText>>20)}
	}
	d, err := decode(text)
	if err != nil {
		return nil, toTextError(err)
	}
	if err := d.Check(); err != nil {
		var wrong *valueError
		if errors.As(err, &wrong) {
			line, column := locate(text, wrong.path)
			return nil, &TextError{Line: line, Column: column, Problem: wrong.problem}
		}
		return nil, err
	}
	return d, nil
}

// toTextError converts an error of the TOML decoder to a TextError.
func toTextError(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		first := strict.Errors[0]
		line, column := first.Position()
		key := first.Key()
		return &TextError{line, column, fmt.Sprintf("a lab description has no key %q", key[len(key)-1])}
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, column := decode.Position()
		return &TextError{line, column, rewriteDecodeError(decode.Error(), decode.Key())}
	}
	return &TextError{Problem: rewriteDecodeError(err.Error(), nil)}
}

// typeMismatch matches the decoder's error for a value of the wrong type.
var typeMismatch = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cannot decode TOML (\S+) into .* of type (\S+)$`) })

// rewriteDecodeError rewrites a message of the decoder in the terms of the description.
func rewriteDecodeError(message string, key toml.Key) string {
	message = strings.TrimPrefix(message, "toml: ")
	match := typeMismatch().FindStringSubmatch(message)
	if match == nil || len(key) == 0 {
		return message
	}
	want := "of another type"
	switch goType := match[2]; {
	case strings.HasPrefix(goType, "["):
		want = "a list"
	case strings.Contains(goType, "int"):
		want = "an integer"
	case strings.HasPrefix(goType, "float"):
		want = "a number"
	case goType == "bool":
		want = "true or false"
	case goType == "string" || strings.HasPrefix(goType, "description."):
		want = "text in quotes"
	}
	return fmt.Sprintf("%s must be %s, not a TOML %s", key[len(key)-1], want, match[1])
}
