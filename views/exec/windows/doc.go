// Package windows implements the Windows programs netstat, ipconfig, logman, wevtutil, echo, del and the consoles. Their options may be in any order
// and case.
package windows
