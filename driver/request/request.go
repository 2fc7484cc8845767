// Package request validates the parts of an operator's request that don't depend on the host: names, texts and files. It also has
// the error of a request that would change nothing.
package request

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cxdeck/device/description"
)

// MaxTarget bounds the name of a changed object, in bytes.
const MaxTarget = 256

// MaxName bounds a name in bytes.
const MaxName = 128

// CheckName returns why a text can't be the name of an object of a kind: "team", "VLAN", "switch", "machine" or "adapter".
func CheckName(kind, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("a %s requires a name", kind)
	case len(name) > MaxName:
		return fmt.Errorf("the name of a %s can have at most %d bytes, and this one has %d", kind, MaxName, len(name))
	}
	return checkCharacters("the name of a "+kind, name)
}

// CheckWords returns why a text can't be the name of an object that only this program uses; what names the object: "a profile".
// Such a name must not be empty, longer than MaxTarget, invalid UTF-8, or able to control a terminal.
func CheckWords(what, name string) error {
	if strings.TrimSpace(name) == "" || len(name) > MaxTarget {
		return fmt.Errorf("%s requires a name of 1 to %d bytes", what, MaxTarget)
	}
	return checkCharacters("the name of "+what, name)
}

func checkCharacters(what, name string) error {
	switch {
	case !utf8.ValidString(name):
		return fmt.Errorf("%s must be valid UTF-8", what)
	case strings.ContainsFunc(name, IsUnsafe):
		return fmt.Errorf("%s can't have control characters", what)
	}
	return nil
}

// IsUnsafe reports characters that could control a terminal: line ends, escapes, marks that change the direction of text. All are
// in the Basic Multilingual Plane, so that one UTF-16 unit holds each.
func IsUnsafe(r rune) bool {
	return r <= 0xffff && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control))
}

// UnchangedError is the refusal of an Operation that would leave the host unchanged: "its cable is unplugged already".
type UnchangedError struct{ Why string }

// Error returns the reason.
func (e *UnchangedError) Error() string { return e.Why }

// Unchanged returns the error of a request that would change nothing; the format is the sentence, such as "it is on already".
func Unchanged(format string, values ...any) error {
	return &UnchangedError{fmt.Sprintf(format, values...)}
}

// ParseGUID returns the GUID of a network interface as the host writes it, in braces and capital letters. The given text may
// lack braces and have small letters.
func ParseGUID(given string) (string, error) {
	digits := strings.ToUpper(strings.TrimSuffix(strings.TrimPrefix(given, "{"), "}"))
	if guid := "{" + digits + "}"; description.IsInterfaceGUID(guid) {
		return guid, nil
	}
	return "", Errorf("invalid GUID %q: write one such as {C71781EC-F459-4A8E-ABAC-74CA05F13AE8}", given)
}

// TakenGUID returns why a new interface can't have a GUID that another one has.
func TakenGUID(guid string) error {
	return fmt.Errorf("the GUID %s belongs to another adapter already; give another one, or none", guid)
}

// ErrNotRunning is the refusal of an Operation that needs a running driver.
var ErrNotRunning = errors.New("its driver does not run; enable it, or wait until it has started")
