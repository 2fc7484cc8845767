// Package process is the program as a process of the system: its streams and messages, its log, its orderly end, crash files, and the
// memory of its code.
package process
