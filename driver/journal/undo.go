package journal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNothingToUndo is the error of Undo when the journal has no entry that can be undone.
var ErrNothingToUndo = errors.New("there is nothing to undo")

// Undoable returns the newest applied entry that is not undone yet and has an inverse.
func (j Journal) Undoable() (Entry, bool) {
	undone := map[uint64]bool{}
	for _, e := range slices.Backward(j) {
		if e.Undoes != 0 && e.Err == "" {
			undone[e.Undoes] = true
		}
		if e.Undoes == 0 && e.Err == "" && !undone[e.Sequence] && len(e.Inverse.Operations) > 0 {
			return e, true
		}
	}
	return Entry{}, false
}

// Find returns the entry with a number that can be undone, or why it can't be. touches returns the names of the objects that an
// Operation changes permanently; see ConflictError.
func (j Journal) Find(sequence uint64, touches func(Operation) []string) (Entry, error) {
	var found *Entry
	undone := map[uint64]bool{}
	for i := range j {
		e := &j[i]
		if e.Err != "" {
			continue
		}
		if e.Undoes != 0 {
			undone[e.Undoes] = true
		}
		if e.Sequence == sequence && e.Undoes == 0 && len(e.Inverse.Operations) > 0 {
			found = e
		}
	}
	switch {
	case sequence != 0 && undone[sequence]:
		return Entry{}, fmt.Errorf("change %d is undone already", sequence)
	case found == nil:
		return Entry{}, j.whyNotUndoable(sequence)
	}
	if conflicts := j.conflicts(found, undone, touches); len(conflicts) > 0 {
		return *found, &ConflictError{found.Sequence, found.Plan.Title, conflicts}
	}
	return *found, nil
}

// whyNotUndoable returns why the entry with a number has nothing to undo.
func (j Journal) whyNotUndoable(sequence uint64) error {
	for i := range j {
		e := &j[i]
		switch {
		case e.Sequence != sequence:
			continue
		case e.Unread != "":
			return fmt.Errorf("change %d can't be undone, because it can't be read: %s", sequence, e.Unread)
		case e.Err != "":
			return fmt.Errorf("change %d failed and changed nothing: there is nothing to undo", sequence)
		case e.Undoes != 0:
			return fmt.Errorf("change %d undid change %d: make change %d again", sequence, e.Undoes, e.Undoes)
		}
		return fmt.Errorf("change %d can't be undone: %s", sequence, e.Plan.Title)
	}
	return fmt.Errorf("there is no change %d to undo", sequence)
}

// ConflictError is an entry that can't be undone, because later entries changed the same objects.
type ConflictError struct {
	// Sequence and Title identify the entry.
	Sequence  uint64
	Title     string
	Conflicts []Conflict
}

// Conflict is a later entry that changed the same objects as the entry to undo.
type Conflict struct {
	Sequence uint64
	Title    string
	// What lists the objects that both changed: "*JumboPacket of Ethernet 7".
	What []string
}

// Error lists the conflicts, and says how to resolve them.
func (e *ConflictError) Error() string {
	list := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		list[i] = fmt.Sprintf("%d (%s) changed %s", c.Sequence, c.Title, strings.Join(c.What, ", "))
	}
	return fmt.Sprintf("change %d can't be undone because later changes depend on it; undo them first: change %s",
		e.Sequence, strings.Join(list, "; change "))
}

// conflicts returns the later entries that changed the same objects and are not undone themselves, oldest first.
func (j Journal) conflicts(entry *Entry, undone map[uint64]bool, touches func(Operation) []string) (list []Conflict) {
	mine := map[string]bool{}
	for _, what := range changedObjects(entry.Plan, touches) {
		mine[strings.ToLower(what)] = true // Windows ignores case in names
	}
	for i := range j {
		e := &j[i]
		if e.Sequence <= entry.Sequence || e.Err != "" || e.Undoes != 0 || undone[e.Sequence] {
			continue
		}
		var both []string
		for _, what := range changedObjects(e.Plan, touches) {
			if mine[strings.ToLower(what)] {
				both = append(both, what)
			}
		}
		if both != nil {
			list = append(list, Conflict{e.Sequence, e.Plan.Title, both})
		}
	}
	return list
}

// changedObjects returns the names of the objects that a plan changes permanently, each once.
func changedObjects(plan Plan, touches func(Operation) []string) (list []string) {
	seen := map[string]bool{}
	for _, o := range plan.Operations {
		for _, what := range touches(o) {
			if !seen[what] {
				seen[what], list = true, append(list, what)
			}
		}
	}
	return list
}
