package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"cxdeck/store"
	"cxdeck/views/comparison"
	"cxdeck/views/exec"
)

// Call is one run of a verb.
type Call struct {
	Ctx context.Context
	DB  *store.DB
	// Arguments are the words after the verb, as Verb.Check accepted them.
	Arguments []string
	// JSON asks for a document instead of text.
	JSON bool
	// Format is the word after --format; empty without.
	Format string
	// From and To are the typed bounds of a range of a session: a time or an offset. Empty is the start or end of the session.
	From, To string
	// From2 and To2 bound the range of the second session of a comparison; if both are empty, From and To do.
	From2, To2 string
	// Change is the number of the change whose before and after the verb changed compares; 0 for none.
	Change uint64
	// Count is the maximum number of rows of a list; 0 for the verb's default.
	Count   int
	InBytes bool
	Out     io.Writer
	// Progress begins a progress bar; the function that it returns moves the bar, and removes it when done equals all. Both may
	// be nil.
	Progress func(title string) func(done, all int)
	// Writing notes files that are of no use before they are whole, for a program that must end at once, until done is called; it
	// may be nil.
	Writing func(paths ...string) (done func())
	// Version is the program's.
	Version string
	// Restore makes a host from a snapshot; nil without a lab.
	Restore comparison.Restore

	// done are the sentences about completed work for a document.
	done []string
}

// Verb is one command on the recorded history.
type Verb struct {
	Name string
	// Arguments is the rest of its synopsis.
	Arguments string
	// IDs is the number of leading arguments that are numbers of sessions, -1 for all; Others is the minimum number of further
	// arguments, and Rest is set if more may follow.
	IDs, Others int
	Rest        bool
	// File is set if the first argument after the sessions is a file.
	File bool
	// Changes is set if it changes the history: no other cxdeck may record into that.
	Changes bool
	// Limits is set if it applies the limits of the history: it needs their settings.
	Limits bool
	// Creates is set if it creates a missing history.
	Creates bool
	// Forms is set if --format names a file format instead of an output format.
	Forms bool
	// Ranges is set if it works on a range of a session: --from and --to.
	Ranges bool
	Run    func(*Call) error
}

// Verbs returns the verbs in the order of the help page.
func Verbs() []Verb {
	return []Verb{
		{Name: "list", Run: list},
		{Name: "show", Arguments: "ID", IDs: 1, Run: show},
		{Name: "delete", Arguments: "ID...", IDs: -1, Changes: true, Run: remove},
		{Name: "pin", Arguments: "ID...", IDs: -1, Changes: true, Run: pin},
		{Name: "unpin", Arguments: "ID...", IDs: -1, Changes: true, Run: unpin},
		{Name: "note", Arguments: "ID TEXT...", IDs: 1, Others: 1, Rest: true, Changes: true, Ranges: true, Run: note},
		{Name: "edit-note", Arguments: "NOTE TEXT...", Others: 2, Rest: true, Changes: true, Run: editNote},
		{Name: "unnote", Arguments: "NOTE...", Others: 1, Rest: true, Changes: true, Run: deleteNotes},
		{Name: "tag", Arguments: "ID TAG...", IDs: 1, Others: 1, Rest: true, Changes: true, Run: tag},
		{Name: "untag", Arguments: "ID TAG...", IDs: 1, Others: 1, Rest: true, Changes: true, Run: untag},
		{Name: "search", Arguments: "TEXT...", Others: 1, Rest: true, Run: search},
		{Name: "changed", Arguments: "ID", IDs: 1, Ranges: true, Run: changed},
		{Name: "compare", Arguments: "ID ID", IDs: 2, Ranges: true, Run: compareSessions},
		{Name: "export", Arguments: "ID FILE [PATTERN...]", IDs: 1, Others: 1, Rest: true, File: true, Forms: true, Ranges: true, Run: export},
		{Name: "import", Arguments: "FILE [ID...]", Others: 1, Rest: true, File: true, Changes: true, Creates: true, Run: importFile},
		{Name: "vacuum", Changes: true, Limits: true, Run: vacuum},
	}
}

// formerNames maps former names of verbs, which scripts may use, to their present names.
var formerNames = map[string]string{"moved": "changed"}

// Find returns the verb with a name, or with a former one.
func Find(name string) (Verb, bool) {
	if present := formerNames[name]; present != "" {
		name = present
	}
	verbs := Verbs()
	at := slices.IndexFunc(verbs, func(v Verb) bool { return v.Name == name })
	if at < 0 {
		return Verb{}, false
	}
	return verbs[at], true
}

// Names returns the names of all verbs.
func Names() (names []string) {
	for _, verb := range Verbs() {
		names = append(names, verb.Name)
	}
	return names
}

// Synopsis returns the verbs with their arguments: "list | show ID | ...".
func Synopsis() string {
	var parts []string
	for _, verb := range Verbs() {
		parts = append(parts, strings.TrimSpace(verb.Name+" "+verb.Arguments))
	}
	return strings.Join(parts, " | ")
}

// Check checks the arguments of a verb; it returns an *exec.MistakeError.
func (v *Verb) Check(arguments []string) error {
	ids, count := v.IDs, v.IDs+v.Others
	if ids < 0 {
		ids, count = len(arguments), 1
	}
	switch {
	case v.Arguments == "" && len(arguments) > 0:
		return exec.Mistake("sessions %s takes no arguments, but %q was given", v.Name, arguments[0])
	case len(arguments) < count && v.Arguments == "ID":
		return exec.Mistake("sessions %s requires the number of one session; sessions list prints them", v.Name)
	case len(arguments) < count && v.Arguments == "ID...":
		return exec.Mistake("sessions %s requires the number of a session; sessions list prints them", v.Name)
	case len(arguments) < count:
		return exec.Mistake("sessions %s is incomplete: write sessions %s %s", v.Name, v.Name, v.Arguments)
	case !v.Rest && v.IDs >= 0 && len(arguments) > count:
		return exec.Mistake("sessions %s takes %d arguments, and %q is one too many; write sessions %s %s",
			v.Name, count, arguments[count], v.Name, v.Arguments)
	}
	for _, argument := range arguments[:ids] {
		if _, err := strconv.ParseInt(argument, 10, 64); err != nil {
			return exec.Mistake("%q is not the number of a session; sessions list prints the numbers", argument)
		}
	}
	return nil
}

// id returns the session number of a checked argument.
func (c *Call) id(argument int) int64 {
	id, _ := strconv.ParseInt(c.Arguments[argument], 10, 64)
	return id
}

// ids returns the session numbers of all arguments; each session must exist.
func (c *Call) ids() ([]int64, error) {
	ids := make([]int64, len(c.Arguments))
	for i := range ids {
		ids[i] = c.id(i)
		if _, err := c.DB.Session(c.Ctx, ids[i]); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// schemaVersion is the schema version of the documents.
const schemaVersion = 1

func (c *Call) document(document any) error {
	encoder := json.NewEncoder(c.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// progress begins a progress bar, and returns the function that moves it, never nil.
func (c *Call) progress(title string) func(done, all int) {
	if c.Progress != nil {
		if move := c.Progress(title); move != nil {
			return move
		}
	}
	return func(int, int) {}
}

// doneJSON is what a verb without a result of its own has done, as JSON.
type doneJSON struct {
	Schema int      `json:"schema"`
	Done   []string `json:"done"`
}

// Do runs a verb. With JSON, a verb that only changes the history prints a document with its sentences.
func (v *Verb) Do(c *Call) error {
	c.JSON = c.JSON && !v.Forms
	if err := v.Run(c); err != nil || len(c.done) == 0 {
		return err
	}
	return c.document(doneJSON{schemaVersion, c.done})
}

// say prints a sentence about completed work.
func (c *Call) say(format string, arguments ...any) {
	if c.JSON {
		c.done = append(c.done, fmt.Sprintf(format, arguments...))
		return
	}
	fmt.Fprintf(c.Out, format+"\n", arguments...) //nolint:errcheck // the work is done
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }
