// Package cmdlets is the table of the commands of Windows that PowerShell runs, with their texts. They include all lines that the
// program prints for a real host.
package cmdlets
