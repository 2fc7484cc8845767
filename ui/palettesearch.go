package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// paletteEntry is one thing that the palette offers.
type paletteEntry struct {
	title, kind, detail string
	refusal             string // why it can't be done now
	run                 func() Cmd
}

// paletteIndex searches entries. It keeps what the last search let through, because a longer word finds no more.
type paletteIndex struct {
	entries []paletteEntry
	folded  []string // titles and kinds in lower case, in step with entries
	last    string
	through []int
}

func newPaletteIndex(entries []paletteEntry) *paletteIndex {
	x := &paletteIndex{entries: entries, folded: make([]string, len(entries)), through: make([]int, len(entries))}
	for i, entry := range entries {
		x.folded[i] = strings.ToLower(entry.title + " " + entry.kind + " " + entry.detail)
		x.through[i] = i
	}
	return x
}

// mostScored bounds the fuzzy scoring, which is the slow part: with more candidates the ones that hold the word as it
// was typed are scored first.
const mostScored = 2000

// search gives at most limit places of entries that match, the best first, and how many more match. Without a word all
// match, in their own order.
func (x *paletteIndex) search(word string, limit int) (found []int, more int) {
	word = strings.ToLower(strings.TrimSpace(word))
	if !strings.HasPrefix(word, x.last) {
		x.through = x.through[:0]
		for i := range x.entries {
			x.through = append(x.through, i)
		}
	}
	x.last = word
	if word == "" {
		n := min(limit, len(x.through))
		return slices.Clone(x.through[:n]), len(x.through) - n
	}
	letters := []rune(strings.ReplaceAll(word, " ", ""))
	x.through = slices.DeleteFunc(x.through, func(i int) bool { return !hasLetters(x.folded[i], letters) })
	candidates := x.candidates(word)
	for _, match := range fuzzy.FindFrom(string(letters), paletteSource{x, candidates}) {
		if len(found) == limit {
			break
		}
		found = append(found, candidates[match.Index])
	}
	return found, len(x.through) - len(found)
}

// candidates are the entries worth scoring: those that hold the word as typed before those that hold its letters.
func (x *paletteIndex) candidates(word string) []int {
	if len(x.through) <= mostScored {
		return x.through
	}
	var whole, rest []int
	for _, i := range x.through {
		switch {
		case len(whole) < mostScored && strings.Contains(x.folded[i], word):
			whole = append(whole, i)
		case len(rest) < mostScored:
			rest = append(rest, i)
		}
	}
	return append(whole, rest...)[:mostScored]
}

// hasLetters says whether text has the letters in their order.
func hasLetters(text string, letters []rune) bool {
	for _, letter := range letters {
		i := strings.IndexRune(text, letter)
		if i < 0 {
			return false
		}
		text = text[i+len(string(letter)):]
	}
	return true
}

// paletteSource gives fuzzy the folded texts of the candidates.
type paletteSource struct {
	index      *paletteIndex
	candidates []int
}

func (s paletteSource) String(i int) string { return s.index.folded[s.candidates[i]] }
func (s paletteSource) Len() int            { return len(s.candidates) }

func moreText(more int) string {
	if more == 1 {
		return "and one more: type more of its name"
	}
	return fmt.Sprintf("and %d more: type more of the name", more)
}
