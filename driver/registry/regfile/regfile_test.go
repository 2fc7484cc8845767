package regfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const head = "Windows Registry Editor Version 5.00\r\n\r\n"

func parse(t testing.TB, text string) *File {
	t.Helper()
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParse(t *testing.T) {
	t.Parallel()
	f := parse(t, head+`; what follows is a comment "of its own"
[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}\0007] ; and one behind
"*JumboPacket"="9014"
@="default"
"path" = "C:\\Program Files\\\"x\"" ; behind a value
"n"=dword:0000f
"big"=dword:FFFFFFFF
"gone"=-
@=-
"empty"=""
"bytes"=hex:01,2, a ,\
  ; a comment between lines
  ff
"nothing"=hex:
"none"=hex(0):
"q"=hex(b):01,00,00,00,00,00,00,80
"expand"=hex(2):25,00,41,00,25,00,00,00
"multi"=hex(7):61,00,00,00,62,00,00,00,00,00
"raw dword"=hex(4):01,00,00,00
"strange"=hex(ffff0012):aa
"two lines"="one
two"

[-HKEY_CURRENT_USER\Software\old]
[HKLM\X]`)
	want := &File{Encoding: ANSI, Keys: []Key{
		{Path: `HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}\0007`, Line: 4, Values: []Value{
			withLine(TextValue("*JumboPacket", "9014"), 5), withLine(TextValue("", "default"), 6),
			withLine(TextValue("path", `C:\Program Files\"x"`), 7), withLine(NumberValue("n", 15), 8),
			withLine(NumberValue("big", 1<<32-1), 9), {Name: "gone", Delete: true, Line: 10}, {Delete: true, Line: 11},
			withLine(TextValue("empty", ""), 12), {Name: "bytes", Type: Binary, Data: []byte{1, 2, 10, 255}, Line: 13},
			{Name: "nothing", Type: Binary, Line: 16}, {Name: "none", Type: None, Line: 17},
			{Name: "q", Type: QWord, Data: []byte{1, 0, 0, 0, 0, 0, 0, 0x80}, Line: 18},
			{Name: "expand", Type: ExpandText, Data: terminated("%A%"), Line: 19},
			{Name: "multi", Type: MultiText, Data: []byte("a\x00\x00\x00b\x00\x00\x00\x00\x00"), Line: 20},
			withLine(NumberValue("raw dword", 1), 21), {Name: "strange", Type: 0xffff0012, Data: []byte{0xAA}, Line: 22},
			withLine(TextValue("two lines", "one\ntwo"), 23),
		}},
		{Path: `HKEY_CURRENT_USER\Software\old`, Delete: true, Line: 26},
		{Path: `HKLM\X`, Line: 27},
	}}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

func withLine(v Value, line int) Value {
	v.Line = line
	return v
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	const body = "Windows Registry Editor Version 5.00\n[HKLM\\Größe]\n\"€\"=\"ž\"\n"
	utf16 := appendUTF16(nil, body)
	ansi, err := encodeANSI(body)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data     []byte
		encoding Encoding
	}{
		"UTF-16 with a mark": {append([]byte{0xFF, 0xFE}, utf16...), UTF16},
		"UTF-16":             {utf16, UTF16},
		"UTF-8 with a mark":  {append([]byte{0xEF, 0xBB, 0xBF}, body...), UTF8},
		"UTF-8":              {[]byte(body), UTF8},
		"ANSI":               {ansi, ANSI},
		"CR":                 {bytes.ReplaceAll(utf16, []byte{'\n', 0}, []byte{'\r', 0}), UTF16},
		"CR LF":              {bytes.ReplaceAll(utf16, []byte{'\n', 0}, []byte{'\r', 0, '\n', 0}), UTF16},
	} {
		f, err := Parse(c.data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Encoding != c.encoding || f.Keys[0].Path != `HKLM\Größe` || f.Keys[0].Values[0].Name != "€" {
			t.Errorf("%s: %+v", name, f)
		}
		if s, ok := f.Keys[0].Values[0].Text(); !ok || s != "ž" {
			t.Errorf("%s: the text is %q", name, s)
		}
	}
}

func TestREGEDIT4HasTextInANSI(t *testing.T) {
	t.Parallel()
	f := parse(t, "REGEDIT4\n\n[HKLM\\X]\n\"e\"=hex(2):25,80,25,00\n\"m\"=hex(7):61,00,62,00,00\n")
	if s, ok := f.Keys[0].Values[0].Text(); !ok || s != "%€%" {
		t.Errorf("the text is %q", s)
	}
	if got := f.Keys[0].Values[1].Data; string(got) != "a\x00\x00\x00b\x00\x00\x00\x00\x00" {
		t.Errorf("the texts are %q", got)
	}
	out, err := Encode(f)
	if want := "REGEDIT4\r\n\r\n[HKLM\\X]\r\n\"e\"=hex(2):25,80,25,00\r\n\"m\"=hex(7):61,00,62,00,00\r\n\r\n"; err != nil || string(out) != want {
		t.Errorf("written as %q, %v", out, err)
	}
	f.Keys[0].Values = []Value{TextValue("x", "日")}
	if _, err := Encode(f); !errors.Is(err, errNotANSI) {
		t.Errorf("a character that ANSI has not: %v", err)
	}
}

func TestProblemsHaveAPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "line 1, column 1: the first line is neither",
		"\n\n  REGEDIT5\n":                       "line 3, column 3: the first line is neither",
		"\xfe\xff\x00R":                          "line 1, column 1: the file is UTF-16 with the high byte first",
		"\xff\xfeR\x00E":                         "line 1, column 2: the last character is cut off",
		"\xff\xfeR\x00\n\x00E\x00\x00\xd8":       "line 2, column 2: a character is incomplete",
		"\xef\xbb\xbfREG\n\xff":                  "line 2, column 1: a character is incomplete",
		"REGEDIT4\n\"a\"=\"b\"":                  "line 2, column 1: a value precedes the first key",
		"REGEDIT4\n[HKLM\\X":                     "line 2, column 1: the closing bracket of the key is missing",
		"REGEDIT4\n[X\\Y]":                       `line 2, column 2: invalid path of a key "X\\Y"`,
		"REGEDIT4\n[HKLM\\\\Y]":                  "invalid path of a key",
		"REGEDIT4\n[HKLM\\Y] x":                  "line 2, column 10: unexpected text after the value",
		"REGEDIT4\n[-HKLM\\Y]\n\"a\"=-":          "line 3, column 1: a value follows a key that is deleted",
		"REGEDIT4\n[HKLM\\Y]\nabc":               "line 3, column 1: a line begins with",
		"REGEDIT4\n[HKLM\\Y]\n\"ä\" 1":           "line 3, column 5: an equals sign is missing",
		"REGEDIT4\n[HKLM\\Y]\n\"a=1":             "line 3, column 1: the closing quotation mark is missing",
		"REGEDIT4\n[HKLM\\Y]\n\"\"=1":            "line 3, column 1: the name of a value must have 1 to",
		"REGEDIT4\n[HKLM\\Y]\n@=\"1\n2\n":        "line 3, column 3: the closing quotation mark is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=\"1\\":           "line 3, column 3: the closing quotation mark is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=1":               "line 3, column 3: a value is text in quotation marks",
		"REGEDIT4\n[HKLM\\Y]\n@=dword:":          "line 3, column 9: a dword has 1 to 8",
		"REGEDIT4\n[HKLM\\Y]\n@=dword:123456789": "line 3, column 9: a dword has 1 to 8",
		"REGEDIT4\n[HKLM\\Y]\n@=dword:12g":       "line 3, column 11: unexpected text",
		"REGEDIT4\n[HKLM\\Y]\n@=hex":             "line 3, column 6: a colon is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=hex(7:":          "line 3, column 6: the closing parenthesis",
		"REGEDIT4\n[HKLM\\Y]\n@=hex(x):":         "line 3, column 7: the type of a value",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:1,,2":        "line 3, column 9: a byte is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:1,":          "line 3, column 9: a byte is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:1,\\\n  ":    "line 4, column 3: a byte is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:001":         "line 3, column 9: a byte has one or two",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:1 2":         "line 3, column 9: a comma is missing",
		"REGEDIT4\n[HKLM\\Y]\n@=hex:1,\\ x":      "line 3, column 11: unexpected text",
		"REGEDIT4\n[HKLM\\Y]\n@=\"a\x00\"":       "line 3, column 5: text has no zero",
	} {
		_, err := Parse([]byte(text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v, want %s", text, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	var limit *LimitError
	if _, err := Parse([]byte("REGEDIT4\n" + strings.Repeat("[HKLM\\X]\n", maxKeys+1))); !errors.As(err, &limit) || limit.What != "keys" {
		t.Errorf("too many keys: %v", err)
	}
	if _, err := Parse([]byte("REGEDIT4\n[HKLM\\X]\n" + strings.Repeat("@=-\n", maxValues+1))); !errors.As(err, &limit) || limit.What != "values" {
		t.Errorf("too many values: %v", err)
	}
	if _, err := Parse(make([]byte, maxFileSize+1)); !errors.As(err, &limit) || limit.What != "bytes" {
		t.Errorf("too large: %v", err)
	}
	for _, long := range []string{
		`[HKLM\` + strings.Repeat("x", maxPathSize) + "]", "[HKLM\\X]\n\"" + strings.Repeat("x", maxNameLength+1) + `"="1"`,
		"[HKLM\\X]\n@=\"" + strings.Repeat("x", maxDataSize) + `"`, "[HKLM\\X]\n@=hex:" + strings.Repeat("0,", maxDataSize) + "0",
	} {
		var syntax *SyntaxError
		if _, err := Parse([]byte("REGEDIT4\n" + long)); !errors.As(err, &syntax) {
			t.Errorf("%.30q: %v", long, err)
		}
	}
}

// regedit breaks a line once it has 77 characters, and indents what follows by two.
func TestLongHexIsBrokenAsRegeditDoes(t *testing.T) {
	t.Parallel()
	data := make([]byte, 60)
	out, err := Encode(&File{Encoding: ANSI, Keys: []Key{{Path: `HKLM\X`, Values: []Value{{Name: "Data", Type: Binary, Data: data}}}}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\r\n")
	if len(lines[3]) != 78 || !strings.HasSuffix(lines[3], `,\`) || strings.Count(lines[4], "00") != 25 || !strings.HasPrefix(lines[4], "  00") {
		t.Errorf("written as %q", lines)
	}
	if f := parse(t, string(out)); !bytes.Equal(f.Keys[0].Values[0].Data, data) {
		t.Errorf("read back as %v", f.Keys[0].Values[0].Data)
	}
}

func TestInvalidFilesAreNotWritten(t *testing.T) {
	t.Parallel()
	for _, f := range []*File{
		{Keys: []Key{{Path: "X"}}}, {Keys: []Key{{Path: "HKLM\\a\nb"}}}, {Keys: []Key{{Path: "HKLM\\a", Values: []Value{{Name: "a\r\n[HKLM]"}}}}},
		{Keys: []Key{{Path: "HKLM\\a", Values: []Value{{Name: "\xff"}}}}},
	} {
		if out, err := Encode(f); err == nil {
			t.Errorf("%+v was written as %q", f, out)
		}
	}
}

// TestHostileTextStaysInside: what is in names and texts can't become a key or a value of its own.
func TestHostileTextStaysInside(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"\"=dword:1\n\"x", "a\r\n[-HKEY_LOCAL_MACHINE\\SYSTEM]", `\`, `\"`, "\x00", "; [HKLM]", "日本 € \U0001F600"} {
		f := &File{Keys: []Key{{Path: `HKLM\X`, Values: []Value{TextValue("n", s)}}}}
		out, err := Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(out)
		if err != nil || len(again.Keys) != 1 || len(again.Keys[0].Values) != 1 || !bytes.Equal(again.Keys[0].Values[0].Data, f.Keys[0].Values[0].Data) {
			t.Errorf("%q came back as %+v, %v", s, again, err)
		}
	}
}

func withoutLines(f *File) *File {
	c := *f
	c.Keys = nil
	for _, k := range f.Keys {
		values := []Value{}
		for _, v := range k.Values {
			v.Line, v.Data = 0, append([]byte{}, v.Data...)
			values = append(values, v)
		}
		c.Keys = append(c.Keys, Key{k.Path, k.Delete, values, 0})
	}
	return &c
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + "[HKLM\\X]\r\n\"a\"=hex(7):61,00,\\\r\n  00,00\r\n@=\"x\\\\y\"\r\n\"b\"=-\r\n"))
	f.Add([]byte("REGEDIT4\n[-HKLM\\X]\n[HKCU\\Y]\n\"\xe4\"=hex(2):80,00\n\"d\"=dword:1 ; c"))
	f.Add([]byte("REGEDIT4\n[HKLM\\]\n\"\xe4\x96\x96\"=hex(2):0,0\n\"d\"=dword:1;\xd4"))
	f.Add(append([]byte{0xFF, 0xFE}, appendUTF16(nil, head+"[HKLM\\\U0001F600]\r\n@=\"\n\"")...))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			var syntax *SyntaxError
			var limit *LimitError
			if !errors.As(err, &syntax) && !errors.As(err, &limit) || syntax != nil && (syntax.Line < 1 || syntax.Column < 1) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		out, err := Encode(file)
		if err != nil {
			if errors.Is(err, errNotANSI) {
				return // a REGEDIT4 file that was saved as UTF-16
			}
			t.Fatal(err)
		}
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if again.Encoding == UTF8 && !bytes.HasPrefix(out, markUTF8) {
			return // ANSI text whose bytes are also valid UTF-8: without a mark nobody can tell, and regedit reads ANSI
		}
		again.Encoding = file.Encoding
		if !reflect.DeepEqual(withoutLines(file), withoutLines(again)) {
			t.Fatalf("%+v\nbecame %+v", file, again)
		}
		if twice, err := Encode(again); err != nil || !bytes.Equal(out, twice) {
			t.Fatalf("%q\nbecame %q, %v", out, twice, err)
		}
	})
}

func BenchmarkImport(b *testing.B) {
	var text strings.Builder
	text.WriteString(head)
	for k := range 1000 {
		fmt.Fprintf(&text, "[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e972-e325-11ce-bfc1-08002be10318}\\%04d]\r\n", k)
		for v := range 25 {
			fmt.Fprintf(&text, "\"Number%d\"=dword:%08x\r\n\"Text%d\"=\"C:\\\\Folder\\\\%d\"\r\n\"Multi%d\"=hex(7):61,00,62,00,00,00,\\\r\n  00,00\r\n\"Gone%d\"=-\r\n", v, v, v, v, v, v)
		}
	}
	data := append([]byte{0xFF, 0xFE}, appendUTF16(nil, text.String())...)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := Parse(data)
		if err != nil || len(f.Keys) != 1000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkExport(b *testing.B) {
	f := &File{}
	for k := range 1000 {
		key := Key{Path: fmt.Sprintf(`HKEY_LOCAL_MACHINE\SOFTWARE\%d`, k)}
		for v := range 100 {
			key.Values = append(key.Values, TextValue(fmt.Sprint("Value", v), "text"))
		}
		f.Keys = append(f.Keys, key)
	}
	for b.Loop() {
		if _, err := Encode(f); err != nil {
			b.Fatal(err)
		}
	}
}
