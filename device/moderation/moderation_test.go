package moderation_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device/moderation"
)

func TestInterruptsReportEveryPacketInTime(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		s := moderation.Setting{Packets: r.IntN(8), Time: time.Duration(r.IntN(20)) * time.Microsecond}
		arrivals := make([]time.Duration, r.IntN(60))
		at := time.Duration(0)
		for i := range arrivals {
			at += time.Duration(r.IntN(12)) * time.Microsecond
			arrivals[i] = at
		}
		interrupts := s.AppendInterrupts(nil, arrivals)
		next := 0
		for i, interrupt := range interrupts {
			if interrupt.Packets < 1 || interrupt.Packets > max(1, s.Packets) || next+interrupt.Packets > len(arrivals) {
				t.Fatalf("%+v, %v: interrupt %d has %d packets", s, arrivals, i, interrupt.Packets)
			}
			first, last := arrivals[next], arrivals[next+interrupt.Packets-1]
			next += interrupt.Packets
			if interrupt.At < last || interrupt.At > first+s.Time {
				t.Fatalf("%+v, %v: interrupt %d at %v for packets of %v to %v", s, arrivals, i, interrupt.At, first, last)
			}
			if interrupt.At != last && interrupt.At != first+s.Time {
				t.Fatalf("%+v, %v: nothing happens at %v", s, arrivals, interrupt.At)
			}
			if i > 0 && interrupt.At < interrupts[i-1].At {
				t.Fatalf("%+v, %v: time falls", s, arrivals)
			}
		}
		if next != len(arrivals) {
			t.Fatalf("%+v, %v: %d packets reported", s, arrivals, next)
		}
	}
}

func TestZeroMeansOneInterruptAPacket(t *testing.T) {
	t.Parallel()
	arrivals := []time.Duration{0, 0, time.Microsecond}
	for _, s := range []moderation.Setting{{}, {Packets: 5}, {Time: time.Second}, moderation.LowLatency.Setting()} {
		if got := s.AppendInterrupts(nil, arrivals); len(got) != len(arrivals) {
			t.Errorf("%+v: %v", s, got)
		}
		if got := s.PacketsPerInterrupt(1e6); got != 1 {
			t.Errorf("%+v: %d packets an interrupt", s, got)
		}
	}
}

func TestPacketsPerInterruptIsThatOfEvenArrivals(t *testing.T) {
	t.Parallel()
	for _, s := range []moderation.Setting{moderation.Default(), moderation.Aggressive.Setting(), {Packets: 3, Time: time.Millisecond}} {
		for gap := 100 * time.Nanosecond; gap < 50*time.Microsecond; gap += 330 * time.Nanosecond {
			arrivals := make([]time.Duration, 2*s.Packets)
			for i := range arrivals {
				arrivals[i] = time.Duration(i) * gap
			}
			want := s.AppendInterrupts(nil, arrivals)[0].Packets
			if got := s.PacketsPerInterrupt(float64(time.Second) / float64(gap)); got != want {
				t.Errorf("%+v, a packet each %v: %d, want %d", s, gap, got, want)
			}
		}
	}
	for _, rate := range []float64{-1, 0, 1, 1e300} {
		if got := moderation.Default().PacketsPerInterrupt(rate); got < 1 || got > 5 {
			t.Errorf("%v packets a second: %d", rate, got)
		}
	}
}

func TestClassStaysBetweenTheBounds(t *testing.T) {
	t.Parallel()
	rates := moderation.DefaultRates()
	for _, class := range []moderation.Class{moderation.Latency, moderation.Bandwidth} {
		for _, rate := range []float64{rates.Low, 160_000, rates.High} {
			if got := rates.Next(class, rate); got != class {
				t.Errorf("%s at %v packets a second becomes %s", class, rate, got)
			}
		}
		if rates.Next(class, rates.Low-1) != moderation.Latency || rates.Next(class, rates.High+1) != moderation.Bandwidth {
			t.Errorf("%s does not change beyond the bounds", class)
		}
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	latency, bandwidth := moderation.LowLatency.Setting(), moderation.Aggressive.Setting()
	for _, c := range []struct {
		policy moderation.Policy
		want   []moderation.Setting // for latency and for bandwidth
	}{
		{moderation.Policy{Adaptive: true}, []moderation.Setting{{}, {}}},
		{moderation.DefaultPolicy(), []moderation.Setting{latency, bandwidth}},
		{moderation.Policy{On: true, Profile: moderation.Moderate}, []moderation.Setting{moderation.Default(), moderation.Default()}},
	} {
		got := []moderation.Setting{c.policy.Setting(moderation.Latency), c.policy.Setting(moderation.Bandwidth)}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %+v, want %+v", c.policy, got, c.want)
		}
	}
}

func BenchmarkPacketsPerInterrupt(b *testing.B) {
	b.ReportAllocs()
	s, sum := moderation.Aggressive.Setting(), 0
	for i := range b.N {
		sum += s.PacketsPerInterrupt(float64(i & 0xfffff))
	}
	_ = sum
}
