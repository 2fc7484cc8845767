// Package registry implements the screen of the driver's registry keys: what is stored, what the driver works with, and what
// each key is for. Edits gather in a draft, which is reviewed and applied as one plan.
package registry
