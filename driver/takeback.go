package driver

import "fmt"

// TakeBack takes back one entry that was applied, also when others were applied after it: what it changed is again as it
// was before it. It fails when the entry is taken back already, left nothing behind, or can't be taken back as things
// stand now.
func (h *Host) TakeBack(sequence uint64) (Entry, error) {
	var found *Entry
	for i := range h.journal {
		e := &h.journal[i]
		if e.Err != "" {
			continue
		}
		if e.Undoes == sequence && sequence != 0 {
			return Entry{}, fmt.Errorf("change %d is taken back already", sequence)
		}
		if e.Sequence == sequence && e.Undoes == 0 && len(e.Inverse.Operations) > 0 {
			found = e
		}
	}
	if found == nil {
		return Entry{}, fmt.Errorf("there is no change %d to take back", sequence)
	}
	return h.apply(found.Inverse, sequence)
}

// Changes is the sequence of the newest entry of the journal: while it stays the same, nobody has changed the host.
func (h *Host) Changes() uint64 { return h.lastEntry() }
