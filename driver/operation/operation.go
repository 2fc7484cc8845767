// Package operation holds the interfaces that the Operations of all parts of a host share. The parts define the Operations, and
// the host applies them.
package operation

// Any is one change of a host, as plain data, of any part. Nothing but Operations changes a host.
type Any interface {
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

// Of is an Operation on a part of a host. S gives access to the state of the part, and to the facts about the host that its
// rules need.
type Of[S any] interface {
	Any
	// Inverse returns the Operation that undoes it, found before it is applied, or why it can't be applied.
	Inverse(s S) (Of[S], error)
	// Apply applies it completely or not at all, after Inverse has found that it can be applied.
	Apply(s S) error
}

// Differing is an Operation that changes named values, which a review shows before and after the change.
type Differing[S any] interface{ Differences(s S) []Difference }

// Difference is a value that an Operation changes: its name with the object that it belongs to, and the value before and after.
// An empty text means no value.
type Difference struct{ Name, From, To string }
