// Package cli implements the command line: flags, sub-commands, help, completion and the manual page, from one table, and starts
// the console. Sub-commands offer the functions of the screens, so it imports the same packages.
package cli
