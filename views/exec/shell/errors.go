package shell

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a part of a script that is not understood, with its place.
type Error struct {
	// Line and Column count from 1, columns in characters. Column is 0 for a whole line.
	Line, Column int
	Text         string
	// Incomplete reports that the script ends too early: more lines could complete it.
	Incomplete bool
}

// Error returns the place and the text.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Text)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Source is a script, or a part of one.
type Source struct {
	Text string
	// Line is the number of its first line.
	Line int
	// Partial reports that more lines may follow, which a statement at its end could take.
	Partial bool
}

// place returns the line and column of an offset.
func (s *Source) place(offset int) (line, column int) {
	source := s.Text
	before := source[:min(offset, len(source))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + max(s.Line, 1), utf8.RuneCountInString(before[start:]) + 1
}

func errorAt(source *Source, offset int, format string, args ...any) *Error {
	line, column := source.place(offset)
	return &Error{Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}
