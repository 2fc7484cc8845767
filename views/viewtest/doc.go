// Package viewtest runs screens in tests like the shell: keys take the same path as on a terminal, background work runs to
// its end, and the picture is compared with a golden file. Only tests use it.
package viewtest
