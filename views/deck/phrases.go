package deck

import (
	"fmt"
	"time"
)

// Length formats a length of time: "1.5 ms", "200 ms", "2.4 s", "12 s".
func Length(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 s"
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
}
