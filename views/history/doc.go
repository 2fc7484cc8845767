// Package history implements the screen of recorded sessions: a table of them, the selected one's details, and opening one as a
// replay that the other screens show. Recording and deleting belong to the store.
package history
