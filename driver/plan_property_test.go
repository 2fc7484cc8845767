package driver

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/registry"
)

// randomPlan has a few Operations of all kinds; many can't be applied.
func randomPlan(h *Host, random *rand.Rand) Plan {
	plan := Plan{Title: "random"}
	for range 1 + random.IntN(3) {
		o := randomOperation(h, random)
		switch random.IntN(20) {
		case 0:
			o = adapters.Reboot{Host: "LAB-N4"}
		case 1:
			o = adapters.ReloadDriver{Driver: []string{"mlx4", "mlx5", "none"}[random.IntN(3)]}
		case 2:
			d, _, _ := h.lab.Port(random.IntN(len(h.miniports)))
			o = adapters.MarkManagement{Connection: d.Connection, Carries: random.IntN(2) == 0}
		case 3:
			o = fabric.AddPartition{Connection: []string{"Ethernet 3", "Ethernet 4", "Ethernet 4"}[random.IntN(3)]}
		case 4:
			o = fabric.RemovePartition{Connection: []string{"Ethernet 11", "Ethernet 12"}[random.IntN(2)]}
		}
		plan.Operations = append(plan.Operations, o)
	}
	return plan
}

// setUp is all of a host that plans set up, without what only time moves.
func setUp(h *Host) (state []any) {
	for port := range h.miniports {
		link := h.lab.State(port)
		m := &h.miniports[port]
		state = append(state, m.state, m.code, link.Cabled, link.Enabled, h.lab.SwitchPort(port), h.lab.ProcessorSpeed(port), h.lab.Settings(port))
		for i := range h.catalogue(port).Rows {
			r := &h.catalogue(port).Rows[i]
			state = append(state, m.effective.Reading(r).Value)
		}
	}
	for _, f := range h.lab.Flows() {
		state = append(state, f.Scale)
	}
	for a := range h.lab.Description().Adapters {
		state = append(state, h.lab.Slot(a))
	}
	return append(state, h.hive.All(), h.Management(), h.Partitions())
}

// Random plans that are applied and undone leave the host and its registry as they were, in whatever order they can
// be undone; failed plans change nothing at all; and the journal has them.
func TestRandomPlansAppliedAndUndone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 11))
		h := newHost(t, seed)
		h.Advance(time.Duration(random.IntN(5000)) * time.Millisecond)
		before := setUp(h)
		applied, failed := 0, 0
		for range 14 {
			plan := randomPlan(h, random)
			hive, journal, saved := h.hive.All(), h.journal, mustSave(t, h)
			entry, err := h.Apply(plan)
			if err != nil {
				failed++
				if h.journal = journal; !bytes.Equal(saved, mustSave(t, h)) || !slices.Equal(hive, h.hive.All()) {
					t.Fatalf("seed %d: a plan that failed with %v changed the host", seed, err)
				}
				continue
			}
			applied++
			for _, v := range entry.Values {
				if v.Wanted != v.Actual {
					t.Errorf("seed %d: %+v was read back", seed, v)
				}
			}
			if random.IntN(3) > 0 {
				h.Advance(time.Duration(random.IntN(3000)) * time.Millisecond)
			}
		}
		takeAllBack(t, h, random)
		h.Advance(bootTime + 10*time.Second)
		restartStale(t, h)
		if after := setUp(h); !reflect.DeepEqual(before, after) {
			for i := range before {
				if !reflect.DeepEqual(before[i], after[i]) {
					t.Errorf("seed %d: %+v became %+v", seed, before[i], after[i])
				}
			}
		}
		if applied == 0 || failed == 0 {
			t.Errorf("seed %d: %d plans were applied and %d failed", seed, applied, failed)
		}
	}
}

// takeAllBack takes all changes back, in a random order as far as they don't are in each other's way.
func takeAllBack(t *testing.T, h *Host, random *rand.Rand) {
	t.Helper()
	for {
		if _, left := h.Undoable(); !left {
			return
		}
		sequence := uint64(1 + random.IntN(int(h.journal.Last())))
		if random.IntN(3) == 0 {
			e, _ := h.Undoable()
			sequence = e.Sequence
		}
		before := len(h.journal)
		if _, err := h.UndoEntry(sequence); err != nil {
			h.journal = h.journal[:before] // an adapter that is not as it has to be; later it is
			h.Advance(2 * time.Second)
		}
	}
}

// restartStale has the drivers read what they have not read, where a plan had not.
func restartStale(t *testing.T, h *Host) {
	t.Helper()
	for _, k := range h.Pending() {
		if k.TakesEffect == registry.AtReboot || k.TakesEffect == registry.AtReload {
			mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
			h.Advance(bootTime + 10*time.Second)
			return
		}
	}
	for port := range h.miniports {
		if d, _, _ := h.lab.Port(port); len(h.waitingKeys(port)) > 0 {
			mustApply(t, h, adapters.RestartAdapter{Connection: d.Connection})
		}
	}
	h.Advance(10 * time.Second)
}
