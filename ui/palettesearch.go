package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// paletteEntry is one thing that the palette offers.
type paletteEntry struct {
	title   string
	help    string // its kind, when the title does not name it
	kind    string // where it belongs, or what kind of thing it is
	keys    string
	refusal string // why it can't be done now
	run     func() Cmd
}

// paletteIndex searches entries. It keeps what the last search let through, because a longer word finds no more.
type paletteIndex struct {
	entries []paletteEntry
	texts   []string // all that can be found of each entry, in lower case: title, kind, keys and help
	names   []int    // where in the text title, kind and keys end
	last    string
	through []int
}

func newPaletteIndex(entries []paletteEntry) *paletteIndex {
	x := &paletteIndex{entries: entries, texts: make([]string, len(entries)), names: make([]int, len(entries)),
		through: make([]int, len(entries))}
	// All texts are in one string: there may be tens of thousands.
	all := make([]byte, 0, 80*len(entries))
	ends := make([]int, len(entries))
	for i, entry := range entries {
		start := len(all)
		for _, part := range [...]string{entry.title, entry.kind, entry.keys} {
			all = append(appendLower(all, part), ' ')
		}
		x.names[i] = len(all) - start
		all = appendLower(all, entry.help)
		ends[i] = len(all)
		x.through[i] = i
	}
	text, start := string(all), 0
	for i, end := range ends {
		x.texts[i] = text[start:end]
		start = end
	}
	return x
}

// appendLower appends a text in lower case.
func appendLower(to []byte, text string) []byte {
	for _, r := range text {
		if r < utf8.RuneSelf {
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			to = append(to, byte(r))
			continue
		}
		to = utf8.AppendRune(to, unicode.ToLower(r))
	}
	return to
}

// fit is how well an entry matches the typed text; lower is better.
type fit uint8

const (
	fitStart   fit = iota // the title begins with it
	fitWord               // a word of the title begins with it
	fitTitle              // it is in the title
	fitText               // all its words are somewhere
	fitLetters            // its letters are in the names, in their order
	fitNot
)

// maxScored bounds the fuzzy scoring of entries that match only by their letters, which is the slow part.
const maxScored = 1000

// search returns at most limit places of entries that match, the best first and otherwise in their own order, and how many
// more match. Without a word all match.
func (x *paletteIndex) search(typed string, limit int) (found []int, more int) {
	words := strings.Fields(string(appendLower(nil, typed)))
	word := strings.Join(words, " ")
	if !strings.HasPrefix(word, x.last) {
		x.through = x.through[:0]
		for i := range x.entries {
			x.through = append(x.through, i)
		}
	}
	x.last = word
	letters := strings.Join(words, "")
	var fits [fitNot][]int
	x.through = slices.DeleteFunc(x.through, func(i int) bool {
		f := x.fit(i, word, words, letters)
		if f < fitNot {
			fits[f] = append(fits[f], i)
		}
		return f == fitNot
	})
	for f := range fitLetters {
		found = append(found, fits[f][:min(limit-len(found), len(fits[f]))]...)
	}
	if room := limit - len(found); room > 0 {
		best := x.score(letters, fits[fitLetters][:min(maxScored, len(fits[fitLetters]))])
		found = append(found, best[:min(room, len(best))]...)
	}
	return found, len(x.through) - len(found)
}

// fit judges an entry.
func (x *paletteIndex) fit(i int, word string, words []string, letters string) fit {
	text, title := x.texts[i], len(x.entries[i].title)
	switch at := strings.Index(text, word); {
	case at == 0:
		return fitStart
	case at > 0 && at < title && strings.Contains(text[:title], " "+word):
		return fitWord
	case at > 0 && at < title:
		return fitTitle
	case at > 0 || !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }):
		return fitText
	case hasLetters(text[:x.names[i]], letters):
		return fitLetters
	default:
		return fitNot
	}
}

// score orders entries that have the letters by how close together these stand.
func (x *paletteIndex) score(letters string, places []int) []int {
	var best []int
	for _, match := range fuzzy.FindFrom(letters, paletteNames{x, places}) {
		best = append(best, places[match.Index])
	}
	return best
}

// hasLetters reports whether text has the letters in their order.
func hasLetters(text, letters string) bool {
	for _, letter := range letters {
		i := strings.IndexRune(text, letter)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}

// paletteNames gives fuzzy the titles, kinds and keys of some entries.
type paletteNames struct {
	index  *paletteIndex
	places []int
}

func (n paletteNames) String(i int) string {
	place := n.places[i]
	return n.index.texts[place][:n.index.names[place]]
}

func (n paletteNames) Len() int { return len(n.places) }

func moreText(more int) string {
	if more == 1 {
		return "and one more: type more of its name"
	}
	return fmt.Sprintf("and %d more: type more of the name", more)
}
