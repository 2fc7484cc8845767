// Package shell reads and evaluates the part of PowerShell that operators type: pipelines of cmdlets, variables, conditions, loops
// over lists, and the cmdlets that filter, sort and format. It reads a whole script before anything runs, and refuses what it does
// not know with its place. It knows no cmdlet of the host: a Catalogue describes them and a Host runs them.
package shell
