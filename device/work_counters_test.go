package device

import (
	"testing"
	"time"

	"cxdeck/device/card"
	"cxdeck/device/counter"
	"cxdeck/device/setup"
)

// TestWorkOfPortsIsWorkOfProcessors: what the processors are busy with is the work of the ports, whether completions are
// polled for or not.
func TestWorkOfPortsIsWorkOfProcessors(t *testing.T) {
	t.Parallel()
	const span = 5 * time.Second
	for _, method := range []setup.CompletionMethod{setup.Polling, setup.Adaptive} {
		l := newLab(t, 1)
		for port := range l.Ports() {
			s := l.Settings(port)
			s.Completion = method
			if err := l.Configure(port, s); err != nil {
				t.Fatal(err)
			}
		}
		l.Advance(time.Second)
		sum := func() (ports, processors float64) {
			for port := range l.Ports() {
				ports += float64(l.Counters()[counter.Cell(port, counter.HostBusy)])
			}
			for processor := range l.Processors() {
				processors += float64(l.Counters()[l.ProcessorCell(processor, counter.ProcessorBusy)])
			}
			return ports, processors
		}
		ports, processors := sum()
		l.Advance(span)
		portsAfter, processorsAfter := sum()
		ports, processors = portsAfter-ports, processorsAfter-processors
		rounded := float64(span/Step) * float64(l.Ports()+l.Processors()) // each loses less than a microsecond a step
		if ports < 1000 || ports-processors > rounded || processors-ports > rounded {
			t.Errorf("completion method %d: ports took %.0f us, processors were busy for %.0f us", method, ports, processors)
		}
	}
}

// TestDoorbellsFollowSends: a card has a doorbell for so many frames that its ports send, and a BlueFlame for an eighth of
// them where it is on.
func TestDoorbellsFollowSends(t *testing.T) {
	t.Parallel()
	for _, blue := range []bool{true, false} {
		l := newLab(t, 1)
		for port := range l.Ports() {
			s := l.Settings(port)
			s.BlueFlame = blue
			if err := l.Configure(port, s); err != nil {
				t.Fatal(err)
			}
		}
		l.Advance(5 * time.Second)
		sent, ports := map[int]float64{}, map[int]float64{}
		for port := range l.Ports() {
			adapter := l.plan.ports[port].adapter
			sent[adapter] += float64(l.Counters()[counter.Cell(port, counter.SentPackets)])
			ports[adapter]++
		}
		for adapter, frames := range sent {
			bells := float64(l.Counters()[l.CardCell(adapter, counter.CardDoorbells)])
			if off := frames/card.DoorbellFrames - bells; off < -1 || off > ports[adapter]+1 {
				t.Errorf("card %d sent %.0f frames with %.0f doorbells", adapter, frames, bells)
			}
			flames, want := float64(l.Counters()[l.CardCell(adapter, counter.CardBlueFlames)]), frames/card.DoorbellFrames/8
			if !blue {
				want = 0
			}
			if off := want - flames; off < -1 || off > ports[adapter]+1 {
				t.Errorf("card %d sent %.0f frames with %.0f BlueFlames, want %.0f", adapter, frames, flames, want)
			}
		}
	}
}
