// Package transfer carries sessions between histories: out into a file of their own, and in from a file of another machine, which
// is not trusted: it is read by package intake, staged beside the history, and examined before anything is copied. What the
// history is besides its sessions is never carried.
package transfer
