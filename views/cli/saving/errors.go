package saving

import (
	"errors"
	"slices"
	"strings"
)

// JoinDistinct joins errors into one line without repetition; errors.Is still finds each of them.
func JoinDistinct(problems ...error) error {
	var kept distinctErrors
	for _, err := range problems {
		var several distinctErrors
		if errors.As(err, &several) {
			kept = append(kept, several...)
		} else if err != nil {
			kept = append(kept, err)
		}
	}
	seen := map[string]bool{}
	kept = slices.DeleteFunc(kept, func(err error) bool {
		text := err.Error()
		again := seen[text]
		seen[text] = true
		return again
	})
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// distinctErrors is a list of errors with different texts.
type distinctErrors []error

// Error returns the sentences in one line.
func (d distinctErrors) Error() string {
	texts := make([]string, len(d))
	for i, err := range d {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns all wrapped errors.
func (d distinctErrors) Unwrap() []error { return d }
