package wording

import "testing"

func TestRateText(t *testing.T) {
	t.Parallel()
	for rate, want := range map[float64]string{
		0: "0 b/s", 999: "999 b/s", 999.6: "1 kb/s", 1000: "1 kb/s", 15_500_000_000: "15.5 Gb/s", 999_499_000: "999 Mb/s", 999_600_000: "1 Gb/s",
		4e15: "4e+03 Tb/s",
	} {
		if got := Rate(rate); got != want {
			t.Errorf("%g is %q, want %q", rate, got, want)
		}
	}
}
