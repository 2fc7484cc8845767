// Package cmdlet writes the lines that an operator types on a real host: it quotes what a line contains for PowerShell and
// for programs, whatever is in it.
package cmdlet
