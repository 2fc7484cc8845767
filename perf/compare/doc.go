// Package compare finds which counters differ between two stretches of time, of one source or of two. It knows neither
// sessions nor screens: it reads columns from sources that can be sought, or takes them from its caller.
package compare
