// Package dcbconfig reads the configuration files of Microsoft's Validate-DCB as far as they are data: assignments of hash
// tables, lists, texts, numbers and truths, and a ForEach-Object over a list of nodes. Anything that PowerShell would have to
// run is refused with its line. It runs nothing, and does not depend on the fields of an intent.
package dcbconfig
