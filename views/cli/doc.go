// Package cli is the command line: flags, sub-commands, help, completion and the manual page, all made from one table;
// and the wiring of the console. It is the same console without a screen, so it imports what the screens import.
package cli
