package driver

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/health/installer"
	"cxdeck/driver/intent"
	"cxdeck/driver/linux"
	"cxdeck/driver/mpi"
	"cxdeck/driver/opensm"
	"cxdeck/driver/operation"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// Operation is one change of the host, as plain data. It encodes to JSON with a kind tag (see MarshalOperation).
// Nothing but Operations changes a host.
type Operation interface {
	// Kind is the tag under which it is stored: "pull-cable".
	Kind() string
	// Target is the object that the Operation changes, by the operator's name for it: "Ethernet 7".
	Target() string
	// Describe returns the effect of the Operation as a phrase: "pull the cable of Ethernet 7".
	Describe() string
	// Commands are the equivalent commands for a real host, one line each; empty when there is no command for it (a cable is pulled
	// by hand).
	Commands() []string
}

// inverse returns the Operation that undoes o, found before o is applied, or why o can't be applied.
func (h *Host) inverse(o Operation) (Operation, error) {
	if err := h.powerSet().Refusal(o.Kind()); err != nil {
		return nil, err
	}
	switch o := o.(type) {
	case adapters.Operation:
		return o.Inverse(partHost{h})
	case teams.Operation:
		return o.Inverse(h.teamSet())
	case fabric.Operation:
		return o.Inverse(h.fabricSet())
	case qos.Operation:
		return o.Inverse(h.qosSet())
	case stack.Operation:
		return o.Inverse(h.stackSet())
	case services.Operation:
		return o.Inverse(h.programSet().Services())
	case linux.Operation:
		return o.Inverse(h.programSet().LinuxHost())
	case opensm.Operation:
		return o.Inverse(h.programSet().Managers())
	case mpi.Operation:
		return o.Inverse(&h.mpi)
	case boot.Operation:
		return o.Inverse(h.bootSet())
	case power.Operation:
		return o.Inverse(h.powerSet())
	case healing.Operation:
		return o.Inverse(h.healingSet())
	case flash.Operation:
		return o.Inverse(h.flashSet())
	case packages.Operation:
		return o.Inverse(h.packageSet())
	case installer.Operation:
		return o.Inverse(partHost{h})
	case hardware.Operation:
		return o.Inverse(partHost{h})
	case subnet.Operation:
		return o.Inverse(partHost{h})
	case intent.Operation:
		return o.Inverse(partHost{h})
	case virtualization.Operation:
		return o.Inverse(h.hypervisor())
	case edit.Operation:
		return o.Inverse(h.edits())
	case dump.Operation:
		return o.Inverse(h.dumpSet())
	}
	return nil, &UnknownOperationError{o.Kind()}
}

// change applies an Operation completely or not at all, after inverse has found that it can be applied.
func (h *Host) change(o Operation) error {
	switch o := o.(type) {
	case adapters.Operation:
		return o.Apply(partHost{h})
	case teams.Operation:
		return o.Apply(h.teamSet())
	case fabric.Operation:
		return o.Apply(h.fabricSet())
	case qos.Operation:
		return o.Apply(h.qosSet())
	case stack.Operation:
		return o.Apply(h.stackSet())
	case services.Operation:
		return o.Apply(h.programSet().Services())
	case linux.Operation:
		return o.Apply(h.programSet().LinuxHost())
	case opensm.Operation:
		return o.Apply(h.programSet().Managers())
	case mpi.Operation:
		return o.Apply(&h.mpi)
	case boot.Operation:
		return o.Apply(h.bootSet())
	case power.Operation:
		return o.Apply(h.powerSet())
	case healing.Operation:
		return o.Apply(h.healingSet())
	case flash.Operation:
		return o.Apply(h.flashSet())
	case packages.Operation:
		return o.Apply(h.packageSet())
	case installer.Operation:
		return o.Apply(partHost{h})
	case hardware.Operation:
		return o.Apply(partHost{h})
	case subnet.Operation:
		return o.Apply(partHost{h})
	case intent.Operation:
		return o.Apply(partHost{h})
	case virtualization.Operation:
		return h.applyVirtual(o)
	case edit.Operation:
		return o.Apply(h.edits())
	case dump.Operation:
		return o.Apply(h.dumpSet())
	}
	return &UnknownOperationError{o.Kind()}
}

// Differences returns the values that an Operation changes, before and after it; none for an Operation whose description has
// them all.
func (h *Host) Differences(o Operation) []operation.Difference {
	switch o := o.(type) {
	case operation.Differing[teams.Set]:
		return o.Differences(h.teamSet())
	case operation.Differing[virtualization.Hypervisor]:
		return o.Differences(h.hypervisor())
	case operation.Differing[adapters.Host]:
		return o.Differences(partHost{h})
	}
	return nil
}

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
	what, why := e.Operation.Describe(), shorten(e.Err.Error())
	if isIncomplete(what) {
		return why
	}
	return fmt.Sprintf("can't %s: %s", shorten(what), why)
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

// SetActor sets the author of future entries of the journal.
func (h *Host) SetActor(actor Actor) { h.actor = actor }

// Actor returns the author of future entries of the journal; the zero Actor when not set.
func (h *Host) Actor() Actor { return h.actor }

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
