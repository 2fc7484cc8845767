package registry

import (
	"cmp"
	"slices"
	"strings"
)

// Hit is a key that a search has found.
type Hit struct {
	Row *Row
	// Score is higher for better hits: names score more than summaries, and summaries more than the longer texts.
	Score int
}

// Limits of a query, in bytes and words; the rest is ignored.
const (
	maxQuery = 200
	maxWords = 12
)

// Search returns the keys of the given scopes, or of all without any, whose name, summary or details contain each word of a
// query, best first. It ignores case and the asterisk of names. An empty query finds nothing.
func (c *Catalogue) Search(query string, scopes ...Scope) (hits []Hit) {
	words := strings.Fields(strings.ToLower(query[:min(len(query), maxQuery)]))
	words = slices.DeleteFunc(words[:min(len(words), maxWords)], func(w string) bool { return strings.Trim(w, "*") == "" })
	for i, w := range words {
		words[i] = strings.TrimPrefix(w, "*")
	}
	if len(words) == 0 {
		return nil
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		if len(scopes) > 0 && !slices.Contains(scopes, r.Scope) {
			continue
		}
		if score := r.score(words); score > 0 {
			hits = append(hits, Hit{r, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// Scores of the places in which a word is found.
const (
	wholeName   = 100
	startOfName = 60
	partOfName  = 40
	inSummary   = 15
	inLabels    = 10
	inEffect    = 6
	inRest      = 3
)

// score returns the sum of the scores of the words; 0 when one of them is not found.
func (r *Row) score(words []string) (score int) {
	d := r.Detail()
	for _, w := range words {
		var best int
		switch {
		case r.folded == w:
			best = wholeName
		case strings.HasPrefix(r.folded, w):
			best = startOfName
		case strings.Contains(r.folded, w):
			best = partOfName
		case d.search.summary.hasWord(w):
			best = inSummary
		case d.search.labels.hasWord(w):
			best = inLabels
		case d.search.effect.hasWord(w):
			best = inEffect
		case d.search.rest.hasWord(w):
			best = inRest
		default:
			return 0
		}
		score += best
	}
	return score
}

// searchTexts are the texts of a key in lower case.
type searchTexts struct{ summary, labels, effect, rest lowerText }

type lowerText string

// hasWord reports whether a text has a word, or one that begins with it.
func (text lowerText) hasWord(word string) bool {
	for rest := string(text); ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		if i == 0 || !letter(rest[i-1]) {
			return true
		}
		rest = rest[i+1:]
	}
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }

func lowered(parts ...string) lowerText { return lowerText(strings.ToLower(strings.Join(parts, " "))) }

// searchable returns the texts of a key in lower case.
func searchable(r *Row, d *Detail) searchTexts {
	labels := []string{r.Group, string(r.Scope), r.Unit}
	for _, c := range slices.Concat(r.Choices, r.Bits) {
		labels = append(labels, c.Label)
	}
	return searchTexts{
		lowered(r.Summary), lowered(labels...), lowered(d.Effect),
		lowered(d.Constraint, d.Notes, d.Decision, strings.Join(d.Moves, " "), strings.Join(d.Related, " "), r.Inert),
	}
}
