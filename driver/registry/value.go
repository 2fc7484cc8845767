package registry

import "strconv"

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
