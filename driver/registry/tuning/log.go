package tuning

import (
	"fmt"
	"strings"
	"time"
)

// LogName is the file in which the tool logs the previous values, and LogPath its path (TUNE-8); the spelling is the tool's.
const (
	LogName = "PerformanceTunning.log"
	LogPath = `%HOMEDRIVE%\Windows\System32\LogFiles\` + LogName
)

// Log returns the tool's log entry for a tuning: each key that it wrote, with its previous value. Old returns that value for a key
// of a connection; empty if it was not set.
func Log(at time.Time, scenario Scenario, connections []string, tuned []Tuned, old func(connection int, key string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s tuning: %s\r\n", at.Format("2006-01-02 15:04:05"), scenario.Name)
	for i, name := range connections {
		if i == len(tuned) {
			break
		}
		t := tuned[i]
		for _, s := range t.All() {
			before := old(i, s.Key)
			if before == "" {
				before = "not set"
			}
			fmt.Fprintf(&b, "%s: %s was %s, now %d\r\n", line(name), s.Key, line(before), s.Value)
		}
	}
	return b.String()
}

// line returns text without line ends, so that it can't begin a line of its own.
func line(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
