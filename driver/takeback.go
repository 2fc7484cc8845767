package driver

import (
	"fmt"
	"strings"

	"cxdeck/driver/fabric"
	"cxdeck/driver/registry"
	"cxdeck/driver/teams"
)

// Undo takes back the newest entry that was applied and is not taken back yet. Entries that leave nothing behind, such
// as a restart, are passed over. It gives ErrNothingToUndo when there is none.
func (h *Host) Undo() (Entry, error) {
	e, ok := h.Undoable()
	if !ok {
		return Entry{}, ErrNothingToUndo
	}
	return h.TakeBack(e.Sequence)
}

// TakeBack takes back one entry that was applied, also when others were applied after it: what it changed is again as
// it was before it. It fails when the entry is taken back already, left nothing behind, or can't be taken back as
// things stand now. A *ConflictError lists the later entries that changed the same things: these are not overwritten.
func (h *Host) TakeBack(sequence uint64) (Entry, error) {
	found, err := h.takenBack(sequence)
	if err != nil {
		return Entry{}, err
	}
	return h.apply(found.Inverse, sequence)
}

// takenBack is the entry that TakeBack would take back, or why it would not.
func (h *Host) takenBack(sequence uint64) (Entry, error) {
	var found *Entry
	undone := map[uint64]bool{}
	for i := range h.journal {
		e := &h.journal[i]
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
		return Entry{}, fmt.Errorf("change %d is taken back already", sequence)
	case found == nil:
		return Entry{}, fmt.Errorf("there is no change %d to take back", sequence)
	}
	if conflicts := h.conflicts(found, undone); len(conflicts) > 0 {
		return *found, &ConflictError{found.Sequence, found.Plan.Title, conflicts}
	}
	return *found, nil
}

// Inverse is the plan that takes an entry back; it is empty when there is none.
func (h *Host) Inverse(sequence uint64) Plan {
	for i := range h.journal {
		if e := &h.journal[i]; e.Sequence == sequence && e.Err == "" && e.Undoes == 0 {
			return e.Inverse
		}
	}
	return Plan{}
}

// Changes is the sequence of the newest entry of the journal: while it stays the same, nobody has changed the host.
func (h *Host) Changes() uint64 { return h.lastEntry() }

// ConflictError is an entry that can't be taken back, because later ones changed the same things.
type ConflictError struct {
	// Sequence and Title are those of the entry.
	Sequence  uint64
	Title     string
	Conflicts []Conflict
}

// Conflict is a later entry that changed the same things as one that is to be taken back.
type Conflict struct {
	Sequence uint64
	Title    string
	// What are the things that both changed: "*JumboPacket of Ethernet 7".
	What []string
}

// Error says what is in the way, and what to do.
func (e *ConflictError) Error() string {
	list := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		list[i] = fmt.Sprintf("%d (%s) changed %s", c.Sequence, c.Title, strings.Join(c.What, ", "))
	}
	return fmt.Sprintf("change %d is not taken back, as later ones changed the same: change %s; take those back first",
		e.Sequence, strings.Join(list, "; change "))
}

// conflicts are the entries after one that changed what it did, and are not taken back themselves, oldest first.
func (h *Host) conflicts(entry *Entry, undone map[uint64]bool) (list []Conflict) {
	mine := map[string]bool{}
	for _, what := range h.touched(entry.Plan) {
		mine[strings.ToLower(what)] = true // Windows compares names in any case
	}
	for i := range h.journal {
		e := &h.journal[i]
		if e.Sequence <= entry.Sequence || e.Err != "" || e.Undoes != 0 || undone[e.Sequence] {
			continue
		}
		var both []string
		for _, what := range h.touched(e.Plan) {
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

// touched are the things that a plan changes for good, each once and by its name.
func (h *Host) touched(plan Plan) (list []string) {
	seen := map[string]bool{}
	for _, o := range plan.Operations {
		for _, what := range h.touches(o) {
			if !seen[what] {
				seen[what], list = true, append(list, what)
			}
		}
	}
	return list
}

func (h *Host) touches(o Operation) []string {
	if connection, adapter, key, ok := valueOf(o); ok {
		return []string{h.nameOfKey(connection, adapter, key)}
	}
	switch o := o.(type) {
	case teams.Operation:
		return h.teamSet().Touches(o)
	case StoreValues:
		return h.namesOf(o)
	case PullCable, PlugCable:
		return []string{"the cable of " + o.Target()}
	case EnableAdapter, DisableAdapter:
		return []string{"whether " + o.Target() + " is enabled"}
	case RestartAdapter, ReloadDriver, Reboot, ResetStatistics:
		return nil
	case SetFault:
		return []string{fmt.Sprintf("%s of %s", o.Fault, o.Connection)}
	case MarkManagement:
		return []string{"the way of the operator's session"}
	case fabric.SetSwitchPort:
		return o.Touches()
	}
	return []string{o.Kind() + " of " + o.Target()}
}

// nameOfKey is a key with its owner, the same for all ways of naming it.
func (h *Host) nameOfKey(connection, adapter, key string) string {
	port, r, err := h.find(connection, adapter, key)
	if err != nil { // of a journal that an older version wrote
		return key + " of " + connection + adapter
	}
	if r.Scope == registry.Miniport {
		return r.Name + " of " + h.owner(port, r.Scope)
	}
	return fmt.Sprintf("%s/%s of %s", r.Scope, r.Name, h.owner(port, r.Scope))
}
