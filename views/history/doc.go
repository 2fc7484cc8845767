// Package history is the screen of recorded sessions: a table of them, the selected one's details, and the way to open
// one as a replay that the other screens show.
package history
