// Package operation holds the interfaces that the Operations of all parts of a host share. The parts define the Operations, and
// the host applies them.
package operation

// Of is an Operation on a part of a host. S gives access to the state of the part, and to the facts about the host that its
// rules need. The first four methods are the methods of driver.Operation.
type Of[S any] interface {
	Kind() string
	Target() string
	Describe() string
	Commands() []string
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
