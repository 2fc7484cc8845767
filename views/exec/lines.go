package exec

import (
	"fmt"
	"io"
)

// PrintLines returns an answer of lines as a tool prints them. Names in them come from outside.
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
