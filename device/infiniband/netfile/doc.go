// Package netfile writes and reads a fabric in the form of ibnetdiscover, which the simulator ibsim reads, too.
package netfile
