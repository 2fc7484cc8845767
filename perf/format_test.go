package perf_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"cxdeck/perf"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want      string
		value     float64
		unit      perf.Unit
		perSecond bool
		inBytes   bool
	}{
		{"-", math.NaN(), perf.Bytes, true, false},
		{"-", math.Inf(1), perf.Bytes, true, false},
		{"0", 0, perf.Bytes, true, false},
		{"0", 0, perf.Percent, false, false},
		{"18.4 Gb/s", 2.3e9, perf.Bytes, true, false},
		{"2.30 GB/s", 2.3e9, perf.Bytes, true, true},
		{"1.00 Mb/s", 999.6e3 / 8, perf.Bytes, true, false},
		{"999 kb/s", 999.4e3 / 8, perf.Bytes, true, false},
		{"1.21 TB", 1.21e12, perf.Bytes, false, false},
		{"512 B", 512, perf.Bytes, false, false},
		{"1.50 kB", 1.5, perf.Kilobytes, false, false},
		{"12.0 kb/s", 1.5, perf.Kilobytes, true, false},
		{"8.00 kB", 64, "kilobits", false, false},
		{"100 Gb/s", 100e9, perf.Bits, false, false},
		{"12.5 GB/s", 100e9, perf.Bits, false, true},
		{"25.0 Gb/s", 25, perf.Gigabits, false, false},
		{"1.52 Mp/s", 1.52e6, perf.Packets, true, false},
		{"312 p/s", 312, perf.Frames, true, false},
		{"5.00 p/s", 5, perf.Packets, true, false},
		{"5 p", 5, perf.Packets, false, false},
		{"12.5 µs", 12.5, perf.Microseconds, false, false},
		{"12.0 µs", 12, perf.Microseconds, false, false},
		{"1.50 ms", 1500, perf.Microseconds, false, false},
		{"412 ms/s", 412e3, perf.Microseconds, true, false},
		{"1.00 ms", 999.9, perf.Microseconds, false, false},
		{"33.1%", 33.1, perf.Percent, false, false},
		{"100%", 100, perf.Percent, false, false},
		{"54 °C", 54, perf.Celsius, false, false},
		{"-3.50", -3.5, "entries", false, false},
		{"412", 412, "entries", false, false},
		{"1.20 k", 1200, "entries", false, false},
		{"5.20 k/s", 5200, "events", true, false},
		{"0.250 /s", 0.25, "events", true, false},
		{"1000000", 1e6, "CPU number", false, false},
		{"0xff", 255, "bitmask", false, false},
		{"18.4 Gb/s", 2.3e9, "bytes per second", false, false},
		{"312 p/s", 312, "packets per second", false, false},
		{"5.20 k/s", 5200, "events per second", true, false},
		{"1.00e+30 EB", 1e48, perf.Bytes, false, false},
	} {
		got := perf.Number(c.value, c.unit, c.perSecond, c.inBytes)
		if got != c.want {
			t.Errorf("Number(%v, %q, %v, %v) = %q, want %q", c.value, c.unit, c.perSecond, c.inBytes, got, c.want)
		}
	}
}

// TestNumberKeepsItsWidth checks numbers of all sizes: a prefix never has a thousand, and no number has more than four places.
func TestNumberKeepsItsWidth(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^(\d{1,3}|\d\.\d\d|\d\d\.\d|0\.\d\d\d) [kMGTPE]?[bp]/s$`)
	for exponent := -3.0; exponent < 20; exponent += 0.0037 {
		for _, unit := range []perf.Unit{perf.Bytes, perf.Packets} {
			if text := perf.Number(math.Pow(10, exponent), unit, true, false); !form.MatchString(text) {
				t.Fatalf("10^%v %s is written %q", exponent, unit, text)
			}
		}
	}
}

// TestNumberAtRoundingLimits checks numbers that get one more digit, or the next prefix, by rounding.
func TestNumberAtRoundingLimits(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^(\d{1,3}|\d\.\d\d|\d\d\.\d|0\.\d\d\d)( |$)`)
	for _, end := range []float64{0.9995, 9.995, 99.95, 999.5} {
		for exponent := -3; exponent < 16; exponent += 3 {
			for _, unit := range []perf.Unit{perf.Bytes, perf.Packets, perf.Microseconds, "entries"} {
				value := end * math.Pow10(exponent)
				for _, value := range []float64{math.Nextafter(value, 0), value, math.Nextafter(value, math.Inf(1))} {
					if text := perf.Number(value, unit, true, true); !form.MatchString(text) {
						t.Errorf("%v %s is written %q", value, unit, text)
					}
				}
			}
		}
	}
}

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		unit    perf.Unit
		want    float64
		percent bool
	}{
		{"9.5 Gb/s", perf.Bits, 9.5e9, false},
		{"9.5Gb/s", perf.Bytes, 9.5e9 / 8, false},
		{"2 GB/s", perf.Bytes, 2e9, false},
		{"2 GB/s", perf.Bits, 16e9, false},
		{"100 Gb/s", perf.Gigabits, 100, false},
		{"1.5 MB", perf.Kilobytes, 1500, false},
		{"80%", perf.Bytes, 80, true},
		{" 80 % ", perf.Percent, 80, false},
		{"80", perf.Percent, 80, false},
		{"1k", perf.Packets, 1000, false},
		{"1.52 Mp/s", perf.Packets, 1.52e6, false},
		{"300 packets/s", perf.Packets, 300, false},
		{"5.20 k/s", "events", 5200, false},
		{"12 µs", perf.Microseconds, 12, false},
		{"1.5 ms", perf.Microseconds, 1500, false},
		{"40", perf.Microseconds, 40, false},
		{"95 °C", perf.Celsius, 95, false},
		{"1e3", perf.NoUnit, 1000, false},
		{"2E", perf.NoUnit, 2e18, false},
		{"-4", perf.NoUnit, -4, false},
	} {
		got, percent, err := perf.ParseNumber(c.text, c.unit)
		if err != nil || math.Abs(got-c.want) > 1e-9*math.Abs(c.want) || percent != c.percent {
			t.Errorf("ParseNumber(%q, %q) = %v, %v, %v; want %v, %v", c.text, c.unit, got, percent, err, c.want, c.percent)
		}
	}
	for _, text := range []string{"", "x", "5 m", "5 packets of", "NaN", "Inf", "1e999", "--4", "4 %%", "5 s", "9,5", "."} {
		if got, _, err := perf.ParseNumber(text, perf.Bytes); err == nil {
			t.Errorf("ParseNumber(%q) = %v, want an error", text, got)
		}
	}
	if _, _, err := perf.ParseNumber(" ", perf.Bytes); err == nil || !strings.Contains(err.Error(), "required") {
		t.Errorf("an empty text: %v", err)
	}
}

// FuzzParseNumber parses hostile text, and then parses the output of Number for the result.
func FuzzParseNumber(f *testing.F) {
	for _, text := range []string{"9.5 Gb/s", "80%", "1k", "-", "1e400", "5 µs", "\xff", "0x10"} {
		f.Add(text, "bytes")
		f.Add(text, "microseconds")
	}
	f.Fuzz(func(t *testing.T, text, unit string) {
		value, _, err := perf.ParseNumber(text, perf.Unit(unit))
		if err != nil {
			return
		}
		written := perf.Number(value, perf.Unit(unit), true, false)
		again, _, err := perf.ParseNumber(written, perf.Unit(unit))
		if written == "-" || unit == "bitmask" {
			return
		}
		if err != nil {
			t.Fatalf("%q was written %q, which does not read: %v", text, written, err)
		}
		if math.Abs(value) > 1 && math.Abs(value) < 1e15 && math.Abs(again-value) > 0.006*math.Abs(value) && unit != "CPU number" && unit != "QP number" {
			t.Fatalf("%v was written %q, which reads %v", value, written, again)
		}
	})
}

func BenchmarkNumber(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		perf.Number(2.3e9, perf.Bytes, true, false)
	}
}
