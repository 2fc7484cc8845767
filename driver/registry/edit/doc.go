// Package edit holds the Operations on stored values of a host's registry: set, delete and store. It returns the commands that
// an operator types for them and the names of the values that they change, and reads stored values back. The meaning of a value
// is in the catalogue of package registry.
package edit
