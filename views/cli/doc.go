// Package cli implements the command line: flags, sub-commands, help, completion and the manual page, all made from one table;
// and the wiring of the console. Sub-commands do what the screens do, so it imports the packages that they import.
package cli
