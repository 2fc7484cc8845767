// Package search finds counters of a schema by words: of the set, the counter and the instance, with synonyms and misspellings.
// It draws nothing and knows no screen.
package search
