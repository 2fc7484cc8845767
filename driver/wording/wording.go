// Package wording writes values as they stand in sentences and tables: numbers with their nouns, names, switches, rates and times.
package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxNamed is the maximum number of objects of a kind that a sentence names.
const maxNamed = 4

// Names lists names: "a, b and 3 others".
func Names(names []string) string {
	if rest := len(names) - maxNamed; rest > 1 {
		return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d others", rest)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// Count returns a number with its noun, in the plural except for 1: "1 flow", "3 flows", "2 mismatches".
func Count(n int, noun string) string {
	plural := noun + "s"
	if strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "x") {
		plural = noun + "es"
	}
	return Counted(n, noun, plural)
}

// Counted returns a number with a clause in the form for it: "1 change was made", "3 changes were made".
func Counted(n int, singular, plural string) string {
	return fmt.Sprintf("%d %s", n, Verb(n, singular, plural))
}

// UpperFirst returns a text with its first letter in upper case. The name of a program, a key or a file keeps its case: the first word
// is one if it is among the given names or a known program, or has a sign, a digit or an upper-case letter inside.
func UpperFirst(text string, names ...string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 || isName(text, names) {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// isName reports whether a text begins with a name that has its own case.
func isName(text string, names []string) bool {
	word, _, _ := strings.Cut(text, " ")
	word = strings.TrimRight(word, ",.:;?!")
	return slices.Contains(names, word) || isProgram(word) || strings.ContainsFunc(word, func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(`_*.\=$`, r)
	})
}

// isProgram reports whether a word is the name of a program that is written as a word in lower case.
func isProgram(word string) bool {
	switch word {
	case "cxdeck", "devlink", "ethtool", "flint", "ibdiagnet", "ibsim", "ibstat", "mlxconfig", "mlxlink", "mst", "netcfg", "netsh", "opensm", "powershell", "regedit", "tshark":
		return true
	}
	return false
}

// Stamp returns a time in the machine's zone, "-" for none.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format(time.DateTime)
}

// Verb returns the form of a verb for one subject or more.
func Verb(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// Seconds returns a duration for a sentence: "2.5 s", "31 s".
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%g s", d.Round(500*time.Millisecond).Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Rate returns a rate in bits per second with three digits and its unit.
func Rate(rate float64) string {
	units := []string{"b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"}
	i := 0
	for ; rate >= 999.5 && i < len(units)-1; i++ {
		rate /= 1000
	}
	return fmt.Sprintf("%.3g %s", rate, units[i])
}

// OnOff returns on or off.
func OnOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// YesNo returns yes or no.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// OrDash returns a text, or "-" if it is empty.
func OrDash(text string) string { return cmp.Or(text, "-") }

// Shorten cuts a text after a number of characters.
func Shorten(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
