package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is a stored value: a number, a text, or none. It can be compared.
type Value struct {
	kind   Type
	number uint32
	text   string
}

// NumberValue is a REG_DWORD.
func NumberValue(n uint32) Value { return Value{kind: Number, number: n} }

// TextValue is a REG_SZ.
func TextValue(s string) Value { return Value{kind: Text, text: s} }

// Exists says whether there is a value at all.
func (v Value) Exists() bool { return v.kind != "" }

// Type is the value's type; empty for none.
func (v Value) Type() Type { return v.kind }

// Number is the number of a REG_DWORD, 0 for anything else.
func (v Value) Number() uint32 { return v.number }

// String is the value as it is typed and shown: "1514". It is empty for none.
func (v Value) String() string {
	if v.kind == Number {
		return strconv.FormatUint(uint64(v.number), 10)
	}
	return v.text
}

// MarshalJSON writes a number, a string, or null for none.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case Number:
		return json.Marshal(v.number)
	case Text:
		return json.Marshal(v.text)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Value) UnmarshalJSON(data []byte) error {
	var number uint32
	var text string
	switch {
	case string(data) == "null":
		*v = Value{}
	case json.Unmarshal(data, &number) == nil:
		*v = NumberValue(number)
	case json.Unmarshal(data, &text) == nil:
		*v = TextValue(text)
	default:
		return errors.New("a registry value is a whole number from 0 to 4294967295 or a text")
	}
	return nil
}

// longestText is how many bytes a text value may have.
const longestText = 1024

// Parse reads a value as an operator types it: "9014", "0x2336" or "-1" for a number, anything for a text. Any value of
// the type will do; what the driver makes of it shows when it reads it.
func (r *Row) Parse(typed string) (Value, error) {
	if r.Type == Text {
		if len(typed) > longestText || !utf8.ValidString(typed) || strings.ContainsFunc(typed, isControl) {
			return Value{}, fmt.Errorf("%s takes text of at most %d bytes without control characters", r.Name, longestText)
		}
		return TextValue(typed), nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(typed), 0, 64)
	if err != nil || n < -1<<31 || n > 1<<32-1 {
		return Value{}, fmt.Errorf("%s takes a whole number from 0 to 4294967295, such as %s, and not %q",
			r.Name, r.example(), typed)
	}
	return NumberValue(uint32(n)), nil
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' }

// example is a value that the key takes.
func (r *Row) example() string {
	switch {
	case r.Ethernet.Exists():
		return r.Ethernet.String()
	case r.InfiniBand.Exists():
		return r.InfiniBand.String()
	case r.Min != nil:
		return strconv.FormatUint(uint64(*r.Min), 10)
	case len(r.Choices) > 0:
		return strconv.FormatUint(uint64(r.Choices[0].Value), 10)
	}
	return "1"
}
