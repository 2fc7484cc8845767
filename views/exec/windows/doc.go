// Package windows implements programs of Windows: netstat, ipconfig, logman, typeperf, wevtutil, sc, tasklist, taskkill, echo, del and the consoles. Their
// options may be in any order and case.
package windows
