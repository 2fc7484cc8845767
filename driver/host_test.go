package driver

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
)

func newHost(t testing.TB, seed uint64) *Host {
	t.Helper()
	lab, err := device.New(description.Default(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return NewHost(lab)
}

func mustApply(t *testing.T, h *Host, operations ...Operation) {
	t.Helper()
	if _, err := h.Apply(Plan{Title: "test", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

// newest are the keys of the events after a sequence, about one adapter.
func newest(h *Host, after uint64, adapter string) (keys []string) {
	for _, e := range h.EventsAfter(after) {
		if e.Adapter == adapter {
			keys = append(keys, e.Key)
		}
	}
	return keys
}

func portOf(t *testing.T, h *Host, connection string) int {
	t.Helper()
	port, err := h.port(connection)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestPullAndPlugCable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, down, up string }{
		{"Ethernet 7", "mlx5.link-down", "mlx5.link-up"},
		{"Ethernet 3", "mlx4.eth-link-down", "mlx4.eth-link-up"},
	} {
		h := newHost(t, 1)
		h.Advance(5 * time.Second)
		port := portOf(t, h, c.name)
		from := h.events.Last()
		mustApply(t, h, hardware.PullCable{Connection: c.name})
		before := slices.Clone(h.lab.Counters())
		h.Advance(time.Second)
		if h.lab.State(port).Up || h.lab.State(port).Cabled {
			t.Errorf("%s: the link is up without a cable", c.name)
		}
		for _, total := range []counter.Port{counter.ReceivedPackets, counter.SentPackets, counter.ArrivedPackets} {
			if cell := counter.Cell(port, total); h.lab.Counters()[cell] != before[cell] {
				t.Errorf("%s: counter %d moved without a cable", c.name, total)
			}
		}
		mustApply(t, h, hardware.PlugCable{Connection: c.name})
		h.Advance(500 * time.Millisecond)
		if h.lab.State(port).Up {
			t.Errorf("%s: the link came up without training", c.name)
		}
		h.Advance(2 * time.Second)
		if !h.lab.State(port).Up {
			t.Errorf("%s: the link did not come up", c.name)
		}
		if keys := newest(h, from, c.name); !slices.Equal(keys, []string{c.down, c.up}) {
			t.Errorf("%s: the events are %v", c.name, keys)
		}
	}
}

func TestARestart(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"Ethernet 8": {"mlx5.link-down", "mlx5.stopped", "mlx5.identity", "mlx5.link-up"},
		"Ethernet 4": {"mlx4.eth-link-down", "mlx4.eth-stopped", "mlx4.eth-started-mac", "mlx4.eth-link-up"},
	} {
		h := newHost(t, 1)
		h.Advance(3 * time.Second)
		from, port := h.events.Last(), portOf(t, h, name)
		received := h.lab.Counters()[counter.Cell(port, counter.ReceivedBytes)]
		mustApply(t, h, adapters.RestartAdapter{Connection: name})
		if h.State(port) != Restarting {
			t.Errorf("%s is %s", name, h.State(port))
		}
		h.Advance(5 * time.Second)
		if h.State(port) != Running || !h.lab.State(port).Up {
			t.Errorf("%s did not come back", name)
		}
		if keys := newest(h, from, name); !slices.Equal(keys, want) {
			t.Errorf("%s: the events are %v", name, keys)
		}
		if now := h.lab.Counters()[counter.Cell(port, counter.ReceivedBytes)]; now <= received {
			t.Errorf("%s: a driver restart cleared a counter of the adapter: %d after %d", name, now, received)
		}
	}
}

func TestADisabledAdapterStaysDownUntilItIsEnabled(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 9"})
	h.Advance(time.Minute)
	port := portOf(t, h, "Ethernet 9")
	if h.State(port) != Stopped || h.lab.State(port).Up {
		t.Error("it came back by itself")
	}
	mustApply(t, h, adapters.EnableAdapter{Connection: "Ethernet 9"})
	h.Advance(10 * time.Second)
	if h.State(port) != Running || !h.lab.State(port).Up {
		t.Error("it did not come back")
	}
}

// likeness is a host without its journal, its log and the numbers of its events.
func likeness(h *Host) any {
	return []any{h.lab, h.miniports, h.hive}
}

func TestAFailedOperationChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHost(t, 4)
	h.Advance(10 * time.Second)
	before := h.Clone()
	entry, err := h.Apply(Plan{Title: "Half", Operations: []Operation{
		hardware.PullCable{Connection: "Ethernet 7"}, adapters.DisableAdapter{Connection: "Ethernet 8"}, hardware.PlugCable{Connection: "Ethernet 10"},
	}})
	if !errors.Is(err, hardware.ErrCableIn) || !strings.Contains(err.Error(), "can't plug in the cable of Ethernet 10") {
		t.Errorf("the error is %v", err)
	}
	if !reflect.DeepEqual(likeness(h), likeness(before)) || !reflect.DeepEqual(h.EventsAfter(0), before.EventsAfter(0)) {
		t.Error("the rolled back plan left something behind")
	}
	if entry.Err == "" || len(h.Journal()) != 1 {
		t.Error("the journal has no word of it")
	}
	if _, err := h.Undo(); !errors.Is(err, journal.ErrNothingToUndo) {
		t.Errorf("a plan that failed can be undone: %v", err)
	}
	h.Advance(time.Minute)
	before.Advance(time.Minute)
	if !reflect.DeepEqual(likeness(h), likeness(before)) {
		t.Error("it went another way afterwards")
	}
}

func TestUndo(t *testing.T) {
	t.Parallel()
	h := newHost(t, 4)
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"}, hardware.PullCable{Connection: "Ethernet 8"})
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 3"})
	mustApply(t, h, adapters.RestartAdapter{Connection: "Ethernet 10"})
	if e := h.Journal()[2]; len(e.Inverse.Operations) != 0 || e.Inverse.Title != "Nothing to undo" {
		t.Errorf("a restart can be undone by %+v", e.Inverse)
	}
	for _, undoes := range []uint64{2, 1} {
		e, err := h.Undo()
		if err != nil || e.Undoes != undoes {
			t.Fatalf("undid %d, %v; want %d", e.Undoes, err, undoes)
		}
	}
	if _, err := h.Undo(); !errors.Is(err, journal.ErrNothingToUndo) {
		t.Errorf("a third undo gave %v", err)
	}
	h.Advance(10 * time.Second)
	for port := range h.miniports {
		if s := h.lab.State(port); h.State(port) != Running || !s.Cabled || !s.Up {
			t.Errorf("port %d is %+v, %s", port, s, h.State(port))
		}
	}
}

func TestApplyThenUndoGivesTheSameHost(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		h := newHost(t, seed)
		random := rand.New(rand.NewPCG(seed, 1))
		h.Advance(time.Duration(random.IntN(60)) * time.Second)
		settle := func() (state []any) {
			h.Advance(6 * time.Second)
			for port := range h.miniports {
				state = append(state, h.State(port), h.lab.State(port).Cabled, h.lab.State(port).Enabled,
					h.lab.SwitchPort(port), h.lab.ProcessorSpeed(port))
			}
			for _, f := range h.lab.Flows() {
				state = append(state, f.Scale)
			}
			for a := range h.lab.Description().Adapters {
				state = append(state, h.lab.Slot(a))
			}
			return append(state, h.hive.All())
		}
		before := settle()
		applied := 0
		for range 12 {
			if _, err := h.Apply(Plan{Title: "random", Operations: []Operation{randomOperation(h, random)}}); err == nil {
				applied++
			}
			settle()
		}
		for {
			if _, err := h.Undo(); errors.Is(err, journal.ErrNothingToUndo) {
				break
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			settle()
		}
		if after := settle(); !reflect.DeepEqual(before, after) || applied == 0 {
			t.Errorf("seed %d: %v became %v after %d changes", seed, before, after, applied)
		}
	}
}

// randomOperation is one of all kinds; some of them can't be applied.
func randomOperation(h *Host, random *rand.Rand) Operation {
	port := random.IntN(len(h.miniports))
	d, a, _ := h.lab.Port(port)
	name := d.Connection
	keys, _ := h.Keys(name)
	key := keys[random.IntN(len(keys))].Row
	full := string(key.Scope) + "/" + key.Name
	values := []string{"0", "1", "2", "3", "8", "1024", "1514", "4096", "9014", "4294967295", "text"}
	flows := h.lab.Flows()
	return []Operation{
		hardware.PullCable{Connection: name}, hardware.PlugCable{Connection: name}, adapters.RestartAdapter{Connection: name}, adapters.EnableAdapter{Connection: name}, adapters.DisableAdapter{Connection: name},
		edit.SetValue{Connection: name, Key: full, Value: values[random.IntN(len(values))]},
		edit.SetValue{Connection: name, Key: full, Value: values[random.IntN(len(values))]},
		edit.DeleteValue{Connection: name, Key: full},
		fabric.ScaleFlow{Flow: flows[random.IntN(len(flows))].Name, Scale: float64(random.IntN(12))},
		fabric.SetSwitchPort{Connection: name, MaxFrame: new(500 + random.IntN(9000)), PauseShare: new(random.Float64())},
		fabric.SetFarEnd{Connection: name, Settings: setup.FarEnd{Lossless: new(uint8(random.IntN(256))), SlowPeer: "10.7.0.21", Takes: 0.01 + 0.9*random.Float64()}},
		hardware.SetSlot{Adapter: h.lab.Description().Adapters[a].Name, Generation: 1 + random.IntN(4), Lanes: 1 << random.IntN(6)},
		hardware.SetProcessorSpeed{Connection: name, Speed: random.Float64()},
	}[random.IntN(12)]
}

func TestNumbersDoNotDependOnTheStep(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		whole, cut := newHost(t, seed), newHost(t, seed)
		random := rand.New(rand.NewPCG(seed, 2))
		const span = 20 * time.Second
		for round := range 3 {
			copied := whole.Clone()
			whole.Advance(span)
			for left := span; left > 0; {
				d := min(left, time.Duration(random.Int64N(int64(900*time.Millisecond))))
				cut.Advance(d)
				left -= d
			}
			copied.Advance(span)
			for what, other := range map[string]*Host{"cut into odd steps": cut, "a clone": copied} {
				if !slices.Equal(whole.lab.Counters(), other.lab.Counters()) || !slices.Equal(whole.EventsAfter(0), other.EventsAfter(0)) {
					t.Fatalf("seed %d, round %d: one Advance and %s differ", seed, round, what)
				}
			}
			o := randomOperation(whole, random)
			_, err1 := whole.Apply(Plan{Title: "random", Operations: []Operation{o}})
			_, err2 := cut.Apply(Plan{Title: "random", Operations: []Operation{o}})
			if (err1 == nil) != (err2 == nil) {
				t.Fatalf("seed %d: %v and %v", seed, err1, err2)
			}
		}
	}
}

func TestEveryLinkLossIsInTheLog(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		h := newHost(t, seed)
		random := rand.New(rand.NewPCG(seed, 3))
		for range 25 {
			h.Advance(time.Duration(random.IntN(20)) * time.Second)
			_, _ = h.Apply(Plan{Title: "random", Operations: []Operation{randomOperation(h, random)}}) // some can't be applied: fine
		}
		downs := map[string]uint64{}
		for _, e := range h.EventsAfter(0) {
			if strings.HasSuffix(e.Key, "link-down") {
				downs[e.Adapter]++
			}
		}
		for port := range h.miniports {
			d, _, _ := h.lab.Port(port)
			if counted := h.lab.Counters()[counter.Cell(port, counter.LinkDowns)]; counted != downs[d.Connection] {
				t.Errorf("seed %d: %s lost its link %d times and the log has %d", seed, d.Connection, counted, downs[d.Connection])
			}
		}
	}
}

func TestAnUnknownConnectionIsNamed(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for _, o := range []Operation{
		hardware.PullCable{Connection: "Ethernet 99"}, hardware.PlugCable{Connection: "Ethernet 99"}, adapters.RestartAdapter{Connection: "Ethernet 99"}, adapters.EnableAdapter{Connection: "Ethernet 99"},
		adapters.DisableAdapter{Connection: "Ethernet 99"}, hardware.SetProcessorSpeed{Connection: "Ethernet 99", Speed: 1}, set("Ethernet 99", "*RSS", "1"),
		fabric.SetSwitchPort{Connection: "Ethernet 99", MaxFrame: new(1514)}, edit.DeleteValue{Connection: "Ethernet 99", Key: "*RSS"},
	} {
		var unknown *request.UnknownConnectionError
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); !errors.As(err, &unknown) || unknown.Connection != "Ethernet 99" {
			t.Errorf("%s: %v", o.Kind(), err)
		}
	}
}
