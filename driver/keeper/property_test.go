package keeper_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry/edit"
)

// walk is a random sequence of changes, with what must come of them.
type walk struct {
	*kept
	t    *testing.T
	dice *rand.Rand
	// before has the settings before each change that can be undone, the newest last.
	before [][]string
	// deadline is when the newest change is reverted, zero when it needs no confirmation.
	deadline time.Time
	// lost is how many changes were not saved, and stay recorded as begun.
	lost int
}

var errDisk = errors.New("no disk")

// TestRandomChanges holds after each of many random steps that the saved host is the one in memory, or the step reported
// that it is not; that undo, revert and lapse lead to the settings before the change; and that each entry of the journal
// was reported.
func TestRandomChanges(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := &walk{kept: keep(t, newHost(t)), t: t, dice: rand.New(rand.NewPCG(seed, 13))}
			for range 60 {
				w.step()
			}
		})
	}
}

// step does one thing at random, and checks what came of it.
func (w *walk) step() {
	w.noSave = nil
	if w.dice.IntN(8) == 0 {
		w.noSave = errDisk
	}
	was, calls := w.settings(), len(w.log)
	var what string
	var err error
	want := was
	newest := func() (settings []string) {
		settings = w.before[len(w.before)-1]
		w.before, w.deadline = w.before[:len(w.before)-1], time.Time{}
		return settings
	}
	waits := !w.deadline.IsZero()
	tried := func(entry driver.Entry, tried error, guarded bool) {
		err, want = tried, nil
		switch {
		case waits:
			if want = was; !errors.As(err, new(*journal.UnconfirmedError)) {
				w.t.Fatalf("%s while a change waits: %v", what, err)
			}
		case entry.Err != "":
			want = was
		default:
			w.before = append(w.before, was)
			if guarded {
				w.deadline = w.now.Add(time.Minute)
			}
		}
	}
	switch w.dice.IntN(8) {
	case 0, 1:
		plan := w.plan()
		what = "apply " + plan.Operations[0].Describe()
		entry, err := w.Apply(w.t.Context(), plan)
		tried(entry, err, false)
	case 2, 3:
		plan := w.plan()
		what = "guarded " + plan.Operations[0].Describe()
		entry, err := w.ApplyGuarded(w.t.Context(), plan, time.Minute)
		tried(entry, err, true)
	case 4:
		what = "undo"
		if _, err = w.Undo(w.t.Context()); !waits && len(w.before) > 0 {
			want = newest()
		}
	case 5:
		what = "confirm"
		err = w.Confirm(w.t.Context())
		w.deadline = time.Time{}
	case 6:
		what = "revert"
		if _, err = w.Revert(w.t.Context()); waits {
			want = newest()
		}
	case 7:
		what = "lapse"
		w.now = w.now.Add(time.Duration(w.dice.IntN(90)) * time.Second)
		var lapsed bool
		_, lapsed, err = w.keeper.RevertExpired(w.now)
		if over := waits && !w.now.Before(w.deadline); lapsed != over {
			w.t.Fatalf("lapsed is %v", lapsed)
		} else if over {
			want = newest()
		}
	}
	if got := w.settings(); want != nil && !reflect.DeepEqual(got, want) {
		w.t.Fatalf("%s, %v: %q, not %q", what, err, got, want)
	}
	w.checkSaved(what, err, calls)
}

// checkSaved holds that the saved host is the one in memory, or that an error says that it is not.
func (w *walk) checkSaved(what string, err error, calls int) {
	if errors.Is(err, errDisk) != (w.noSave != nil && w.savedSince(calls)) {
		w.t.Fatalf("%s with %v: %v", what, w.noSave, err)
	}
	if errors.Is(err, errDisk) {
		w.lost, w.noSave = w.open, nil
		if err := w.keeper.Flush(); err != nil {
			w.t.Fatal(err)
		}
	}
	if w.open != w.lost {
		w.t.Fatalf("%s: %d changes are recorded as begun, not %d", what, w.open, w.lost)
	}
	if !reflect.DeepEqual(w.journal, w.host.Journal()) {
		w.t.Fatalf("%s: %d entries were reported of %d", what, len(w.journal), len(w.host.Journal()))
	}
	now, problem := w.host.Save()
	if w.saved == nil && w.host.Changes() == 0 {
		return
	}
	if problem != nil || !bytes.Equal(now, w.saved) {
		w.t.Fatalf("%s: the saved host is another one: %v", what, problem)
	}
}

// savedSince reports whether the saver was asked to save.
func (w *walk) savedSince(calls int) bool {
	for _, call := range w.log[calls:] {
		if strings.HasPrefix(call, "save") {
			return true
		}
	}
	return false
}

var connections = []string{"Ethernet 5", "Ethernet 7"}

// plan is one change at random, which may fail.
func (w *walk) plan() driver.Plan {
	connection := connections[w.dice.IntN(len(connections))]
	flow := w.host.Lab().Flows()[0].Name
	operation := []driver.Operation{
		hardware.PullCable{Connection: connection},
		hardware.PlugCable{Connection: connection},
		edit.SetValue{Connection: connection, Key: "*JumboPacket", Value: []string{"1514", "9014", "4088"}[w.dice.IntN(3)]},
		edit.DeleteValue{Connection: connection, Key: "*JumboPacket"},
		hardware.SetFault{Connection: connection, Fault: description.BadCable, Share: float64(w.dice.IntN(3)) / 2},
		fabric.ScaleFlow{Flow: flow, Scale: float64(w.dice.IntN(4)) / 2},
	}[w.dice.IntN(6)]
	return planOf("Random", operation, hardware.SetFault{Connection: connection, Fault: description.FewReceives, Share: w.dice.Float64()})
}

// settings are all that the plans change.
func (w *walk) settings() []string {
	list := []string{fmt.Sprint(w.host.Lab().Flows()[0].Scale)}
	for port := range w.host.Lab().Ports() {
		d, _, _ := w.host.Lab().Port(port)
		key, _ := w.host.Key(d.Connection, "*JumboPacket")
		list = append(list, fmt.Sprint(d.Connection, key.Stored, w.host.Lab().State(port).Cabled,
			w.host.Lab().Fault(port, description.BadCable), w.host.Lab().Fault(port, description.FewReceives)))
	}
	return list
}
