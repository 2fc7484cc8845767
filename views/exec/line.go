package exec

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

// Lines come as the manuals print them: with the prompt that precedes them, typographic dashes and quotes, the
// whole path of a tool, and the sign that continues with the next line.

// prompts stand before lines: of PowerShell, of cmd, of the manuals. One without a place has a space behind it.
var prompts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:PS\s+[a-z]:\\[^>|"']*>|PS\s*>|PS\s+\\?\$\s|CMD\s*>|[a-z]:\\[^>|"']*>|#>|>|\$\s)\s*`)
})

// withoutPrompt returns a line without the prompts that were copied with it, and with plain spaces.
func withoutPrompt(line string) string {
	line = strings.TrimLeft(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(line), " \t")
	return line[len(prompts().FindString(line)):]
}

// lineSigns are words that mean something at an end of a line: the prompt of a shell, and what continues with the next.
var lineSigns = []string{"$", "`", "^"}

// splitContinuation reports whether a line continues with the next, and gives what stands before the sign that says so.
func splitContinuation(line string) (head string, more bool) {
	trimmed := strings.TrimRight(line, " \t\u00a0")
	if comment := strings.TrimLeft(line, " \t"); strings.HasPrefix(comment, "#") && !strings.HasPrefix(comment, "#>") {
		return line, false
	}
	for _, sign := range lineSigns[1:] {
		head, ok := strings.CutSuffix(trimmed, sign)
		if ok && (head == "" || strings.HasSuffix(head, " ") || strings.HasSuffix(head, "\t")) {
			return head, true
		}
	}
	return line, false
}

// Signs that PowerShell takes for a hyphen, and for quotes.
const (
	dashes       = "\u2013\u2014\u2015\u2212"
	doubleQuotes = "\u201c\u201d\u201e"
	singleQuotes = "\u2018\u2019\u201a\u201b"
)

// quoteClass says which signs end a quote that begins with a sign; empty for one that is no quote. A plain quote ends
// with a plain one alone, so that it can hold the others.
func quoteClass(sign rune) string {
	switch {
	case sign == '"' || sign == '\'':
		return string(sign)
	case strings.ContainsRune(doubleQuotes, sign):
		return doubleQuotes + `"`
	case strings.ContainsRune(singleQuotes, sign):
		return singleQuotes + `'`
	}
	return ""
}

// placeholder matches a placeholder of the manuals at the front of a text: "<VM Name>" is one word.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<[A-Za-z][A-Za-z0-9 /#_-]*>`) })

// The terms of an expression that makes a text, as the program prints it for a name with signs that mean something.
var (
	charTerm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[char\](\d{1,5})`) })
	escape   = "[WildcardPattern]::Escape("
)

// expression returns the value of an expression of PowerShell in brackets that text begins with, and its length; 0 when there
// is none: ('a' + [char]10 + 'b'), ([WildcardPattern]::Escape('a')).
func expression(text string) (value string, length int) {
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
			part, n := argument(inner)
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
			part, n := argument(rest)
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

// argument returns a text in quotes, or an expression in brackets; its length is 0 when there is neither.
func argument(text string) (value string, length int) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return expression(text)
	}
	value, length, err := quotedPart(text)
	if err != nil {
		return "", 0
	}
	return value, length
}

// Arguments are words as a shell hands them over, as if they stood in a line: typographic dashes begin parameters, and
// typographic quotes hold words together.
func Arguments(words []string) []string {
	words = append([]string{}, words...)
	var list []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		runes := []rune(word)
		if len(runes) > 1 && strings.ContainsRune(dashes, runes[0]) {
			word = "-" + string(runes[1:])
		}
		if len(runes) > 0 && strings.ContainsRune(doubleQuotes+singleQuotes, runes[0]) {
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
