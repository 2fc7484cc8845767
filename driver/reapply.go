package driver

import (
	"fmt"
	"slices"
)

// Reapply applies a journal entry of this host again, on a copy of the host from before it. The journal then has the entry
// unchanged; a failed entry is only recorded. Entries are reapplied in their order and at their times; an entry that is out of
// order, can't be read or fails now is an error, and changes nothing.
func (h *Host) Reapply(entry Entry) error {
	switch last := h.journal.Last(); {
	case entry.Unread != "":
		return fmt.Errorf("change %d can't be read: %s", entry.Sequence, entry.Unread)
	case entry.Sequence != last+1:
		return fmt.Errorf("change %d does not follow change %d", entry.Sequence, last)
	}
	if entry.Err == "" {
		before := h.Clone()
		if _, err := h.runRecording(entry.Plan, entry.Undoes != 0, nil); err != nil {
			*h = *before
			return fmt.Errorf("change %d can't be applied again: %w", entry.Sequence, err)
		}
	}
	h.guard = Guard{} // an earlier guarded change was confirmed or reverted before this one
	h.journal = append(slices.Clip(h.journal), entry)
	return nil
}
