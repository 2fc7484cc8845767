// Package keyset is what the Registry screen shows, without the screen: all keys of a host at one moment with who reads
// them, their values in words, their tree, and the draft of edits on them. It draws nothing.
package keyset
