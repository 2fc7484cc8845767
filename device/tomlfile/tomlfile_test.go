package tomlfile

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// TestDecode holds that each mistake is a sentence with its place, in the words of TOML.
func TestDecode(t *testing.T) {
	t.Parallel()
	type part struct {
		Share float64           `toml:"share"`
		Words map[string]string `toml:"words"`
	}
	for text, want := range map[string]string{
		"name = 'x'\n[part]\nshare = 0.5\nwords = { a = 'b' }": "",
		"nmae = 'x'":                     `line 1, column 1: a card has no key "nmae"`,
		"\nname = 3":                     "line 2, column 8: name must be text in quotes, not a TOML integer",
		"count = 'x'":                    "line 1, column 9: count must be an integer, not a TOML string",
		"on = 'x'":                       "line 1, column 6: on must be true or false, not a TOML string",
		"part = 3":                       "line 1, column 8: part must be a table, not a TOML integer",
		"parts = 3":                      "line 1, column 9: parts must be a list, not a TOML integer",
		"parts = [3]":                    "line 1, column 10: parts must be a table, not a TOML integer",
		"[part]\nshare = 'x'":            "line 2, column 9: share must be a number, not a TOML string",
		"[part]\nwords = 'x'":            "line 2, column 9: words must be a table, not a TOML string",
		"[part]\nwords = { a = 3 }":      "line 2, column 15: words must be text in quotes, not a TOML integer",
		"name = ":                        "line 1, column 7: expected value, not end of input",
		"# " + strings.Repeat("x", 1024): "the card is longer than 1 kB",
	} {
		var into struct {
			Name  string `toml:"name"`
			Count uint8  `toml:"count"`
			On    bool   `toml:"on"`
			Part  *part  `toml:"part"`
			Parts []part `toml:"parts"`
		}
		err := Decode([]byte(text), &into, "a card", 1<<10)
		var problem *Error
		if want == "" && err != nil || want != "" && (!errors.As(err, &problem) || err.Error() != want) {
			t.Errorf("%.40q gives %v, want %s", text, err, want)
		}
	}
	if err := Decode(make([]byte, 3<<20), new(struct{}), "a card", 2<<20); err == nil || err.Error() != "the card is longer than 2 MB" {
		t.Errorf("a long file gives %v", err)
	}
}

// TestField holds which texts are within their bounds.
func TestField(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field Field
		want  string
	}{
		{Field{MinCount: 1, MaxCount: 1, MaxLength: 3, Values: []string{"abc"}}, ""},
		{Field{MinCount: 1}, "f is required"},
		{Field{MaxCount: 2, Values: []string{"a", "b", "c"}}, "f has more than 2 entries"},
		{Field{MaxCount: 2, MaxLength: 3, Values: []string{" "}}, "f is required"},
		{Field{MaxCount: 2, MaxLength: 3, Values: []string{"a", ""}}, "f has an empty entry"},
		{Field{MaxCount: 2, MaxLength: 3, Values: []string{"", "abc"}, Optional: true}, ""},
		{Field{MaxCount: 1, MaxLength: 3, Values: []string{"abcd"}}, "f is longer than 3 characters"},
		{Field{MaxCount: 1, MaxLength: 3, Values: []string{"a\x1b"}}, "f has a control character"},
		{Field{MaxCount: 1, MaxLength: 3, Values: []string{"a\nb"}}, ""},
		{Field{MaxCount: 1, MaxLength: 3, Values: []string{"a\nb"}, Line: true}, "f has a line break within a line"},
	} {
		c.field.Name = "f"
		if got := c.field.Problem(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.field, got, c.want)
		}
	}
}

// TestReadAll holds that all files of a folder are read, and that an error names its file.
func TestReadAll(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a/x.toml": {Data: []byte("1")}, "b.toml": {Data: []byte("2")}}
	texts, err := ReadAll(files, func(text []byte) (string, error) { return string(text), nil })
	if err != nil || strings.Join(texts, " ") != "1 2" {
		t.Errorf("read %q, %v", texts, err)
	}
	_, err = ReadAll(files, func([]byte) (string, error) { return "", errors.New("damaged") })
	if err == nil || err.Error() != "a/x.toml: damaged" {
		t.Errorf("got %v", err)
	}
}
