package journal

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
)

// applied returns the entry of a plan of one Operation that was applied.
func applied(sequence uint64, o, inverse Operation) Entry {
	return Entry{Sequence: sequence, Plan: Plan{Title: o.Describe(), Operations: []Operation{o}}, Inverse: Plan{Operations: []Operation{inverse}}}
}

// targets names the object that an Operation changes.
func targets(o Operation) []string { return []string{o.Target()} }

// TestFindNamesLaterChangesOfTheSameObject: an entry can be undone unless a later one, which is not undone itself, changed the same
// object; the case of a name does not matter.
func TestFindNamesLaterChangesOfTheSameObject(t *testing.T) {
	t.Parallel()
	pull := func(connection string) (Operation, Operation) {
		return hardware.PullCable{Connection: connection}, hardware.PlugCable{Connection: connection}
	}
	var j Journal
	for i, connection := range []string{"Ethernet 7", "Ethernet 8", "ETHERNET 7"} {
		o, inverse := pull(connection)
		j = append(j, applied(uint64(i+1), o, inverse))
	}
	if _, err := j.Find(2, targets); err != nil {
		t.Errorf("nothing changed Ethernet 8 later: %v", err)
	}
	var conflict *ConflictError
	if _, err := j.Find(1, targets); !errors.As(err, &conflict) || len(conflict.Conflicts) != 1 || conflict.Conflicts[0].Sequence != 3 ||
		!slices.Equal(conflict.Conflicts[0].What, []string{"ETHERNET 7"}) {
		t.Errorf("the conflict is %v", err)
	}
	undo, again := pull("Ethernet 7")
	back := applied(4, again, undo)
	back.Undoes = 3
	if j = append(j, back); j.Last() != 4 {
		t.Errorf("the last entry is %d", j.Last())
	}
	if _, err := j.Find(1, targets); err != nil {
		t.Errorf("change 3 is undone: %v", err)
	}
	if e, ok := j.Undoable(); !ok || e.Sequence != 2 {
		t.Errorf("the newest that can be undone is %d", e.Sequence)
	}
	for _, sequence := range []uint64{3, 4, 9} {
		if _, err := j.Find(sequence, targets); err == nil {
			t.Errorf("change %d can be undone", sequence)
		}
	}
}

// TestJournalIsReadBackAsItWasSaved, with an entry of a later version, which stays as it is.
func TestJournalIsReadBackAsItWasSaved(t *testing.T) {
	t.Parallel()
	later := json.RawMessage(`{"sequence":2,"plan":{"title":"later","operations":[{"kind":"teleport","operation":{}}]}}`)
	first := applied(1, adapters.DisableAdapter{Connection: "Ethernet 7"}, adapters.EnableAdapter{Connection: "Ethernet 7"})
	saved, err := Journal{first}.Save()
	if err != nil {
		t.Fatal(err)
	}
	j, err := Restore(append(saved, later))
	if err != nil || len(j) != 2 || j[0].Plan.Operations[0] != first.Plan.Operations[0] || j[1].Unread == "" || j[1].Plan.Title != "later" {
		t.Fatalf("%+v, %v", j, err)
	}
	again, err := j.Save()
	if err != nil || string(again[1]) != string(later) || string(again[0]) != string(saved[0]) {
		t.Errorf("saved again: %s, %v", again, err)
	}
}
