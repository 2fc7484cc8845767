// Package lab is the screen of what is around the adapters of a lab: ready scenes, workloads, cables and switch ports.
// All that it changes, it changes by Operations.
package lab
