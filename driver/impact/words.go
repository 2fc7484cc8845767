package impact

import (
	"fmt"
	"strings"
	"time"
)

// maxNamed is the maximum number of objects of a kind that a sentence names.
const maxNamed = 4

// NamesOf lists names: "a, b and 3 others".
func NamesOf(names []string) string {
	if rest := len(names) - maxNamed; rest > 1 {
		return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d others", rest)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// CountOf returns a number with its noun, in the plural except for 1: "1 flow", "3 flows", "2 mismatches".
func CountOf(n int, noun string) string {
	plural := noun + "s"
	if strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "x") {
		plural = noun + "es"
	}
	return fmt.Sprintf("%d %s", n, verb(n, noun, plural))
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Seconds returns a duration for a sentence: "2.5 s", "31 s".
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%g s", d.Round(500*time.Millisecond).Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// RateText returns a rate in bits per second with three digits and its unit.
func RateText(rate float64) string {
	units := []string{"b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"}
	i := 0
	for ; rate >= 999.5 && i < len(units)-1; i++ {
		rate /= 1000
	}
	return fmt.Sprintf("%.3g %s", rate, units[i])
}
