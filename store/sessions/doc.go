// Package sessions reads and numbers the sessions of a history, with the tags, notes, marks and pins of the operator and their
// limits. The samples and events of a session are in other packages.
package sessions
