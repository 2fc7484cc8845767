package exec

import (
	"fmt"
	"io"
)

// PrintLines returns an answer whose text is lines, without control characters: names in them come from outside.
func PrintLines(lines []string, result any) Answer {
	return Answer{Result: result, Text: func(w io.Writer) error {
		for _, line := range lines {
			if _, err := fmt.Fprintln(w, Clean(line)); err != nil {
				return err
			}
		}
		return nil
	}}
}
