package cli

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"cxdeck/themes"
)

func sourceWords() []string { return []string{"lab", "local"} }

func formatWords() []string { return []string{"table", "csv", "json", "openmetrics"} }

func themeWords() []string { return themes.Names() }

func glyphWords() []string { return []string{"auto", "unicode", "blocks", "ascii"} }

func screenWords() []string { return []string{"overview", "counters", "events", "history"} }

// nearest is the word that differs least from the given one, "" when all differ much.
func nearest(word string, words []string) string {
	best, distance := "", max(3, len(word)/2+1)
	for _, one := range words {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(one)); d < distance {
			best, distance = one, d
		}
	}
	return best
}

// hint turns the nearest word into the end of a sentence.
func hint(word string, words []string) string {
	if near := nearest(word, words); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; there are " + strings.Join(words, ", ")
}
