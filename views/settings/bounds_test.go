package settings

import (
	"fmt"
	"testing"
	"time"

	"cxdeck/perf/monitor"
)

// TestIntervalsUpToTheirBounds checks that the bounds are valid, in every spelling.
func TestIntervalsUpToTheirBounds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		monitor.MinInterval.String(): monitor.MinInterval, monitor.MaxInterval.String(): monitor.MaxInterval,
		"0.1": monitor.MinInterval, "60": monitor.MaxInterval, "2": 2 * time.Second, "250ms": 250 * time.Millisecond,
	} {
		if got, err := ParseInterval(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		(monitor.MinInterval - 1).String(), (monitor.MaxInterval + 1).String(), "0", "-1", "61", "NaN", "Inf", "1e7", "", "x",
	} {
		if got, err := ParseInterval(text); err == nil {
			t.Errorf("%s is parsed as %v", text, got)
		}
	}
}

func TestWaitsUpToADay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "24h": 24 * time.Hour, "86400": 24 * time.Hour, "1.5": 1500 * time.Millisecond,
	} {
		if got, err := ParseWait(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"-1ns", "24h0m1s", "86401", "-1", "NaN", "1e7", "-1e7", "", "x"} {
		if got, err := ParseWait(text); err == nil {
			t.Errorf("%s is parsed as %v", text, got)
		}
	}
}

func TestSpeedsUpToTheirBounds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		fmt.Sprint(monitor.MinSpeed): monitor.MinSpeed, fmt.Sprint(monitor.MaxSpeed): monitor.MaxSpeed, "x50": 50, "0.5x": 0.5,
	} {
		if got, err := ParseSpeed(text); err != nil || got != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
		number := fmt.Sprint(want)
		if s, err := Parse([]byte("[lab]\nspeed = "+number+"\n"), screens); err != nil || float64(s.Lab.Speed) != want {
			t.Errorf("speed = %s: %v, %v", number, s.Lab.Speed, err)
		}
	}
	for _, text := range []string{"0.09", "1000.1", "0", "-1", "NaN", "x", ""} {
		if got, err := ParseSpeed(text); err == nil {
			t.Errorf("%s is parsed as %v", text, got)
		}
	}
	for _, number := range []string{"0.09", "1000.1", "-1"} {
		if _, err := Parse([]byte("[lab]\nspeed = "+number+"\n"), screens); err == nil {
			t.Errorf("speed = %s is accepted", number)
		}
	}
}

func TestDurationsFromZeroOn(t *testing.T) {
	t.Parallel()
	var d Duration
	if err := d.UnmarshalText([]byte("0s")); err != nil || d != 0 {
		t.Errorf("0s: %v", err)
	}
	if d.UnmarshalText([]byte("-1ns")) == nil || d.UnmarshalText([]byte("5")) == nil {
		t.Error("an invalid duration is accepted")
	}
}

// TestAgesAndSizesAtTheirBounds checks that ages and sizes must be above 0 and below their maximum.
func TestAgesAndSizesAtTheirBounds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"1d": 24 * time.Hour, "0.5d": 12 * time.Hour, "1w": 7 * 24 * time.Hour, "12h": 12 * time.Hour, "1ns": 1,
		"36499d": 36499 * 24 * time.Hour,
	} {
		var age Age
		if err := age.UnmarshalText([]byte(text)); err != nil || time.Duration(age) != want {
			t.Errorf("%s is %v, %v", text, time.Duration(age), err)
		}
	}
	for _, text := range []string{"0d", "0w", "36500d", "d", "w", "xd", "12x", "0h", "-1h", "1x"} {
		var age Age
		if age.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%s is parsed as %v", text, time.Duration(age))
		}
	}
	for text, want := range map[string]Size{
		"1": 1, "1B": 1, "2 kb": 2000, "500 MB": 500e6, "2 GB": 2e9, "3TB": 3e12, "100000 TB": 1e17,
	} {
		var size Size
		if err := size.UnmarshalText([]byte(text)); err != nil || size != want {
			t.Errorf("%s is %d, %v", text, size, err)
		}
	}
	for _, text := range []string{"0", "0 GB", "-1", "100001 TB", "200000000000 MB", "NaN", "GB"} {
		var size Size
		if size.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%s is parsed as %d", text, size)
		}
	}
}
