package driver

import (
	"slices"

	"cxdeck/driver/journal"
)

// The terms of the journal, under the names by which everything that works with a host has them.
type (
	// Operation is one change of the host, as plain data. Nothing but Operations changes a host.
	Operation = journal.Operation
	// Plan is a list of Operations that are applied together or not at all.
	Plan = journal.Plan
	// Entry is one plan in the journal.
	Entry = journal.Entry
	// Actor is the author of changes.
	Actor = journal.Actor
	// Guard is a journal entry that is reverted unless the operator confirms it in time.
	Guard = journal.Guard
	// ConflictError is an entry that can't be undone, because later entries changed the same objects.
	ConflictError = journal.ConflictError
	// OperationError is an Operation of a plan that can't be applied.
	OperationError = journal.OperationError
)

// Journal returns all plans that were tried, oldest first.
func (h *Host) Journal() []Entry { return slices.Clone(h.journal) }

// LastChange returns the sequence of the newest entry in the journal, 0 when it is empty: it differs after each change.
func (h *Host) LastChange() uint64 { return h.journal.Last() }

// Admit returns why a plan is neither tried nor recorded: the journal could not be read back with it, because a name is missing
// or too long, or a text is not valid UTF-8. It is nil for all other plans, also for plans that the host refuses.
func (h *Host) Admit(plan Plan) error {
	_, err := plan.MarshalJSON()
	if err == nil {
		return nil
	}
	if refusal := h.Check(plan); refusal != nil {
		return refusal // with the purpose of the name
	}
	return journal.CannotKeep(plan, err)
}

// Newest returns the newest change of the journal; it has sequence 0 when there is none.
func (h *Host) Newest() Entry {
	if len(h.journal) == 0 {
		return Entry{}
	}
	return h.journal[len(h.journal)-1]
}
