// Package operation holds what the Operations of all parts of a host share. The parts hold the Operations, and the host applies
// them. No Operation stands here.
package operation

// Of is an Operation on a part of a host. S is the state of the part with the facts of the host that its rules need.
// The first four methods are the methods of driver.Operation.
type Of[S any] interface {
	Kind() string
	Target() string
	Describe() string
	Commands() []string
	// Inverse is the Operation that takes it back, found before it is applied, or why it can't be applied.
	Inverse(s S) (Of[S], error)
	// Apply does it, wholly or not at all, after Inverse has found that it can be applied.
	Apply(s S) error
}

// Differing is an Operation that changes values which have names, and which a review shows as they are and as they will be.
type Differing[S any] interface{ Differences(s S) []Difference }

// Difference is a value that an Operation changes: its name with the object that it belongs to, the present and the future value.
// An empty text means no value.
type Difference struct{ Name, From, To string }
