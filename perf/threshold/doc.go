// Package threshold watches series for values beyond a level, and starts the programs that an alarm names. It samples nothing:
// a monitor hands it the columns.
package threshold
