package request

import (
	"errors"
	"io"
	"testing"
)

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		`\Network Interface(*)\*`: `"\Network Interface(*)\*"`,
		`\\HOST\C$`:               `"\\HOST\C$"`,
		`C:\new\table`:            `"C:\new\table"`,
		`a "b"`:                   `"a "b""`,
		"a\x1b[31m\nb":            `"a\x1b[31m\nb"`,
		"":                        `""`,
	} {
		if got := Quoted(text); got != want {
			t.Errorf("Quoted(%q) is %s, not %s", text, got, want)
		}
	}
}

func TestErrorf(t *testing.T) {
	err := Errorf("%d files match %q in %-4s|%.2s: %w", 3, `C:\a*`, `\x`, `abc`, io.EOF)
	if got, want := err.Error(), `3 files match "C:\a*" in \x  |ab: EOF`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !errors.Is(err, io.EOF) {
		t.Error("the error is not wrapped")
	}
}
