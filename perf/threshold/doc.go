// Package threshold watches series for values beyond a level, and starts the programs that an alarm names. It takes no samples:
// a monitor passes the columns to it.
package threshold
