// Package cmdlet holds the commands of PowerShell that the program knows, with their parameters: one table from which lines for
// a real host are written, lines that an operator types are read, and help lists what a command takes. It quotes any text for
// PowerShell and for programs. It does not know the effects of commands.
package cmdlet
