package regfile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads a file: version 5.00 or REGEDIT4, in UTF-16, UTF-8 or ANSI, with CR LF, LF or CR at the ends of lines. It returns
// a *SyntaxError for an invalid file, and a *LimitError for a file beyond the limits.
func Parse(data []byte) (*File, error) {
	if len(data) > maxFileSize {
		return nil, &LimitError{"bytes", maxFileSize}
	}
	text, encoding, err := decode(data)
	if err != nil {
		return nil, err
	}
	p := &parser{text: text, line: 1, file: &File{Encoding: encoding}}
	if err := p.header(); err != nil {
		return nil, err
	}
	for p.pos < len(p.text) {
		if err := p.statement(); err != nil {
			return nil, err
		}
	}
	return p.file, nil
}

// parser reads a text from its front.
type parser struct {
	text string
	// pos is the current position, start the beginning of its line.
	pos, start, line int
	file             *File
	values           int
}

// fail returns an error at a position in the line.
func (p *parser) fail(at int, problem string, values ...any) error {
	return &SyntaxError{p.line, utf8.RuneCountInString(p.text[p.start:at]) + 1, fmt.Sprintf(problem, values...)}
}

// next returns the next character; 0 at the end of the text.
func (p *parser) next() byte {
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *parser) skipBlanks() {
	for p.next() == ' ' || p.next() == '\t' {
		p.pos++
	}
}

// ended reports whether the position is at the end of a line.
func (p *parser) ended() bool { return p.pos == len(p.text) || p.next() == '\r' || p.next() == '\n' }

// lineRest returns the rest of the line.
func (p *parser) lineRest() string {
	rest := p.text[p.pos:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		return rest[:i]
	}
	return rest
}

// newline moves past the end of a line.
func (p *parser) newline() {
	switch {
	case strings.HasPrefix(p.text[p.pos:], "\r\n"):
		p.pos += 2
	case p.pos < len(p.text):
		p.pos++
	}
	p.line, p.start = p.line+1, p.pos
}

// finishLine moves past the rest of a line: blanks and a comment.
func (p *parser) finishLine() error {
	p.skipBlanks()
	if p.next() == ';' {
		p.pos += len(p.lineRest())
	}
	if !p.ended() {
		return p.fail(p.pos, "unexpected text after the value")
	}
	p.newline()
	return nil
}

func (p *parser) header() error {
	for p.skipBlanks(); p.pos < len(p.text) && p.ended(); p.skipBlanks() {
		p.newline()
	}
	switch strings.TrimRight(p.lineRest(), " \t") {
	case Version5.header():
		p.file.Version = Version5
	case Version4.header():
		p.file.Version = Version4
	default:
		return p.fail(p.pos, "the first line is neither %q nor %q: this is not a registry file", Version5.header(), Version4.header())
	}
	p.pos += len(p.lineRest())
	p.newline()
	return nil
}

// statement reads a line and its continuation lines.
func (p *parser) statement() error {
	p.skipBlanks()
	switch {
	case p.next() == '[':
		return p.key()
	case p.next() == '"' || p.next() == '@':
		return p.value()
	case p.next() == ';' || p.ended():
		return p.finishLine()
	}
	return p.fail(p.pos, "a line begins with a key in brackets, a value in quotation marks, @ or a comment")
}

func (p *parser) key() error {
	at, rest := p.pos, p.lineRest()
	end := strings.LastIndexByte(rest, ']')
	if end < 0 {
		return p.fail(at, "the closing bracket of the key is missing")
	}
	path, deleted := strings.CutPrefix(rest[1:end], "-")
	path = strings.TrimRight(path, `\`)
	switch {
	case len(path) > maxPathSize:
		return p.fail(at, "the path of the key is longer than %d bytes", maxPathSize)
	case !validPath(path):
		return p.fail(at+1, "invalid path of a key %.80q; it must be like %q", path, `HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet`)
	case len(p.file.Keys) == maxKeys:
		return &LimitError{"keys", maxKeys}
	}
	p.file.Keys = append(p.file.Keys, Key{Path: path, Delete: deleted, Line: p.line})
	p.pos += end + 1
	return p.finishLine()
}

func (p *parser) value() error {
	at := p.pos
	if len(p.file.Keys) == 0 {
		return p.fail(at, "a value precedes the first key")
	}
	key := &p.file.Keys[len(p.file.Keys)-1]
	if key.Delete {
		return p.fail(at, "a value follows a key that is deleted")
	}
	if p.values++; p.values > maxValues {
		return &LimitError{"values", maxValues}
	}
	v := Value{Line: p.line}
	if p.next() == '@' {
		p.pos++
	} else {
		name, err := p.quoted(false)
		if err != nil {
			return err
		}
		if name == "" || utf8.RuneCountInString(name) > maxNameLength || hasControl(name) {
			return p.fail(at, "the name of a value must have 1 to %d printable characters; @ is the default value", maxNameLength)
		}
		v.Name = name
	}
	p.skipBlanks()
	if p.next() != '=' {
		return p.fail(p.pos, "an equals sign is missing after the name")
	}
	p.pos++
	p.skipBlanks()
	if err := p.data(&v); err != nil {
		return err
	}
	key.Values = append(key.Values, v)
	return p.finishLine()
}

// data reads the value after the equals sign.
func (p *parser) data(v *Value) (err error) {
	rest := p.lineRest()
	switch {
	case p.next() == '-':
		v.Delete = true
		p.pos++
		return nil
	case p.next() == '"':
		at := p.pos
		s, err := p.quoted(true)
		if err != nil {
			return err
		}
		if v.Type, v.Data = Text, terminated(s); len(v.Data) > maxDataSize {
			return p.fail(max(at, p.start), "the text is longer than %d bytes", maxDataSize)
		}
		return nil
	case hasFold(rest, "dword:"):
		p.pos += len("dword:")
		return p.dword(v)
	case hasFold(rest, "hex"):
		p.pos += len("hex")
		return p.hex(v)
	}
	return p.fail(p.pos, "a value is text in quotation marks, dword:, hex:, hex(n): or -")
}

func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func (p *parser) dword(v *Value) error {
	p.skipBlanks()
	at := p.pos
	for isHex(p.next()) {
		p.pos++
	}
	n, err := strconv.ParseUint(p.text[at:p.pos], 16, 32)
	if err != nil {
		return p.fail(at, "a dword has 1 to 8 hexadecimal digits")
	}
	*v = Value{Name: v.Name, Line: v.Line, Type: DWord, Data: NumberValue("", uint32(n)).Data}
	return nil
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// hex reads a type in parentheses, a colon, and bytes.
func (p *parser) hex(v *Value) error {
	v.Type = Binary
	if p.next() == '(' {
		end := strings.IndexByte(p.lineRest(), ')')
		if end < 0 {
			return p.fail(p.pos, "the closing parenthesis of the type is missing")
		}
		n, err := strconv.ParseUint(p.text[p.pos+1:p.pos+end], 16, 32)
		if err != nil {
			return p.fail(p.pos+1, "the type of a value is a hexadecimal number")
		}
		v.Type = Type(n)
		p.pos += end + 1
	}
	if p.next() != ':' {
		return p.fail(p.pos, "a colon is missing after hex")
	}
	p.pos++
	data, err := p.bytes()
	if err != nil {
		return err
	}
	if p.file.Version == Version4 && isText(v.Type) {
		data = appendUTF16(nil, decodeANSI(data))
	}
	v.Data = data
	return nil
}
