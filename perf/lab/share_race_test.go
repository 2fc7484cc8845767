//go:build race

package lab

// labShare is which part of the many runs of single labs is made: one of so many. A lab runs in one goroutine, so that
// one run of each kind is all that the race detector can learn from; with it they take ten times as long.
const labShare = 8
