// Package fault says why a history, or a session of it, can't be used: the reasons, and each as a sentence for the operator. What
// was refused before it came to the file (a name that is too long, a session that is pinned) stays with what refuses it.
package fault
