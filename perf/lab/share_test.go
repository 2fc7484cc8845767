//go:build !race

package lab

// labShare is the divisor of the number of runs of single labs.
const labShare = 1
