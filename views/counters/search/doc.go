// Package search finds counters of a schema by words: of the set, the counter and the instance, with synonyms and misspellings. It
// is independent of screens.
package search
