package regfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	markUTF16    = []byte{0xFF, 0xFE}
	markUTF16Big = []byte{0xFE, 0xFF}
	markUTF8     = []byte{0xEF, 0xBB, 0xBF}
)

// decode returns the characters of a file. A file without a byte order mark is UTF-16 if its second byte is zero, UTF-8 if it
// is valid UTF-8, else ANSI.
func decode(data []byte) (string, Encoding, error) {
	switch {
	case bytes.HasPrefix(data, markUTF16):
		s, err := decodeUTF16(data[len(markUTF16):])
		return s, UTF16, err
	case bytes.HasPrefix(data, markUTF16Big):
		return "", UTF16, &SyntaxError{1, 1, "the file is UTF-16 with the high byte first; save it as UTF-16 LE, as regedit does"}
	case bytes.HasPrefix(data, markUTF8):
		s := string(data[len(markUTF8):])
		if !utf8.ValidString(s) {
			return "", UTF8, badCharacter(s)
		}
		return s, UTF8, nil
	case len(data) > 1 && data[0] != 0 && data[1] == 0:
		s, err := decodeUTF16(data)
		return s, UTF16, err
	case utf8.Valid(data) && !isASCII(data):
		return string(data), UTF8, nil
	}
	return decodeANSI(data), ANSI, nil
}

func isASCII(data []byte) bool {
	for _, c := range data {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// badCharacter returns an error at the first character that is not valid UTF-8.
func badCharacter(s string) error {
	line, start := 1, 0
	for i, r := range s {
		if r == utf8.RuneError && strings.HasPrefix(s[i:], s[i:i+1]) {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return &SyntaxError{line, utf8.RuneCountInString(s[start:i]) + 1, "a character is incomplete"}
			}
		}
		if r == '\n' {
			line, start = line+1, i+1
		}
	}
	return &SyntaxError{line, 1, "a character is incomplete"}
}

func decodeUTF16(data []byte) (string, error) {
	var b strings.Builder
	b.Grow(len(data) / 2)
	line, column := 1, 0
	for i := 0; i < len(data); i += 2 {
		column++
		if i+1 == len(data) {
			return "", &SyntaxError{line, column, "the last character is cut off"}
		}
		r := rune(binary.LittleEndian.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			second := rune(-1)
			if i+3 < len(data) {
				second = rune(binary.LittleEndian.Uint16(data[i+2:]))
			}
			if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
				return "", &SyntaxError{line, column, "a character is incomplete"}
			}
			i += 2
		}
		b.WriteRune(r)
		if r == '\n' {
			line, column = line+1, 0
		}
	}
	return b.String(), nil
}

// appendUTF16 appends text in the registry's form: UTF-16, little-endian.
func appendUTF16(dst []byte, s string) []byte {
	for _, r := range s {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(high))
			dst = binary.LittleEndian.AppendUint16(dst, uint16(low))
			continue
		}
		dst = binary.LittleEndian.AppendUint16(dst, uint16(r))
	}
	return dst
}

// upper are the characters 0x80 to 0x9F of windows-1252; all others are as in Unicode. Bytes without a character are the
// control character of the same number, as in Windows.
const upper = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func decodeANSI(data []byte) string {
	if isASCII(data) {
		return string(data)
	}
	table := []rune(upper)
	var b strings.Builder
	b.Grow(len(data) + len(data)/4)
	for _, c := range data {
		if c >= 0x80 && c < 0xA0 {
			b.WriteRune(table[c-0x80])
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}

// errNotANSI is the error for text with characters that windows-1252 lacks.
var errNotANSI = errors.New("REGEDIT4 can't encode all of its characters; export it as version 5.00")

func encodeANSI(s string) ([]byte, error) {
	data := make([]byte, 0, len(s))
	for _, r := range s {
		at := strings.IndexRune(upper, r)
		switch {
		case r < 0x80 || r >= 0xA0 && r <= 0xFF:
			data = append(data, byte(r))
		case at >= 0:
			data = append(data, byte(0x80+utf8.RuneCountInString(upper[:at])))
		default:
			return nil, errNotANSI
		}
	}
	return data, nil
}
