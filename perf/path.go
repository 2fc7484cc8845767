package perf

import "strings"

// foldPath is the form in which paths are compared: perfmon takes upper and lower case alike.
func foldPath(path string) string { return strings.ToLower(path) }
