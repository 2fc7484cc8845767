package registry

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cxdeck/driver/request"
)

// Value is a stored value: a number, a text, the bytes of another type, or none. It can be compared.
type Value struct {
	kind   Type
	number uint32
	text   string // of a Text; the bytes of all other types but Number
	dword  bool   // a Number that is a REG_DWORD although its key keeps numbers as text; see DWordValue
}

// NumberValue returns a REG_DWORD.
func NumberValue(n uint32) Value { return Value{kind: Number, number: n} }

// TextValue returns a REG_SZ.
func TextValue(s string) Value { return Value{kind: Text, text: s} }

// typeNumbers are Windows' numbers of the named types.
var typeNumbers = map[Type]uint32{
	Nothing: 0, Text: 1, ExpandText: 2, Binary: 3, Number: 4, MultiText: 7, LongNumber: 11,
}

// TypeOf returns the type with a Windows number: "REG_SZ", or "REG_TYPE_0x8" for an unnamed one.
func TypeOf(number uint32) Type {
	for name, n := range typeNumbers {
		if n == number {
			return name
		}
	}
	return Type(fmt.Sprintf("REG_TYPE_0x%x", number))
}

// unnamed returns the type for a number without a name.
func unnamed(number uint32) Type { return Type(fmt.Sprintf("%s%x", unnamedPrefix, number)) }

const unnamedPrefix = "REG_TYPE_0x"

// Windows returns Windows' number of a type; false for an invalid type.
func (t Type) Windows() (uint32, bool) {
	if n, ok := typeNumbers[t]; ok {
		return n, true
	}
	digits, ok := strings.CutPrefix(string(t), unnamedPrefix)
	n, err := strconv.ParseUint(digits, 16, 32)
	return uint32(n), ok && err == nil && unnamed(uint32(n)) == t
}

// DataValue returns a value of a type, given by its Windows number, with its bytes in the registry. A REG_DWORD without exactly
// four bytes, or a REG_SZ that is not complete text, becomes an unnamed type, which is neither number nor text.
func DataValue(number uint32, data []byte) Value {
	switch kind := TypeOf(number); kind {
	case Number:
		if len(data) == 4 {
			return NumberValue(binary.LittleEndian.Uint32(data))
		}
	case Text:
		if s, ok := decodeText(data); ok {
			return TextValue(s)
		}
	default:
		return Value{kind: kind, text: string(data)}
	}
	return Value{kind: unnamed(number), text: string(data)}
}

// Data returns the bytes of a value in the registry: numbers are little-endian, text is UTF-16 with a terminating zero, also
// little-endian.
func (v Value) Data() []byte {
	switch v.kind {
	case Number:
		return binary.LittleEndian.AppendUint32(nil, v.number)
	case Text:
		data := []byte{}
		for _, unit := range utf16.Encode([]rune(v.text)) {
			data = binary.LittleEndian.AppendUint16(data, unit)
		}
		return append(data, 0, 0)
	default:
		return []byte(v.text)
	}
}

// decodeText returns the text in registry bytes; ok is false when it is not valid UTF-16 with a single zero, at its end.
func decodeText(data []byte) (string, bool) {
	if len(data) < 2 || len(data)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	s := string(utf16.Decode(units[:len(units)-1]))
	return s, !strings.ContainsRune(s, 0) && string(TextValue(s).Data()) == string(data)
}

// Exists reports whether there is a value; a stored 0 or empty text exists.
func (v Value) Exists() bool { return v.kind != "" }

// Type returns the value's type; empty for none.
func (v Value) Type() Type { return v.kind }

// Number returns the number of a REG_DWORD, 0 for anything else.
func (v Value) Number() uint32 { return v.number }

// String returns the value as an operator types it: "1514". It is empty for no value, and "hex(7):61 00" for types other than
// number and text.
func (v Value) String() string {
	switch v.kind {
	case "":
		return ""
	case Number:
		return strconv.FormatUint(uint64(v.number), 10)
	case Text:
		return v.text
	default:
		number, _ := v.kind.Windows()
		return fmt.Sprintf("hex(%x):% x", number, v.text)
	}
}

// inSentence returns the value for use in a sentence.
func (v Value) inSentence() string {
	switch v.kind {
	case Number:
		return v.String()
	case Text:
		return strconv.Quote(v.text)
	default:
		return "a value of the type " + string(v.kind)
	}
}

// dataJSON is a value that is neither number nor text in JSON.
type dataJSON struct {
	Type Type   `json:"type"`
	Data []byte `json:"data"`
}

// MarshalJSON writes a number, a string, null for none, or type and data of anything else and of a DWordValue.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case Number:
		if v.dword {
			return json.Marshal(dataJSON{Number, v.Data()})
		}
		return json.Marshal(v.number)
	case Text:
		return json.Marshal(v.text)
	case "":
		return []byte("null"), nil
	default:
		return json.Marshal(dataJSON{v.kind, []byte(v.text)})
	}
}

// UnmarshalJSON reads a value that MarshalJSON wrote.
func (v *Value) UnmarshalJSON(data []byte) error {
	if number, err := strconv.ParseUint(string(data), 10, 32); err == nil {
		*v = NumberValue(uint32(number)) // most are numbers
		return nil
	}
	var text string
	var other dataJSON
	switch {
	case string(data) == "null":
		*v = Value{}
	case json.Unmarshal(data, &text) == nil:
		*v = TextValue(text)
	case json.Unmarshal(data, &other) == nil:
		number, ok := other.Type.Windows()
		if !ok {
			return request.Errorf("invalid type of a registry value %q", other.Type)
		}
		*v = DataValue(number, other.Data)
		v.dword = v.kind == Number
	default:
		return errors.New("a registry value must be an integer from 0 to 4294967295, a text, or a type with its data")
	}
	return nil
}

// maxTextSize is the maximum length of a text value, in bytes.
const maxTextSize = 1024

// Parse reads a value as an operator types it: "9014", "0x2336" or "-1" for a number, anything for a text. It accepts any value
// of the type; the driver judges it when it reads it.
func (r *Row) Parse(typed string) (Value, error) { return r.ParseIn(typed, r.Min, r.Max) }

// ParseIn is Parse for a port on which the key has a range of its own, for use in the error.
func (r *Row) ParseIn(typed string, minimum, maximum *uint32) (Value, error) {
	if r.Type == Text {
		if len(typed) > maxTextSize || !utf8.ValidString(typed) || strings.ContainsFunc(typed, isControl) {
			return Value{}, fmt.Errorf("%s takes text of at most %d bytes without control characters", r.Name, maxTextSize)
		}
		return TextValue(typed), nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(typed), 0, 64)
	if err != nil || n < -1<<31 || n > 1<<32-1 {
		return Value{}, request.Errorf("%s must be %s, not %q", r.Name, r.numbers(minimum, maximum), typed)
	}
	return NumberValue(uint32(n)), nil
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' }

// numbers says which numbers a key takes: its range with an example, or its choices.
func (r *Row) numbers(minimum, maximum *uint32) string {
	span := ""
	switch {
	case minimum != nil && maximum != nil:
		span = fmt.Sprintf(" from %d to %d", *minimum, *maximum)
	case maximum != nil:
		span = fmt.Sprintf(" up to %d", *maximum)
	case minimum != nil:
		span = fmt.Sprintf(" from %d on", *minimum)
	case len(r.Choices) > 1:
		choices := make([]string, len(r.Choices))
		for i := range r.Choices {
			choices[i] = strconv.FormatUint(uint64(r.Choices[i].Value), 10)
		}
		last := len(choices) - 1
		return strings.Join(choices[:last], ", ") + " or " + choices[last]
	}
	return "an integer" + span + ", such as " + r.example()
}

// example returns a value that the key takes.
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
