package registry

import "cxdeck/driver/wording"

// count returns a number with its noun, and the word "one": "one change", "3 changes".
func count(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return wording.Count(n, what)
}
