package perf

import "strings"

// foldPath is the form in which paths are compared: perfmon takes upper and lower case alike. Most paths are ASCII, and
// there are many of them.
func foldPath(path string) string {
	folded := []byte(path)
	for i, b := range folded {
		switch {
		case b >= 'A' && b <= 'Z':
			folded[i] = b + 'a' - 'A'
		case b >= 0x80:
			return strings.ToLower(path)
		}
	}
	return string(folded)
}
