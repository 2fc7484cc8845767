package ui

import (
	"cmp"
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
	help    string // what it is, when the title does not say it all
	kind    string // where it belongs, or what kind of thing it is
	keys    string
	refusal string // why it can't be done now
	run     func() Cmd
}

// paletteIndex searches entries. It keeps what the last search let through, because a longer word finds no more.
type paletteIndex struct {
	entries []paletteEntry
	texts   []string // all that can be found of each entry, in lower case, the title first
	last    string
	through []int
}

func newPaletteIndex(entries []paletteEntry) *paletteIndex {
	x := &paletteIndex{entries: entries, texts: make([]string, len(entries)), through: make([]int, len(entries))}
	// All texts stand in one string: there may be tens of thousands.
	all := make([]byte, 0, 80*len(entries))
	ends := make([]int, len(entries))
	for i, entry := range entries {
		for _, part := range [...]string{entry.title, entry.kind, entry.keys, entry.help} {
			all = append(appendLower(all, part), ' ')
		}
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

// mostScored bounds the fuzzy scoring, which is the slow part: with more candidates, those that hold the word as it was
// typed are scored first.
const mostScored = 1000

// search gives at most limit places of entries that match, the best first, and how many more match. Without a word all
// match, in their own order.
func (x *paletteIndex) search(word string, limit int) (found []int, more int) {
	word = strings.ToLower(strings.Join(strings.Fields(word), " "))
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
	letters := strings.ReplaceAll(word, " ", "")
	x.through = slices.DeleteFunc(x.through, func(i int) bool { return !hasLetters(x.texts[i], letters) })
	ranked := x.rank(word, letters)
	n := min(limit, len(ranked))
	return ranked[:n], len(x.through) - n
}

// rank orders the best candidates: first by how well the word as it was typed fits, then by the fuzzy score.
func (x *paletteIndex) rank(word, letters string) []int {
	candidates := x.candidates(word)
	type scored struct{ place, fit, score int }
	matches := fuzzy.FindFromNoSort(letters, paletteSource{x, candidates})
	all := make([]scored, len(matches))
	for i, match := range matches {
		place := candidates[match.Index]
		all[i] = scored{place, fit(x.texts[place], len(x.entries[place].title), word), match.Score}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.fit, b.fit), cmp.Compare(b.score, a.score))
	})
	places := make([]int, len(all))
	for i, one := range all {
		places[i] = one.place
	}
	return places
}

// candidates are the entries worth scoring: those that hold the word as typed before those that hold only its letters.
func (x *paletteIndex) candidates(word string) []int {
	if len(x.through) <= mostScored {
		return x.through
	}
	var whole, rest []int
	for _, i := range x.through {
		if strings.Contains(x.texts[i], word) {
			whole = append(whole, i)
		} else if len(rest) < mostScored {
			rest = append(rest, i)
		}
		if len(whole) == mostScored {
			break
		}
	}
	return append(whole, rest...)[:mostScored]
}

// fit says how well a word fits a text whose title ends at titleEnd: 0 the title begins with it, 1 a word of the title
// does, 2 it is in the title, 3 elsewhere in the text, 4 only its letters are.
func fit(text string, titleEnd int, word string) int {
	at := strings.Index(text, word)
	switch {
	case at == 0:
		return 0
	case at < 0:
		return 4
	case at >= titleEnd:
		return 3
	case strings.Contains(text[:titleEnd], " "+word):
		return 1
	default:
		return 2
	}
}

// hasLetters says whether text has the letters in their order.
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

// paletteSource gives fuzzy the texts of the candidates.
type paletteSource struct {
	index      *paletteIndex
	candidates []int
}

func (s paletteSource) String(i int) string { return s.index.texts[s.candidates[i]] }
func (s paletteSource) Len() int            { return len(s.candidates) }

func moreText(more int) string {
	if more == 1 {
		return "and one more: type more of its name"
	}
	return fmt.Sprintf("and %d more: type more of the name", more)
}
