// Package sessions reads and numbers the sessions of a history, with what an operator has put on them: tags, notes, marks, pins.
// It has the limits of these; samples and events of a session are elsewhere.
package sessions
