// Package keyset is the model behind the Registry screen: all keys of a host at one moment with their readers, their values in
// words, their tree, and the draft of edits. It draws nothing.
package keyset
