// Package windows implements the Windows programs netstat, ipconfig, logman, wevtutil and del. Their options may be in any order and case.
package windows
