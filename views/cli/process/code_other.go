//go:build !linux

package process

// ReleaseCode does nothing: other systems have no list of a process's mappings in a file.
func ReleaseCode() {}

// FlushProgram does nothing: there are no pages to release.
func FlushProgram() {}
