// Package recovery saves what can be read of a damaged history in a new file, and says what that is: which sessions are whole,
// which lack something. Reading the pages of a damaged file is package salvage; when a file is replaced, the history decides.
package recovery
