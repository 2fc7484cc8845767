// Package sessions implements the command line of the recorded history, cxdeck sessions: one verb a function, all in one table
// from which the command line is checked, completed and documented. Opening the history and parsing flags are the
// caller's.
package sessions
