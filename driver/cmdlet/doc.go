// Package cmdlet holds the commands of PowerShell that the program knows, with their parameters: one table from which lines
// for a real host are written, lines that an operator types are read, and help lists what a command takes. It quotes what
// a line contains for PowerShell and for programs, whatever is in it. It does not know what a command does.
package cmdlet
