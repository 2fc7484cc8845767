package hyperv

import (
	"strconv"
	"strings"
)

// Newer reports whether a version of numbers between dots is newer than another. It is false for a text that is not a version.
func Newer(version, than string) bool {
	x, y := strings.Split(version, "."), strings.Split(than, ".")
	for i := range x {
		m, err := strconv.Atoi(x[i])
		if err != nil {
			return false
		}
		n := 0
		if i < len(y) {
			n, _ = strconv.Atoi(y[i]) // a part that is not a number counts as 0
		}
		if m != n {
			return m > n
		}
	}
	return false
}
