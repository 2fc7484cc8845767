// Package edit holds the Operations on stored values of a host's registry: set, delete and store. It writes the commands that
// an operator types for them, names what they touch, and checks that what they stored is there. What a value means is not known
// here: the catalogue of package registry says it.
package edit
