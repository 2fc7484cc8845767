package moment

import (
	"fmt"
	"time"
)

// Span formats a length of time in its two largest units: "2.5 s", "45 s", "1 min 30 s", "2 h 5 min", "3 d".
func Span(d time.Duration) string {
	if d < 10*time.Second && d%time.Second != 0 {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	parts := []struct {
		name string
		of   time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}}
	for len(parts) > 1 && d < parts[0].of {
		parts = parts[1:]
	}
	text := fmt.Sprintf("%d %s", d/parts[0].of, parts[0].name)
	if rest := d % parts[0].of; len(parts) > 1 && rest >= parts[1].of {
		text += fmt.Sprintf(" %d %s", rest/parts[1].of, parts[1].name)
	}
	return text
}
