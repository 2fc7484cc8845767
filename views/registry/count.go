package registry

import "strconv"

// countOf returns a number with its noun: "1 change", "3 changes".
func countOf(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// count is countOf with the word "one": "one change", "3 changes".
func count(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return countOf(n, what)
}
