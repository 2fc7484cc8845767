//go:build race

package lab

// labShare is the divisor of the number of runs of single labs. A lab runs in one goroutine, so one run of each kind is enough
// for the race detector, which takes ten times as long.
const labShare = 8
