// Package request checks what an operator asks for before the host is looked at: names, texts, and requests that would
// change nothing.
package request

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxName bounds a name in bytes.
const MaxName = 128

// CheckName refuses what can't be the name of a team, VLAN, switch, machine or adapter; what is its kind.
func CheckName(what, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("a %s needs a name", what)
	case len(name) > MaxName:
		return fmt.Errorf("the name of a %s has %d bytes at most, and this one has %d", what, MaxName, len(name))
	case strings.ContainsFunc(name, Unsafe):
		return fmt.Errorf("the name of a %s can't have control characters", what)
	}
	return nil
}

// Unsafe reports characters that control what displays them: line ends, escapes, marks that turn the direction of text.
// All are in the first plane, so that one UTF-16 unit holds each.
func Unsafe(r rune) bool {
	return r <= 0xffff && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control))
}

// UnchangedError is why an Operation is refused that would leave the host as it is: "its cable is out already".
type UnchangedError struct{ Why string }

// Error is the reason.
func (e *UnchangedError) Error() string { return e.Why }

func Unchanged(format string, values ...any) error {
	return &UnchangedError{fmt.Sprintf(format, values...)}
}
