//go:build !linux

package cli

// releaseCode does nothing: other systems have no list of a process's mappings in a file.
func releaseCode() {}

// flushProgram does nothing: there are no pages to release.
func flushProgram() {}
