package driver

import (
	"fmt"
	"strings"
	"unicode"
)

// longestTeamName is in bytes.
const longestTeamName = 128

// checkName refuses what can't be the name of a team, VLAN, switch, machine or adapter; what is its kind.
func checkName(what, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("a %s needs a name", what)
	case len(name) > longestTeamName:
		return fmt.Errorf("the name of a %s has %d bytes at most, and this one has %d", what, longestTeamName, len(name))
	case strings.ContainsFunc(name, unsafe):
		return fmt.Errorf("the name of a %s can't have control characters", what)
	}
	return nil
}

// unsafe reports characters that control what displays them: line ends, escapes, marks that turn the direction of text.
// All are in the first plane, so that one UTF-16 unit holds each.
func unsafe(r rune) bool {
	return r <= 0xffff && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control))
}

// UnchangedError is why an Operation is refused that would leave the host as it is: "its cable is out already".
type UnchangedError struct{ Why string }

// Error is the reason.
func (e *UnchangedError) Error() string { return e.Why }

func unchanged(format string, values ...any) error {
	return &UnchangedError{fmt.Sprintf(format, values...)}
}
