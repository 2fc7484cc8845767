// Package compare finds which counters differ between two periods of time, of one source or of two. It does not
// know sessions or screens: it reads columns from sources that can seek, or takes them from its caller.
package compare
