package regfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cxdeck/driver/request"
)

// Encode writes a file as regedit does: version 5 as UTF-16 or UTF-8 with a byte order mark, REGEDIT4 in ANSI, lines ending
// with CR and LF, long hex values broken after 77 characters. It fails when a REGEDIT4 file has characters that ANSI lacks, or
// a name or path could not be read again.
func Encode(f *File) ([]byte, error) {
	w := writer{ansi: f.Version == Version4}
	w.line(f.Version.header())
	w.line("")
	for i := range f.Keys {
		if err := w.key(&f.Keys[i]); err != nil {
			return nil, err
		}
	}
	text := w.out.String()
	switch {
	case f.Version == Version4 || f.Encoding == ANSI:
		return encodeANSI(text)
	case f.Encoding == UTF8:
		return append(append([]byte{}, markUTF8...), text...), nil
	}
	return appendUTF16(append(make([]byte, 0, 2*len(text)+2), markUTF16...), text), nil
}

type writer struct {
	out  strings.Builder
	ansi bool
}

func (w *writer) line(s string) {
	w.out.WriteString(s)
	w.out.WriteString("\r\n")
}

func (w *writer) key(k *Key) error {
	if !validPath(k.Path) || len(k.Path) > maxPathSize {
		return fmt.Errorf("a registry file can't contain the path %.80q of a key", k.Path)
	}
	if k.Delete {
		w.line("[-" + k.Path + "]")
		w.line("")
		return nil
	}
	w.line("[" + k.Path + "]")
	for i := range k.Values {
		if err := w.value(&k.Values[i]); err != nil {
			return fmt.Errorf("%s: %w", k.Path, err)
		}
	}
	w.line("")
	return nil
}

func (w *writer) value(v *Value) error {
	if hasControl(v.Name) || utf8.RuneCountInString(v.Name) > maxNameLength || len(v.Data) > maxDataSize {
		return fmt.Errorf("a registry file can't contain the value %.80q: its name is invalid, or its data is too long", v.Name)
	}
	name := "@"
	if v.Name != "" {
		name = `"` + escape(v.Name) + `"`
	}
	start := w.out.Len()
	w.out.WriteString(name)
	w.out.WriteByte('=')
	if v.Delete {
		w.line("-")
		return nil
	}
	if n, ok := v.Number(); ok && v.Type == DWord {
		fmt.Fprintf(&w.out, "dword:%08x\r\n", n)
		return nil
	}
	if s, ok := v.Text(); ok && v.Type == Text && !hasControl(s) {
		w.out.WriteString(`"` + escape(s) + "\"\r\n")
		return nil
	}
	if v.Type == Binary {
		w.out.WriteString("hex:")
	} else {
		fmt.Fprintf(&w.out, "hex(%x):", uint32(v.Type))
	}
	data := v.Data
	if w.ansi && isText(v.Type) {
		converted, err := toANSI(data)
		if err != nil {
			return request.Errorf("%q: %w", v.Name, err)
		}
		data = converted
	}
	w.hex(data, len([]rune(w.out.String()[start:])))
	return nil
}

func isText(t Type) bool { return t == Text || t == ExpandText || t == MultiText }

// toANSI converts registry text to REGEDIT4's form; it fails for incomplete text.
func toANSI(data []byte) ([]byte, error) {
	if len(data)%2 != 0 || string(appendUTF16(nil, texts(data))) != string(data) {
		return nil, errNotANSI
	}
	return encodeANSI(texts(data))
}

// maxLine is the length in characters at which regedit breaks a line of hex.
const maxLine = 77

// hex writes bytes from a column on.
func (w *writer) hex(data []byte, column int) {
	const digits = "0123456789abcdef"
	for i, b := range data {
		w.out.WriteByte(digits[b>>4])
		w.out.WriteByte(digits[b&15])
		if i == len(data)-1 {
			break
		}
		w.out.WriteByte(',')
		if column += 3; column >= maxLine {
			w.out.WriteString("\\\r\n  ")
			column = 2
		}
	}
	w.out.WriteString("\r\n")
}

// escape returns text for use between quotation marks.
func escape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`)
}

// hasControl reports whether text has characters that can't be written between quotation marks.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0xFFFD })
}

// roots are the valid first keys of a path.
var roots = [...]string{
	"HKEY_LOCAL_MACHINE", "HKEY_CURRENT_USER", "HKEY_CLASSES_ROOT", "HKEY_USERS", "HKEY_CURRENT_CONFIG",
	"HKLM", "HKCU", "HKCR", "HKU", "HKCC",
}

// validPath reports whether a path begins with a root and has no invalid character.
func validPath(path string) bool {
	root, rest, below := strings.Cut(path, `\`)
	if hasControl(path) || below && rest == "" || strings.Contains(rest, `\\`) || strings.HasSuffix(rest, `\`) || strings.HasPrefix(rest, `\`) {
		return false
	}
	for _, r := range roots {
		if strings.EqualFold(root, r) {
			return true
		}
	}
	return false
}
