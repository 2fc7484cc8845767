package twin

import _ "embed"

//go:embed collect.ps1
var collector string

// Script returns the collector: a script for PowerShell that writes the exports of a host into the current folder.
func Script() string { return collector }
