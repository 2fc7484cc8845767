package syntax

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

// Lines may be pasted from the manuals: with prompts, typographic dashes and quotes, the whole path of a tool, and the
// character that continues a line.

// prompts matches the prompts of PowerShell, cmd and the manuals, with the spaces after them.
var prompts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:PS\s+[a-z]:\\[^>|"']*>|PS\s*>|PS\s+\\?\$\s|CMD\s*>|[a-z]:\\[^>|"']*>|#>|>|\$\s)\s*`)
})

// WithoutPrompt removes the prompt at the start of a line, and replaces no-break spaces by plain ones.
func WithoutPrompt(line string) string {
	line = strings.TrimLeft(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(line), " \t")
	return line[len(prompts().FindString(line)):]
}

// lineMarkers are words with a meaning at the start or end of a line: the prompt of a shell, and the continuation characters of
// PowerShell and cmd.
var lineMarkers = []string{"$", "`", "^"}

// SplitContinuation reports whether a line continues on the next one, and returns the text before the continuation character.
func SplitContinuation(line string) (head string, more bool) {
	trimmed := strings.TrimRight(line, " \t\u00a0")
	if comment := strings.TrimLeft(line, " \t"); strings.HasPrefix(comment, "#") && !strings.HasPrefix(comment, "#>") {
		return line, false
	}
	for _, sign := range lineMarkers[1:] {
		head, ok := strings.CutSuffix(trimmed, sign)
		if ok && (head == "" || strings.HasSuffix(head, " ") || strings.HasSuffix(head, "\t")) {
			return head, true
		}
	}
	return line, false
}

// Characters that PowerShell accepts as a hyphen and as quotes.
const (
	dashes       = "\u2013\u2014\u2015\u2212"
	DoubleQuotes = "\u201c\u201d\u201e"
	SingleQuotes = "\u2018\u2019\u201a\u201b"
)

// quoteClass returns the characters that close a quote opened by sign; it is empty if sign is not a quote. Only a plain quote
// closes a plain quote, so that typographic ones may stand within.
func quoteClass(sign rune) string {
	switch {
	case sign == '"' || sign == '\'':
		return string(sign)
	case strings.ContainsRune(DoubleQuotes, sign):
		return DoubleQuotes + `"`
	case strings.ContainsRune(SingleQuotes, sign):
		return SingleQuotes + `'`
	}
	return ""
}

// manualPlaceholder matches a placeholder of the manuals at the start of a text: "<VM Name>" is one word.
var manualPlaceholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<[A-Za-z][A-Za-z0-9 /#_-]*>`) })

// Terms of a PowerShell expression. The program prints names with special characters as such expressions.
var (
	charTerm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[char\](\d{1,5})`) })
	escape   = "[WildcardPattern]::Escape("
)

// ParseExpression evaluates the PowerShell expression in parentheses at the start of text, such as ('a' + [char]10 + 'b') or
// ([WildcardPattern]::Escape('a')). length is 0 if there is none.
func ParseExpression(text string) (value string, length int) {
	if !strings.HasPrefix(text, "(") {
		return "", 0
	}
	var units []uint16
	at := 1
	skip := func() {
		for at < len(text) && text[at] == ' ' {
			at++
		}
	}
	for {
		skip()
		rest := text[at:]
		if inner, ok := strings.CutPrefix(rest, escape); ok {
			part, n := parseTerm(inner)
			if n == 0 || !strings.HasPrefix(inner[n:], ")") {
				return "", 0
			}
			units = append(units, utf16.Encode([]rune(part))...)
			at += len(escape) + n + 1
		} else if m := charTerm().FindStringSubmatch(rest); m != nil {
			n, err := strconv.ParseUint(m[1], 10, 16)
			if err != nil {
				return "", 0
			}
			units = append(units, uint16(n))
			at += len(m[0])
		} else {
			part, n := parseTerm(rest)
			if n == 0 {
				return "", 0
			}
			units = append(units, utf16.Encode([]rune(part))...)
			at += n
		}
		skip()
		switch {
		case strings.HasPrefix(text[at:], ")"):
			return string(utf16.Decode(units)), at + 1
		case !strings.HasPrefix(text[at:], "+"):
			return "", 0
		}
		at++
	}
}

// parseTerm parses a quoted text or an expression at the start of text. length is 0 if there is neither.
func parseTerm(text string) (value string, length int) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return ParseExpression(text)
	}
	value, length, err := quotedPart(text)
	if err != nil {
		return "", 0
	}
	return value, length
}

// Arguments treats the words of a process's command line like a typed line: a typographic dash begins a parameter, and
// typographic quotes join words.
func Arguments(words []string) []string {
	words = append([]string{}, words...)
	var list []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		runes := []rune(word)
		if len(runes) > 1 && strings.ContainsRune(dashes, runes[0]) {
			word = "-" + string(runes[1:])
		}
		if len(runes) > 0 && strings.ContainsRune(DoubleQuotes+SingleQuotes, runes[0]) {
			class := quoteClass(runes[0])
			for end := i; end < len(words); end++ {
				whole := strings.Join(words[i:end+1], " ")
				if body := strings.TrimRight(whole, class); body != whole && len([]rune(whole)) > 1 {
					word, i = strings.TrimLeft(body, class), end
					break
				}
			}
		}
		list = append(list, word)
	}
	return list
}
