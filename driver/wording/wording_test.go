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

func TestNamesKeepTheirCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "the port is down": "The port is down", "read-only mode": "Read-only mode", "it's gone": "It's gone", "élan": "Élan",
		"perf_tuning does not support it": "perf_tuning does not support it", "netsh is in the manuals": "netsh is in the manuals",
		"*JumboPacket is invalid": "*JumboPacket is invalid", "lab.toml: line 3": "lab.toml: line 3", "eth0 is down": "eth0 is down",
		"mlx5cmd: unknown option": "mlx5cmd: unknown option", "/tmp/a can't be read": "/tmp/a can't be read", "vmSwitch is missing": "vmSwitch is missing",
		"opensm: it runs already": "opensm: it runs already", "port: must be an integer": "Port: must be an integer", "no. It can't": "No. It can't",
	} {
		if got := UpperFirst(text); got != want {
			t.Errorf("UpperFirst(%q) is %q, want %q", text, got, want)
		}
	}
	if got, want := UpperFirst("advance: must be a time", "advance"), "advance: must be a time"; got != want {
		t.Errorf("a given name: %q, want %q", got, want)
	}
}
