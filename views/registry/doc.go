// Package registry implements the screen of the driver's registry keys: their stored and effective values and their purpose. Edits
// are collected in a draft, which is reviewed and applied as one plan.
package registry
