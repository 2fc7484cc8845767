package regfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestMaximumLengthIsRead and written again; TestLimits holds that a little more is refused.
func TestMaximumLengthIsRead(t *testing.T) {
	t.Parallel()
	path := `HKLM\` + strings.Repeat("x", maxPathSize-len(`HKLM\`))
	name := strings.Repeat("ä", maxNameLength)
	text := strings.Repeat("x", maxDataSize/2-1) // with the zero at its end
	f := parse(t, fmt.Sprintf("%s[%s]\n\"%s\"=\"%s\"\n@=hex:%s0\n", head, path, name, text, strings.Repeat("0,", maxDataSize-1)))
	key := f.Keys[0]
	if key.Path != path || key.Values[0].Name != name || len(key.Values[0].Data) != maxDataSize || len(key.Values[1].Data) != maxDataSize {
		t.Fatalf("read as a path of %d, a name of %d and data of %d bytes", len(key.Path), len(key.Values[0].Name), len(key.Values[0].Data))
	}
	if _, err := Encode(f); err != nil {
		t.Error(err)
	}
	for what, k := range map[string]Key{
		"path": {Path: path + "x"}, "name": {Path: path, Values: []Value{{Name: name + "x"}}},
		"data": {Path: path, Values: []Value{{Type: Binary, Data: make([]byte, maxDataSize+1)}}},
	} {
		if _, err := Encode(&File{Keys: []Key{k}}); err == nil {
			t.Errorf("a %s of one more is written", what)
		}
	}
}

func TestAsManyValuesAsAllowedAreRead(t *testing.T) {
	t.Parallel()
	if f := parse(t, "REGEDIT4\n[HKLM\\X]\n"+strings.Repeat("@=-\n", maxValues)); len(f.Keys[0].Values) != maxValues {
		t.Errorf("%d values", len(f.Keys[0].Values))
	}
}

// TestAllBytesInBothCases: hexadecimal digits are read in either case.
func TestAllBytesInBothCases(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"%02x", "%02X"} {
		for b := range 256 {
			f := parse(t, fmt.Sprintf("REGEDIT4\n[HKLM\\X]\n@=hex:"+form+"\n\"d\"=dword:"+form, b, b))
			values := f.Keys[0].Values
			if n, ok := values[1].Number(); !ok || n != uint64(b) || !bytes.Equal(values[0].Data, []byte{byte(b)}) {
				t.Errorf("%d in the form %s is %v and %d", b, form, values[0].Data, n)
			}
		}
	}
	for _, other := range []string{"/", ":", "@", "G", "`", "g"} { // the neighbours of the digits
		if _, err := Parse([]byte("REGEDIT4\n[HKLM\\X]\n@=hex:0" + other)); err == nil {
			t.Errorf("%q is taken for a digit", other)
		}
	}
}

// TestPlacesOfBrokenText: files that end within a character, or hold broken ones, are refused at their place.
func TestPlacesOfBrokenText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"R":                                   "line 1, column 1: the first line is neither",
		"\xff\xfeR\x00\x00\xd8\x00":           "line 1, column 2: a character is incomplete",
		"\xff\xfeR\x00\x00\xd8a\x00":          "line 1, column 2: a character is incomplete",
		"\xff\xfeR\x00\x00\xd8":               "line 1, column 2: a character is incomplete",
		"\xef\xbb\xbfREG\uFFFD\nab\xff":       "line 2, column 3: a character is incomplete",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:,1":       "line 3, column 7: a byte is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:1,\\\n,2": "line 4, column 1: a byte is missing",
	} {
		_, err := Parse([]byte(text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v, want %s", text, err, want)
		}
	}
}

// TestCharactersAboveTheFirstPlane are two units of UTF-16, and stay one character.
func TestCharactersAboveTheFirstPlane(t *testing.T) {
	t.Parallel()
	data := append([]byte{0xFF, 0xFE}, appendUTF16(nil, head+"[HKLM\\a\U0001F600b]\r\n\"\U0001F601\"=\"\U0001F602\"\r\n")...)
	f := parse(t, string(data))
	key := f.Keys[0]
	if text, ok := key.Values[0].Text(); key.Path != "HKLM\\a\U0001F600b" || key.Values[0].Name != "\U0001F601" || !ok || text != "\U0001F602" {
		t.Errorf("%q: %q is %q", key.Path, key.Values[0].Name, text)
	}
	if out, err := Encode(f); err != nil || !bytes.Contains(out, appendUTF16(nil, "[HKLM\\a\U0001F600b]")) {
		t.Errorf("written as %q, %v", out, err)
	}
}

// TestEachANSIByteIsOneCharacter of windows-1252, and comes back as the same byte.
func TestEachANSIByteIsOneCharacter(t *testing.T) {
	t.Parallel()
	for b := range 256 {
		text := decodeANSI([]byte{byte(b)})
		if back, err := encodeANSI(text); err != nil || !bytes.Equal(back, []byte{byte(b)}) {
			t.Errorf("%#x is %q and comes back as %x, %v", b, text, back, err)
		}
	}
	for b, want := range map[byte]string{0x7F: "\x7f", 0x80: "€", 0x81: "\u0081", 0x9F: "Ÿ", 0xA0: "\u00a0", 0xFF: "ÿ"} {
		if got := decodeANSI([]byte{b}); got != want {
			t.Errorf("%#x is %q, want %q", b, got, want)
		}
	}
	for _, text := range []string{"\u0080", "\u0085", "\u009f", "\u0100", "Ā"} { // Windows gives these bytes other characters
		if data, err := encodeANSI(text); !errors.Is(err, errNotANSI) {
			t.Errorf("%q is written as %x", text, data)
		}
	}
}

func TestNumbersOfEachType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    Value
		want uint64
		ok   bool
	}{
		{Value{Type: DWord, Data: []byte{1, 2, 3, 4}}, 0x04030201, true},
		{Value{Type: DWordBig, Data: []byte{1, 2, 3, 4}}, 0x01020304, true},
		{Value{Type: QWord, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, 0x0807060504030201, true},
		{Value{Type: DWord, Data: []byte{1, 2, 3}}, 0, false},
		{Value{Type: DWord, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, 0, false},
		{Value{Type: DWordBig, Data: []byte{1, 2, 3, 4, 5}}, 0, false},
		{Value{Type: QWord, Data: []byte{1, 2, 3, 4}}, 0, false},
		{Value{Type: Binary, Data: []byte{1, 2, 3, 4}}, 0, false},
		{Value{Type: Binary, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, 0, false},
	} {
		if n, ok := c.v.Number(); n != c.want || ok != c.ok {
			t.Errorf("%+v: %#x, %t", c.v, n, ok)
		}
	}
}

// TestTextNeedsItsZero: one at its end, and no other.
func TestTextNeedsItsZero(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{"\x00\x00": "", "a\x00\x00\x00": "a"} {
		if got, ok := (&Value{Type: ExpandText, Data: []byte(data)}).Text(); !ok || got != want {
			t.Errorf("%q is %q, %t", data, got, ok)
		}
	}
	for _, data := range []string{"", "\x00", "a\x00", "a\x00\x00", "\x00\x00\x00\x00", "a\x00\x00\x01", "a\x00\x01\x00", "\x00\xd8\x00\x00"} {
		if got, ok := (&Value{Type: Text, Data: []byte(data)}).Text(); ok {
			t.Errorf("%q is the text %q", data, got)
		}
	}
}

// TestEachTypeIsWritten in both versions of files.
func TestEachTypeIsWritten(t *testing.T) {
	t.Parallel()
	values := []Value{
		{Name: "big", Type: DWordBig, Data: []byte{1, 2, 3, 4}}, {Name: "q", Type: QWord, Data: []byte{1, 0, 0, 0, 0, 0, 0, 9}},
		NumberValue("d", 10), {Name: "b", Type: Binary, Data: []byte{1, 2}}, TextValue("t", "é\n"), TextValue("s", "é"),
		{Name: "n", Type: None, Data: []byte{0x80}},
	}
	for version, want := range map[Version]string{
		Version5: `"big"=hex(5):01,02,03,04|"q"=hex(b):01,00,00,00,00,00,00,09|"d"=dword:0000000a|"b"=hex:01,02|` +
			`"t"=hex(1):e9,00,0a,00,00,00|"s"="é"|"n"=hex(0):80`,
		Version4: `"big"=hex(5):01,02,03,04|"q"=hex(b):01,00,00,00,00,00,00,09|"d"=dword:0000000a|"b"=hex:01,02|` +
			`"t"=hex(1):e9,0a,00|"s"="é"|"n"=hex(0):80`,
	} {
		f := &File{Version: version, Encoding: UTF8, Keys: []Key{{Path: `HKLM\X`, Values: values}}}
		out, err := Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		mark := bytes.HasPrefix(out, markUTF8)
		if version == Version4 {
			out = []byte(decodeANSI(out))
		}
		if mark != (version == Version5) {
			t.Errorf("version %d begins with a mark of UTF-8: %t", version, mark)
		}
		_, body, _ := strings.Cut(string(out), "[HKLM\\X]\r\n")
		if got := strings.Join(strings.FieldsFunc(body, func(r rune) bool { return r == '\r' || r == '\n' }), "|"); got != want {
			t.Errorf("version %d:\n%s\nwant\n%s", version, got, want)
		}
	}
}

// TestFilesComeBackInTheirEncoding: what is written is read with the encoding that it was written in.
func TestFilesComeBackInTheirEncoding(t *testing.T) {
	t.Parallel()
	for _, encoding := range []Encoding{UTF16, UTF8, ANSI} {
		out, err := Encode(&File{Encoding: encoding, Keys: []Key{{Path: `HKLM\Größe`}}})
		if err != nil {
			t.Fatal(err)
		}
		if f := parse(t, string(out)); f.Encoding != encoding || f.Keys[0].Path != `HKLM\Größe` {
			t.Errorf("encoding %v comes back as %v with %s", encoding, f.Encoding, f.Keys[0].Path)
		}
	}
}
