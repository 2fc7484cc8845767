package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// paletteEntry is an entry of the palette.
type paletteEntry struct {
	title   string
	help    string // its kind, when the title does not name it
	kind    string // its screen, or its kind
	keys    string
	refusal string // why it can't be done now
	run     func() Cmd
}

// paletteIndex searches entries. It keeps the matches of the last search, because a longer word has no other matches.
type paletteIndex struct {
	entries []paletteEntry
	texts   []string // the searched text of each entry, in lower case: title, kind, keys and help
	names   []int    // the offset after title, kind and keys in the text
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

// fit is the quality of a match; lower is better.
type fit uint8

const (
	fitStart   fit = iota // the title begins with it
	fitWord               // a word of the title begins with it
	fitTitle              // the title contains it
	fitText               // the text contains all its words
	fitLetters            // the names contain its letters in order
	fitNot
)

// maxScored limits the fuzzy scoring of entries that match only by their letters, which is slow.
const maxScored = 1000

// search returns the indexes of at most limit matching entries, the best first and otherwise in their order, and the number of
// further matches. An empty text matches all.
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

// fit returns the quality of a match with an entry.
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

// score sorts entries with the letters by the distances between them.
func (x *paletteIndex) score(letters string, places []int) []int {
	var best []int
	for _, match := range fuzzy.FindFrom(letters, paletteNames{x, places}) {
		best = append(best, places[match.Index])
	}
	return best
}

// hasLetters reports whether text contains the letters in order.
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

// paletteNames is a source for package fuzzy: the titles, kinds and keys of some entries.
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
		return "1 more; type to narrow"
	}
	return fmt.Sprintf("%d more; type to narrow", more)
}
