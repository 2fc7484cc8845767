package request

import (
	"fmt"
	"strconv"
	"strings"
)

// Quoted returns a text between quotation marks for a message: control characters are escaped as %q does it, but the backslashes
// of counter paths, registry paths and file names are not doubled.
func Quoted(text string) string {
	quoted := strconv.Quote(text)
	return `"` + unescape.Replace(quoted[1:len(quoted)-1]) + `"`
}

// unescape undoes what %q does to characters that a message can show.
var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// Word is a text of a message, which the verb %q formats as Quoted does.
type Word string

// Format formats the word as any string, except with the verb %q.
func (w Word) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprint(f, Quoted(string(w))) //nolint:errcheck // the formatter of fmt can't fail
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), string(w)) //nolint:errcheck // the same
}

// Errorf is fmt.Errorf, except that %q formats texts as Quoted does.
func Errorf(format string, args ...any) error {
	Words(args)
	return fmt.Errorf(format, args...)
}

// Words makes words of the texts among the arguments of a format, in place: go vet then knows the function that passes them on
// to fmt, and checks its callers.
func Words(args []any) {
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = Word(text)
		}
	}
}
