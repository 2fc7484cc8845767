package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/request"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// notGiven is the value of a number that was not given: NaN.
var notGiven = math.NaN()

// Duration is a length of time: "500ms", "2s", "1m30s".
type Duration time.Duration

// UnmarshalText parses a Go duration that is not negative.
func (d *Duration) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	if err != nil || value < 0 {
		return request.Errorf("invalid duration %q; write 500ms, 2s or 1m30s", text)
	}
	*d = Duration(value)
	return nil
}

// Interval is the time between two samples, 100 ms to 60 s.
type Interval time.Duration

// UnmarshalText parses an interval within its bounds.
func (i *Interval) UnmarshalText(text []byte) error {
	value, err := ParseInterval(string(text))
	*i = Interval(value)
	return err
}

// ParseInterval parses an interval: "1s", "250ms", or seconds as a plain number.
func ParseInterval(text string) (time.Duration, error) {
	value, err := parseSpan(text)
	if err != nil {
		return 0, request.Errorf("invalid interval %q; write 500ms, 1s or 1m", text)
	}
	if value < monitor.MinInterval || value > monitor.MaxInterval {
		return 0, fmt.Errorf("an interval must be 100ms to 60s, not %s", text)
	}
	return value, nil
}

// parseSpan parses a Go duration, or seconds as a plain number.
func parseSpan(text string) (time.Duration, error) {
	value, err := time.ParseDuration(text)
	if err == nil {
		return value, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || math.Abs(seconds) > 1e6 {
		return 0, strconv.ErrRange
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

// maxWait is the longest time for which a command waits.
const maxWait = 24 * time.Hour

// ParseWait parses the time to wait: "10s", seconds as a plain number, or 0 for no wait.
func ParseWait(text string) (time.Duration, error) {
	value, err := parseSpan(text)
	if err != nil {
		return 0, request.Errorf("invalid duration %q; write 500ms, 10s, 1m, or 0 not to wait", text)
	}
	if value < 0 || value > maxWait {
		return 0, fmt.Errorf("a wait must be 0 to 24h, not %s", text)
	}
	return value, nil
}

// Speed is the number of seconds of the lab or a recording that pass in one second.
type Speed float64

// UnmarshalText parses a speed within its bounds, optionally with an x before or after it.
func (s *Speed) UnmarshalText(text []byte) error {
	value, err := ParseSpeed(string(text))
	*s = Speed(value)
	return err
}

// ParseSpeed parses a speed: "50", "x50", "0.5x".
func ParseSpeed(text string) (float64, error) {
	value, err := strconv.ParseFloat(strings.Trim(text, "x"), 64)
	if err != nil || !(value >= monitor.MinSpeed && value <= monitor.MaxSpeed) {
		return 0, request.Errorf("a speed must be a number from 0.1 to 1000, not %q", text)
	}
	return value, nil
}

// Age is the time for which sessions are kept: "30d", "12h".
type Age time.Duration

// UnmarshalText parses a Go duration, or a number of days (d) or weeks (w).
func (a *Age) UnmarshalText(text []byte) error {
	s := string(text)
	unit := map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if len(s) > 1 && unit[s[len(s)-1]] > 0 {
		n, err := strconv.ParseFloat(s[:len(s)-1], 64)
		if err == nil && n > 0 && n < 36500 {
			*a = Age(n * float64(unit[s[len(s)-1]]))
			return nil
		}
	} else if value, err := time.ParseDuration(s); err == nil && value > 0 {
		*a = Age(value)
		return nil
	}
	return request.Errorf("invalid age %q; write 30d, 2w or 12h", s)
}

// Keep is the time for which samples or minutes are kept: an Age of at least an hour, or "always". 0 means not set.
type Keep time.Duration

// keepAlways is a Keep without end.
const keepAlways Keep = -1

// UnmarshalText parses an age of at least an hour, or "always".
func (k *Keep) UnmarshalText(text []byte) error {
	if string(text) == "always" {
		*k = keepAlways
		return nil
	}
	var age Age
	if err := age.UnmarshalText(text); err != nil {
		return request.Errorf("invalid age %q; write 7d, 2w or 12h, or always", text)
	}
	if time.Duration(age) < time.Hour {
		return fmt.Errorf("samples and minutes are kept for at least 1h, not %s", text)
	}
	*k = Keep(age)
	return nil
}

// Or returns the time, 0 for "always"; fallback if the file does not set it.
func (k Keep) Or(fallback time.Duration) time.Duration {
	switch k {
	case keepAlways:
		return 0
	case 0:
		return fallback
	}
	return time.Duration(k)
}

// Size is an amount of bytes on disk: "500 MB", "2 GB".
type Size int64

// UnmarshalText parses a number with B, KB, MB, GB or TB, powers of 1000.
func (z *Size) UnmarshalText(text []byte) error {
	s := strings.ToUpper(strings.ReplaceAll(string(text), " ", ""))
	factor := 1.0
	for unit, f := range map[string]float64{"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12} {
		if strings.HasSuffix(s, unit) {
			s, factor = strings.TrimSuffix(s, unit), f
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(s, "B"), 64)
	if err != nil || !(n > 0) || n*factor > 1e17 {
		return request.Errorf("invalid size %q; write 500 MB or 2 GB", text)
	}
	*z = Size(n * factor)
	return nil
}

// Level is a value that a threshold watches: "9.5 Gb/s", "80%", "1000".
type Level struct {
	Value   float64
	Percent bool
}

// UnmarshalText parses a number with a unit or a percent sign. The unit of the matching counters is not known yet: bits are
// converted to bytes, the unit of counters of data; plain numbers are not converted.
func (l *Level) UnmarshalText(text []byte) error {
	value, percent, err := perf.ParseNumber(string(text), perf.Bytes)
	*l = Level{Value: value, Percent: percent}
	return err
}
