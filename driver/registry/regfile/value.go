package regfile

import (
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

// TextValue returns a value of the type REG_SZ.
func TextValue(name, text string) Value { return Value{Name: name, Type: Text, Data: terminated(text)} }

// NumberValue returns a value of the type REG_DWORD.
func NumberValue(name string, n uint32) Value {
	return Value{Name: name, Type: DWord, Data: binary.LittleEndian.AppendUint32(nil, n)}
}

func terminated(text string) []byte { return append(appendUTF16(nil, text), 0, 0) }

// Number returns the number of a REG_DWORD, REG_QWORD or REG_DWORD_BIG_ENDIAN; it is false for other types and lengths.
func (v *Value) Number() (uint64, bool) {
	switch {
	case v.Type == DWord && len(v.Data) == 4:
		return uint64(binary.LittleEndian.Uint32(v.Data)), true
	case v.Type == DWordBig && len(v.Data) == 4:
		return uint64(binary.BigEndian.Uint32(v.Data)), true
	case v.Type == QWord && len(v.Data) == 8:
		return binary.LittleEndian.Uint64(v.Data), true
	}
	return 0, false
}

// Text returns the text of a REG_SZ or REG_EXPAND_SZ; it is false for other types, and for data that is not complete text with
// a single zero, at its end.
func (v *Value) Text() (string, bool) {
	if v.Type != Text && v.Type != ExpandText {
		return "", false
	}
	s, err := decodeText(v.Data)
	return s, err == nil
}

var errNotText = errors.New("not text")

// decodeText decodes registry text with a single zero, at its end.
func decodeText(data []byte) (string, error) {
	if len(data) < 2 || len(data)%2 != 0 || data[len(data)-1] != 0 || data[len(data)-2] != 0 {
		return "", errNotText
	}
	s, err := decodeUTF16(data[:len(data)-2])
	if err != nil {
		return "", errNotText
	}
	for _, r := range s {
		if r == 0 {
			return "", errNotText
		}
	}
	return s, nil
}

// texts decodes data of a text type, including zeros; invalid data becomes a replacement character.
func texts(data []byte) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}
