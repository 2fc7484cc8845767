// Package windows implements the programs of Windows that are no cmdlets: netstat, logman, wevtutil and del. Their options are in any order and case.
package windows
