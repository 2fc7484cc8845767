package regfile

import "strings"

// quoted reads text in quotation marks, where a backslash precedes a mark or a backslash that is meant. As for
// regedit, \n, \r and \0 are the control characters, and a backslash before anything else is passed over. The text of a
// value can go over several lines.
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
	wanted := false // a comma was read
	for {
		p.skipBlanks()
		switch {
		case p.next() == '\\':
			p.pos++
			if err := p.continueLine(); err != nil {
				return nil, err
			}
		case isHex(p.next()):
			if len(data) > 0 && !wanted {
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
			if data = append(data, n); len(data) > largestData {
				return nil, p.fail(p.pos, "the value is longer than %d bytes", largestData)
			}
			wanted = false
		case p.next() == ',' && len(data) > 0 && !wanted:
			p.pos++
			wanted = true
		case wanted || p.next() == ',':
			return nil, p.fail(p.pos, "a byte is missing here")
		default:
			return data, nil
		}
	}
}

// continueLine goes to the line that a value continues in.
func (p *parser) continueLine() error {
	for {
		if err := p.finish(); err != nil {
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
