package limits

import (
	"slices"
	"strconv"
	"strings"
)

// versionOf returns a version as numbers, from the first digit on: "WinOF 5.50.52000" is 5, 50, 52000. A text without digits
// has none.
func versionOf(text string) (list []int) {
	fields := strings.Fields(text)
	for _, field := range slices.Backward(fields) { // the version is the last word: a product may have a digit in its name
		if field[0] < '0' || field[0] > '9' {
			continue
		}
		// Numbers are separated by dots, hyphens and other signs: "4.8.0-25" has four.
		for part := range strings.FieldsFuncSeq(field, func(c rune) bool { return c < '0' || c > '9' }) {
			n, err := strconv.Atoi(part)
			if err != nil {
				return nil
			}
			list = append(list, n)
		}
		return list
	}
	return nil
}

// Older reports whether a version is before another. It is false for a text without a version; missing parts are 0.
func Older(version, than string) bool {
	a, b := versionOf(version), versionOf(than)
	if a == nil || b == nil {
		return false
	}
	for len(a) < len(b) {
		a = append(a, 0)
	}
	for len(b) < len(a) {
		b = append(b, 0)
	}
	return slices.Compare(a, b) < 0
}

// system is a version of Windows. Servers and clients of one core have the same rank.
type system struct {
	rank   int // 0 when it is not known
	client bool
}

func (s system) known() bool { return s.rank > 0 }

func (s system) before(other system) bool { return s.rank < other.rank }

// The ranks, by the words of the names: a longer name precedes one that it begins with.
var systems = []struct {
	words  string
	rank   int
	client bool
}{
	{"server 2025", 10, false}, {"server 2022", 9, false}, {"server 2019", 8, false}, {"server 2016", 7, false},
	{"server 2012 r2", 6, false}, {"server 2012", 5, false}, {"server 2008 r2", 4, false}, {"server 2008", 3, false},
	{"server 2003", 2, false},
	{"windows 11", 9, true}, {"windows 10 1809", 8, true}, {"windows 10", 7, true}, {"windows 8.1", 6, true},
	{"windows 8", 5, true}, {"windows 7", 4, true}, {"windows vista", 3, true}, {"windows xp", 2, true},
}

// fillers are words that some names of Windows contain: "Windows Client 10", "Windows Server(R) 2012 R2".
var fillers = strings.NewReplacer("client ", "", "®", "", "(r)", "", "version ", "", "2012r2", "2012 r2",
	"2008r2", "2008 r2")

// systemOf reads a name of Windows: "Windows Server 2019 Datacenter, Hyper-V".
func systemOf(text string) system {
	text = fillers.Replace(strings.ToLower(strings.Join(strings.Fields(text), " ")))
	for _, s := range systems {
		at := strings.Index(text, s.words)
		if at < 0 {
			continue
		}
		if rest := text[at+len(s.words):]; rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			continue // "windows 80" is not Windows 8
		}
		return system{s.rank, s.client}
	}
	return system{}
}
