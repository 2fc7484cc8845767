// Package lab implements the screen of a lab's surroundings: ready-made scenes, workloads, cables and switch ports. It makes all
// changes by Operations.
package lab
