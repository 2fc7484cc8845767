// Package compare finds which counters differ between two periods of time, of one source or of two. It is independent of sessions
// and screens: it reads columns from sources that can seek, or takes them from its caller.
package compare
