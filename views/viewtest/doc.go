// Package viewtest runs screens in tests as the shell would: keys go the way they continue a terminal, background work
// runs to its end, and the picture is compared with a golden file. It belongs to tests alone.
package viewtest
