// Package sessions implements the command line of the recorded history, cxdeck sessions: a function for each verb, and a table of
// verbs from which the command line is checked, completed and documented. The caller opens the history and parses flags.
package sessions
