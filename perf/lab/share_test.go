//go:build !race

package lab

// labShare is which part of the many runs of single labs is made: one of so many.
const labShare = 1
