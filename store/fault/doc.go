// Package fault says why a history, or a session of it, can't be used: the reasons, and each as a sentence for the operator.
// Errors of requests that never reach the file (a name that is too long, a session that is pinned) are in the packages that
// check them.
package fault
