package driver

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

var deadline = time.Date(2026, 3, 2, 14, 0, 30, 0, time.UTC)

func TestGuardedPlanIsConfirmedOrReverted(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "Jumbo", Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014"), adapters.RestartAdapter{Connection: "Ethernet 5"}}}
	if _, err := h.ApplyGuarded(plan, deadline); err != nil {
		t.Fatal(err)
	}
	h, err := RestoreHost(description.Default(), mustSave(t, h)) // the console was killed
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := h.Unconfirmed(); !ok || g != (Guard{Sequence: 1, Title: "Jumbo", Deadline: deadline}) {
		t.Fatalf("it waits for %+v", g)
	}
	var unconfirmed *journal.UnconfirmedError
	if _, err := h.Apply(plan); !errors.As(err, &unconfirmed) || unconfirmed.Guard.Sequence != 1 {
		t.Errorf("another change gives %v", err)
	}
	if _, err := h.Undo(); !errors.As(err, &unconfirmed) {
		t.Errorf("an undo gives %v", err)
	}
	if err := h.Check(plan); !errors.As(err, &unconfirmed) {
		t.Errorf("a check gives %v", err)
	}
	if len(h.journal) != 1 {
		t.Errorf("what was refused is in the journal: %+v", h.journal)
	}
	entry, err := h.Revert()
	if err != nil || entry.Undoes != 1 {
		t.Fatalf("undone as %+v, %v", entry, err)
	}
	if k := mustKey(t, h, "Ethernet 5", "*JumboPacket"); k.Stored.String() != "1514" || k.Pending {
		t.Errorf("it is %+v", k)
	}
	h.Advance(5 * time.Second)
	if port := portOf(t, h, "Ethernet 5"); h.State(port) != Running || !h.lab.State(port).Up {
		t.Error("the adapter did not come back")
	}
	if _, err := h.Revert(); !errors.Is(err, journal.ErrNothingUnconfirmed) || !errors.Is(h.Confirm(), journal.ErrNothingUnconfirmed) {
		t.Errorf("there is still something to confirm: %v", err)
	}

	if _, err := h.ApplyGuarded(plan, deadline); err != nil {
		t.Fatal(err)
	}
	if err := h.Confirm(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}); err != nil {
		t.Errorf("after the confirmation: %v", err)
	}
	if _, err := h.ApplyGuarded(Plan{Title: "x", Operations: []Operation{adapters.RestartAdapter{Connection: "Ethernet 8"}}}, deadline); err != nil {
		t.Fatal(err)
	}
	if _, ok := h.Unconfirmed(); ok {
		t.Error("a restart, which nothing undoes, waits for its confirmation")
	}
}

// What a plan broke is mended by taking it back, also when the driver did not start with it.
func TestUndoRepairsAFailedDriver(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 5")
	plan := Plan{Title: "Multicast", Operations: []Operation{set("Ethernet 5", "NetworkAddress", "010000000000"), adapters.RestartAdapter{Connection: "Ethernet 5"}}}
	if _, err := h.ApplyGuarded(plan, deadline); err != nil {
		t.Fatal(err)
	}
	h.Advance(5 * time.Second)
	if h.State(port) != Failed {
		t.Fatalf("it is %s", h.State(port))
	}
	if _, err := h.Revert(); err != nil {
		t.Fatal(err)
	}
	h.Advance(5 * time.Second)
	if h.State(port) != Running || !h.lab.State(port).Up {
		t.Errorf("it is %s", h.State(port))
	}
}

func TestUndoNamesConflicts(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, set("Ethernet 5", "*JumboPacket", "4000"), hardware.PullCable{Connection: "Ethernet 7"}) // 1
	mustApply(t, h, set("Ethernet 6", "*JumboPacket", "4000"))                                               // 2
	mustApply(t, h, edit.DeleteValue{Connection: "Ethernet 5", Key: "jumbopacket"})                          // 3
	mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 7"})                                            // 4
	mustApply(t, h, adapters.RestartAdapter{Connection: "Ethernet 5"})                                       // 5
	mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet 8", MaxFrame: new(1514)})                     // 6
	mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet 8", PauseShare: new(0.5)})                    // 7
	mustApply(t, h, set("Ethernet 3", "LogNumQP", "20"))                                                     // 8
	mustApply(t, h, edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "LogNumQP", Value: "21"})                  // 9
	before := len(h.journal)
	var conflict *ConflictError
	_, err := h.UndoEntry(1)
	if !errors.As(err, &conflict) || len(conflict.Conflicts) != 2 || len(h.journal) != before {
		t.Fatalf("it gave %v", err)
	}
	for i, want := range []journal.Conflict{{Sequence: 3, Title: "test", What: []string{"*JumboPacket of Ethernet 5"}}, {Sequence: 4, Title: "test", What: []string{"the cable of Ethernet 7"}}} {
		if c := conflict.Conflicts[i]; c.Sequence != want.Sequence || strings.Join(c.What, ";") != strings.Join(want.What, ";") {
			t.Errorf("conflict %d is %+v", i, c)
		}
	}
	if _, err := h.UndoEntry(8); !errors.As(err, &conflict) || conflict.Conflicts[0].What[0] != "bus-driver/LogNumQP of mlx4" {
		t.Errorf("a key that was named in another way: %v", err)
	}
	for _, sequence := range []uint64{6, 2, 4, 3, 1} {
		if _, err := h.UndoEntry(sequence); err != nil {
			t.Errorf("change %d: %v", sequence, err)
		}
	}
	if k := mustKey(t, h, "Ethernet 5", "*JumboPacket"); k.Stored.String() != "1514" {
		t.Errorf("it is %+v", k)
	}
}

func TestValuesAreReadBack(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{
		set("Ethernet 5", "*JumboPacket", "0x2000"), set("Ethernet 5", "*RSS", "0"), set("Ethernet 5", "jumbopacket", "4000"),
		edit.DeleteValue{Connection: "Ethernet 5", Key: "*RSS"},
	}}
	entry, err := h.Apply(plan)
	want := []edit.WrittenValue{
		{Connection: "Ethernet 5", Key: "jumbopacket", Wanted: registry.NumberValue(4000), Actual: registry.NumberValue(4000)},
		{Connection: "Ethernet 5", Key: "*RSS"},
	}
	if err != nil || len(entry.Values) != 2 || entry.Values[0] != want[0] || entry.Values[1] != want[1] {
		t.Errorf("%+v, %v", entry.Values, err)
	}
	port, r, err := h.layout.Find("Ethernet 5", "", "*JumboPacket")
	if err != nil {
		t.Fatal(err)
	}
	h.hive.Set(h.layout.Place(port, r.Scope), r.Name, registry.NumberValue(7)) // somebody else writes there
	var wrong *edit.ReadBackError
	if _, err := edit.ReadBack(h.edits(), editsOf(plan)); !errors.As(err, &wrong) || len(wrong.Values) != 1 || wrong.Values[0].Actual.String() != "7" {
		t.Errorf("a value that did not stay gives %v", err)
	}
}
