package journal

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/operation"
	"cxdeck/driver/registry/edit"
)

// Operation is one change of the host, as plain data. It encodes to JSON with a kind tag (see MarshalOperation).
type Operation = operation.Any

// Plan is a list of Operations that are applied together or not at all.
type Plan struct {
	// Title is the purpose of the plan: "Pull the cable of Ethernet 7".
	Title      string
	Operations []Operation
}

// Entry is one plan in the journal.
type Entry struct {
	// Sequence rises by one with each entry, from 1.
	Sequence uint64
	// Time is the host's time when the plan was applied.
	Time time.Time
	Plan Plan
	// Inverse is the plan that undoes it.
	Inverse Plan
	// Undoes is the sequence of the entry that this one undid, 0 for none.
	Undoes uint64
	// Values are the values stored or deleted by the plan, as read back afterwards.
	Values []edit.WrittenValue
	// Typed holds commands by the Operation's index in the plan, where they depend on the state of the host; see Commands.
	Typed map[int][]string
	// Err is the reason why the plan failed and was rolled back; empty when it was applied.
	Err string
	// By is the kind of program that made the change, such as "console" or "exec", and Run the run of that program: see Actor.
	// Both are empty in entries of versions that did not record them.
	By, Run string
	// Unread is the reason why an entry of a saved host can't be read; it is empty for all others. Such an entry has only the
	// fields above that could be read, and no Operations. It is saved unchanged.
	Unread string
	// stored is the saved form of an unread entry.
	stored json.RawMessage
}

// OperationError is an Operation of a plan that can't be applied.
type OperationError struct {
	// Index is its place in the plan, from 0.
	Index     int
	Operation Operation
	// Err is the reason why.
	Err error
}

// Error names the Operation and the reason. Names from outside are cut to a length that can be read. When a name is missing
// from the Operation's sentence, it is the reason alone, which says so.
func (e *OperationError) Error() string {
	what, why := e.Operation.Describe(), Shorten(e.Err.Error())
	if isIncomplete(what) {
		return why
	}
	return fmt.Sprintf("can't %s: %s", Shorten(what), why)
}

// isIncomplete reports whether a sentence has a gap where a name is empty.
func isIncomplete(sentence string) bool {
	for _, gap := range [...]string{"  ", " :", " ,"} {
		if strings.Contains(sentence, gap) {
			return true
		}
	}
	return strings.HasSuffix(sentence, " ")
}

// Unwrap returns the reason.
func (e *OperationError) Unwrap() error { return e.Err }

// Actor is the author of changes: By is a short word such as "console" or "exec", Run identifies one run of the program.
type Actor struct{ By, Run string }

// Commands returns the commands that an operator would have typed for each Operation of the plan when it was applied. In a
// journal of an older version they are the Operations' own.
func (e *Entry) Commands() [][]string {
	list := make([][]string, len(e.Plan.Operations))
	for i, o := range e.Plan.Operations {
		typed, ok := e.Typed[i]
		if !ok {
			typed = o.Commands()
		}
		list[i] = typed
	}
	return list
}
