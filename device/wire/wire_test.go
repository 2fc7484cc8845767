package wire

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(b) }

// The tables are from PERF-2 to PERF-8.

func TestFramesASecond(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gbps, ip, tags, line int
		frames, goodput      float64
	}{
		{1, 1500, 0, 1538, 81274.382, 0.949284785}, {10, 1500, 0, 1538, 812743.823, 9.492847854},
		{25, 1500, 0, 1538, 2031859.558, 23.732119636}, {40, 9600, 0, 9638, 518779.830, 39.676281386},
		{56, 9600, 0, 9638, 726291.762, 55.546793940}, {10, 46, 0, 84, 14880952.381, 0.714285714},
		{25, 1500, 1, 1542, 2026588.846, 23.670557717},
	} {
		rate, line := float64(c.gbps)*1e9, LineBytes(FrameBytes(c.ip, c.tags))
		frames, goodput := FrameRate(rate, line), rate*TCPShare(c.ip, c.tags)/1e9
		if line != c.line || !near(frames, c.frames) || !near(goodput, c.goodput) {
			t.Errorf("%d Gb/s, %d bytes: %d on the line, %.3f frames/s, %.9f Gb/s", c.gbps, c.ip, line, frames, goodput)
		}
		if payload := frames * float64(c.ip-40) * 8 / 1e9; !near(payload, goodput) {
			t.Errorf("%d Gb/s, %d bytes: frames carry %f Gb/s of %f", c.gbps, c.ip, payload, goodput)
		}
	}
}

func TestRoCEOnTheLine(t *testing.T) {
	t.Parallel()
	for payload, percent := range map[int][2]float64{
		256: {73.14, 75.74}, 512: {84.49, 86.20}, 1024: {91.59, 92.59}, 2048: {95.61, 96.15},
	} {
		for i, want := range percent {
			if got := 100 * RoCEShare(payload, i+1); math.Abs(got-want) > 0.005 {
				t.Errorf("%d bytes of RDMA in RoCE v%d are %.4f %% of the line", payload, i+1, got)
			}
		}
	}
}

func TestSlots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		generation, lanes, payload int
		raw, usable                float64
		label                      string
	}{
		{1, 8, 128, 2000, 1684.210526, "PCI-E 2.5 GT/s"}, {2, 8, 128, 4000, 3368.421053, "PCI-E 5.0 GT/s"},
		{3, 8, 256, 7876.923077, 7201.758242, "PCI-E 8.0 GT/s"}, {3, 16, 256, 15753.846154, 14403.516484, "PCI-E 8.0 GT/s"},
		{3, 4, 128, 3938.461538, 3316.599190, "PCI-E 8.0 GT/s"}, {4, 8, 256, 15753.846154, 14403.516484, "PCI-E 16.0 GT/s"},
	} {
		raw, usable := PCIeRaw(c.generation, c.lanes)/1e6, PCIeUsable(c.generation, c.lanes, c.payload)/1e6
		if !near(raw, c.raw) || !near(usable, c.usable) || PCIeLabel(c.generation) != c.label {
			t.Errorf("Gen%d x%d: %.6f raw, %.6f usable, %s", c.generation, c.lanes, raw, usable, PCIeLabel(c.generation))
		}
	}
}

func TestInfiniBandRates(t *testing.T) {
	t.Parallel()
	for nominal, rate := range map[int]float64{10: 8, 20: 16, 40: 32, 56: 54.545455, 100: 100, 30: 24} {
		if got := InfiniBandRate(nominal) / 1e9; !near(got, rate) {
			t.Errorf("%d Gb/s InfiniBand carries %f", nominal, got)
		}
	}
	for name, rates := range map[string][2]float64{"SDR": {10, 8}, "FDR10": {41.25, 40}, "FDR": {56.25, 54.545455}} {
		s, ok := SpeedOf(name)
		if signal, data := s.Signal(4)/1e9, s.Data(4)/1e9; !ok || !near(signal, rates[0]) || !near(data, rates[1]) {
			t.Errorf("%s signals %f and carries %f", name, signal, data)
		}
	}
	if _, ok := SpeedOf("HDR9"); ok {
		t.Error("a speed that doesn't exist is found")
	}
}

func TestLoopbackVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		generation int
		measured   float64
		want       Verdict
	}{
		{3, 5700, Healthy}, {3, 5415, Healthy}, {3, 5414, Misconfigured}, {3, 3300, Misconfigured}, {2, 3300, Healthy},
		{2, 3000, Misconfigured}, {1, 100, Unknown}, {4, 9000, Unknown},
	} {
		if _, got := Loopback(c.generation, c.measured); got != c.want {
			t.Errorf("%.0f on generation %d is %v", c.measured, c.generation, got)
		}
	}
}

func TestTightestDecides(t *testing.T) {
	t.Parallel()
	link, slot, share := Limit{"link", 5}, Limit{"pcie", 7}, Limit{"ets", 5}
	if got := LowestLimit(slot, link, share); got != link {
		t.Errorf("%v decides", got)
	}
	if got := LowestLimit(slot); got != slot {
		t.Errorf("%v decides alone", got)
	}
}
