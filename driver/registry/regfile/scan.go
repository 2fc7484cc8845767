package regfile

import "strings"

// quoted reads text in quotation marks, where a backslash precedes a literal quotation mark or backslash. As for regedit, \n,
// \r and \0 are the control characters, and a backslash before any other character is ignored. The text of a value may span
// several lines.
func (p *parser) quoted(lines bool) (string, error) {
	line, start, at := p.line, p.start, p.pos
	unclosed := func() error {
		p.line, p.start = line, start
		return p.fail(at, "the closing quotation mark is missing")
	}
	p.pos++
	var b strings.Builder
	for {
		i := strings.IndexAny(p.text[p.pos:], "\"\\\r\n\x00")
		if i < 0 {
			return "", unclosed()
		}
		b.WriteString(p.text[p.pos : p.pos+i])
		p.pos += i
		switch c := p.next(); c {
		case '"':
			p.pos++
			return b.String(), nil
		case '\\':
			p.pos++
			if p.pos == len(p.text) || p.next() == '\r' || p.next() == '\n' {
				return "", unclosed()
			}
			b.WriteByte(unescaped(p.next()))
			p.pos++
		case 0:
			return "", p.fail(p.pos, "text has no zero characters")
		default:
			if !lines {
				return "", unclosed()
			}
			from := p.pos
			p.newline()
			b.WriteString(p.text[from:p.pos])
		}
	}
}

func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case '0':
		return 0
	}
	return c
}

// bytes reads hexadecimal bytes between commas. A backslash at the end of a line continues with the next; lines of
// comments may be between them.
func (p *parser) bytes() (data []byte, err error) {
	afterComma := false
	for {
		p.skipBlanks()
		switch {
		case p.next() == '\\':
			p.pos++
			if err := p.continueLine(); err != nil {
				return nil, err
			}
		case isHex(p.next()):
			if len(data) > 0 && !afterComma {
				return nil, p.fail(p.pos, "a comma is missing between two bytes")
			}
			n := hexDigit(p.next())
			if p.pos++; isHex(p.next()) {
				n = n<<4 | hexDigit(p.next())
				p.pos++
			}
			if isHex(p.next()) {
				return nil, p.fail(p.pos, "a byte has one or two hexadecimal digits")
			}
			if data = append(data, n); len(data) > maxDataSize {
				return nil, p.fail(p.pos, "the value is longer than %d bytes", maxDataSize)
			}
			afterComma = false
		case p.next() == ',' && len(data) > 0 && !afterComma:
			p.pos++
			afterComma = true
		case afterComma || p.next() == ',':
			return nil, p.fail(p.pos, "a byte is missing here")
		default:
			return data, nil
		}
	}
}

// continueLine moves to the line in which a value continues.
func (p *parser) continueLine() error {
	for {
		if err := p.finishLine(); err != nil {
			return err
		}
		p.skipBlanks()
		if p.next() != ';' {
			return nil
		}
	}
}

func hexDigit(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
