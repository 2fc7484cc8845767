package device

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(b) }

// The tables are those of PERF-4 to PERF-7 and QOS-3.

func TestFramesASecond(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gbps, ip, tags, wire int
		frames               float64
	}{
		{1, 1500, 0, 1538, 81274.382}, {10, 1500, 0, 1538, 812743.823}, {25, 1500, 0, 1538, 2031859.558},
		{40, 1500, 0, 1538, 3250975.293}, {100, 1500, 0, 1538, 8127438.231}, {40, 9600, 0, 9638, 518779.830},
		{56, 9600, 0, 9638, 726291.762}, {10, 46, 0, 84, 14880952.381}, {25, 1500, 1, 1542, 2026588.846},
	} {
		wire := WireBytes(FrameBytes(c.ip, c.tags))
		if frames := float64(c.gbps) * 1e9 / 8 / float64(wire); wire != c.wire || !near(frames, c.frames) {
			t.Errorf("%d Gb/s, %d bytes: %d on the wire, %.3f frames/s", c.gbps, c.ip, wire, frames)
		}
	}
}

func TestRoCEOnTheWire(t *testing.T) {
	t.Parallel()
	for payload, efficiency := range map[int]float64{1024: 0.925858951, 2048: 0.961502347} {
		wire := WireBytes(FrameBytes(RoCEPacket(payload), 0))
		if got := float64(payload) / float64(wire); !near(got, efficiency) {
			t.Errorf("%d bytes of RDMA are %d on the wire, %.9f", payload, wire, got)
		}
	}
}

func TestSlots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		generation, lanes, payload int
		raw, usable                float64
	}{
		{1, 8, 128, 2000, 1684.210526}, {2, 8, 128, 4000, 3368.421053}, {3, 8, 256, 7876.923077, 7201.758242},
		{3, 16, 256, 15753.846154, 14403.516484}, {3, 4, 128, 3938.461538, 3316.599190},
	} {
		raw, usable := PCIeRaw(c.generation, c.lanes)/1e6, PCIeUsable(c.generation, c.lanes, c.payload)/1e6
		if !near(raw, c.raw) || !near(usable, c.usable) {
			t.Errorf("Gen%d x%d: %.6f raw, %.6f usable", c.generation, c.lanes, raw, usable)
		}
	}
}

func TestPauseTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quanta       int
		rate, result float64
	}{{65535, 10e9, 3355.392}, {65535, 40e9, 838.848}, {1, 25e9, 0.02048}, {0, 40e9, 0}} {
		if got := PauseTime(c.quanta, c.rate); !near(got, c.result) {
			t.Errorf("%d quanta at %.0f b/s are %f us", c.quanta, c.rate, got)
		}
	}
}

func TestInfiniBandRates(t *testing.T) {
	t.Parallel()
	for nominal, rate := range map[int]float64{10: 8, 20: 16, 40: 32, 56: 54.545455} {
		if got := infinibandRate(nominal) / 1e9; !near(got, rate) {
			t.Errorf("%d Gb/s InfiniBand carries %f", nominal, got)
		}
	}
}
