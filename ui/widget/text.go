package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// narrow measures without regard to the locale: East-Asian ambiguous characters, box lines among them, take one cell.
var narrow = runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}

// RuneWidth returns how many cells a character takes: 0 for control, combining and format characters, 1 or 2 otherwise.
func RuneWidth(r rune) int {
	if r >= ' ' && r < 0x7f {
		return 1
	}
	if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError || isFormat(r) {
		return 0
	}
	if r >= 0x2500 && r <= 0x28ff { // box lines, blocks, geometric shapes, braille: always one cell
		return 1
	}
	if isNarrow(r) {
		return 1
	}
	return narrow.RuneWidth(r)
}

// isNarrow is true for characters of European texts, punctuation and arrows, which take one cell. The library agrees, but
// allocates a table of 2 MB on the first query for a character above U+02FF.
func isNarrow(r rune) bool {
	return r >= 0x370 && r <= 0x482 || r >= 0x2010 && r <= 0x2027 || r >= 0x2030 && r <= 0x205e || r >= 0x20a0 && r <= 0x20cf || r >= 0x2100 && r <= 0x2319
}

// isFormat reports whether a character is invisible and changes the order or looks of others.
func isFormat(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f ||
		r == 0xfeff || r == 0xad || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0000
}

// Width returns the width of a text in cells.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += RuneWidth(r)
	}
	return n
}

// Cut shortens text to at most width cells; a longer text ends in an ellipsis.
func Cut(text string, width int) string {
	if len(text) <= width || Width(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	n := 0
	for i, r := range text {
		w := RuneWidth(r)
		if n+w > width-1 {
			return text[:i] + "…"
		}
		n += w
	}
	return text
}

// CutName shortens a name to at most width cells with the ellipsis, and keeps its end: names of adapters differ in the number
// at their ends.
func CutName(text string, width int, ellipsis rune) string {
	if len(text) <= width || Width(text) <= width {
		return text
	}
	if width < minTail {
		return Cut(text, width)
	}
	tail, n := len(text), 0
	for tail > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:tail])
		if n += RuneWidth(r); n > width/3 {
			break
		}
		tail -= size
	}
	room, head := width-1-Width(text[tail:]), 0
	for i, r := range text {
		if room -= RuneWidth(r); room < 0 {
			head = i
			break
		}
	}
	return text[:head] + string(ellipsis) + text[tail:]
}

// minTail is the minimum width of a name whose end is kept.
const minTail = 12

// maxQuoted and maxQuotedPath are the cells of a quoted name in a sentence, and of a quoted path.
const maxQuoted, maxQuotedPath = 60, 200

// CutQuoted shortens quoted texts in a sentence: a long text between quotation marks ends in an ellipsis, so that a name from
// outside can't fill the screen. Paths of files, counters and keys may be longer.
func CutQuoted(sentence string) string {
	if len(sentence) <= maxQuoted {
		return sentence
	}
	var b strings.Builder
	rest := sentence
	for {
		begin, end := findQuoted(rest)
		if begin < 0 {
			return b.String() + rest
		}
		width := maxQuoted
		if strings.ContainsAny(rest[begin:end], `/\`) {
			width = maxQuotedPath
		}
		b.WriteString(rest[:begin] + Cut(rest[begin:end], width) + `"`)
		rest = rest[end+1:]
	}
}

// findQuoted returns the bytes between the first pair of quotation marks, or -1. Only a mark at the start of a word opens a
// pair.
func findQuoted(text string) (begin, end int) {
	for at := range len(text) {
		if text[at] != '"' || at > 0 && !strings.ContainsRune(" (:=[", rune(text[at-1])) {
			continue
		}
		for end = at + 1; end < len(text) && text[end] != '"'; end++ {
			if text[end] == '\\' && end+1 < len(text) {
				end++ // the next character is escaped
			}
		}
		if end < len(text) {
			return at + 1, end
		}
		return -1, -1
	}
	return -1, -1
}

// Pad shortens or fills text with blanks to exactly width cells.
func Pad(text string, width int) string {
	text = Cut(text, width)
	return text + strings.Repeat(" ", max(0, width-Width(text)))
}

// Wrap breaks text at blanks into lines of at most width cells; a longer word is split.
func Wrap(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			for Width(word) > width {
				if line != "" {
					lines = append(lines, line)
					line = ""
				}
				head := cutWidth(word, width)
				if head == "" { // a wide character in a column of one cell is omitted, so that the rest follows
					_, size := utf8.DecodeRuneInString(word)
					word = word[size:]
					continue
				}
				lines = append(lines, head)
				word = word[len(head):]
			}
			switch {
			case line == "":
				line = word
			case Width(line)+1+Width(word) <= width:
				line += " " + word
			default:
				lines = append(lines, line)
				line = word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// cutWidth returns the longest head of text that takes at most width cells.
func cutWidth(text string, width int) string {
	n := 0
	for i, r := range text {
		n += RuneWidth(r)
		if n > width {
			return text[:i]
		}
	}
	return text
}

// toASCII returns the nearest ASCII character to a visible one.
func toASCII(r rune) rune {
	switch r {
	case '…':
		return '.'
	case '–', '—', '‐', '‑', '−', '─', '━':
		return '-'
	case '‘', '’':
		return '\''
	case '“', '”':
		return '"'
	case '×':
		return 'x'
	case 'µ', 'μ':
		return 'u'
	case '·', '•':
		return '*'
	case '│':
		return '|'
	case '\u00a0':
		return ' '
	}
	return '?'
}
