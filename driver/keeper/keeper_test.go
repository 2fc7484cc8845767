package keeper_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/keeper"
)

// kept is a host with its keeper, and a saver that notes its calls.
type kept struct {
	keeper.Changer
	keeper *keeper.Keeper
	host   *driver.Host
	mutex  sync.Mutex
	now    time.Time

	log     []string // the saver's calls
	saved   []byte
	open    int            // changes that began and have not ended
	journal []driver.Entry // what was reported
	// noBegin and noSave are the errors that the saver returns.
	noBegin, noSave error
}

func keep(t *testing.T, host *driver.Host) *kept {
	t.Helper()
	k := &kept{host: host, now: time.Unix(1e9, 0)}
	k.keeper = keeper.New(host, k, keeper.Options{
		Own: func(ctx context.Context, work func() error) error {
			k.mutex.Lock()
			defer k.mutex.Unlock()
			return errors.Join(ctx.Err(), work())
		},
		Now: func() time.Time { return k.now },
		Report: func(entry driver.Entry) {
			if entry.Sequence > 0 {
				k.journal = append(k.journal, entry)
			}
		},
	})
	k.Changer = k.keeper.Changer()
	return k
}

func (k *kept) Begin(_ context.Context, plan driver.Plan, newest uint64) (func() error, error) {
	if k.noBegin != nil {
		return nil, k.noBegin
	}
	k.log = append(k.log, fmt.Sprintf("begin %q after %d", plan.Title, newest))
	k.open++
	return func() error {
		k.log = append(k.log, "end")
		k.open--
		return nil
	}, nil
}

func (k *kept) Save(host *driver.Host) (err error) {
	k.log = append(k.log, fmt.Sprintf("save %d", host.Changes()))
	if k.noSave == nil {
		k.saved, err = host.Save()
	}
	return errors.Join(k.noSave, err)
}

func newHost(t testing.TB) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

func planOf(title string, operations ...driver.Operation) driver.Plan {
	return driver.Plan{Title: title, Operations: operations}
}

var (
	pull   = planOf("Pull", hardware.PullCable{Connection: "Ethernet 7"})
	noName = planOf("No name", hardware.PullCable{Connection: "\xff"})
)

// A change is recorded before it begins, and the record ends after the host is saved. What was tried and failed is in
// the journal, and saved with it.
func TestAChangeIsRecordedBeforeItBegins(t *testing.T) {
	t.Parallel()
	k := keep(t, newHost(t))
	if entry, err := k.Apply(t.Context(), pull); err != nil || entry.Sequence != 1 {
		t.Fatal(err)
	}
	if entry, err := k.Apply(t.Context(), pull); err == nil || entry.Err == "" {
		t.Error("a cable was pulled twice")
	}
	if _, err := k.Apply(t.Context(), noName); err == nil {
		t.Error("a name that the journal can't keep")
	}
	if _, err := k.Undo(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := k.Undo(t.Context()); !errors.Is(err, journal.ErrNothingToUndo) {
		t.Errorf("a second undo: %v", err)
	}
	if _, err := k.UndoEntry(t.Context(), 99); err == nil {
		t.Error("a change that is not there was undone")
	}
	want := []string{
		`begin "Pull" after 0`, "save 1", "end", `begin "Pull" after 1`, "save 2", "end", `begin "Undo: Pull" after 2`, "save 3", "end",
	}
	if !slices.Equal(k.log, want) {
		t.Errorf("%q", k.log)
	}
	if len(k.journal) != 3 || k.journal[2].Undoes != 1 {
		t.Errorf("reported %+v", k.journal)
	}
}

func TestAChangeThatCannotBeRecordedIsNotMade(t *testing.T) {
	t.Parallel()
	k := keep(t, newHost(t))
	k.noBegin = errors.New("no disk")
	if _, err := k.Apply(t.Context(), pull); !errors.Is(err, k.noBegin) || k.host.Changes() != 0 || k.log != nil {
		t.Errorf("%v, %d changes, %q", err, k.host.Changes(), k.log)
	}
}

// A change that could not be saved is reported with its entry, stays recorded as begun, and is saved later.
func TestAFailedSaveMarksNothingAsSaved(t *testing.T) {
	t.Parallel()
	k := keep(t, newHost(t))
	k.noSave = errors.New("no disk")
	entry, err := k.Apply(t.Context(), pull)
	if !errors.Is(err, k.noSave) || entry.Sequence != 1 || k.open != 1 || len(k.journal) != 1 {
		t.Errorf("%+v, %v, %d open, %d reported", entry, err, k.open, len(k.journal))
	}
	if err := k.keeper.Flush(); !errors.Is(err, k.noSave) {
		t.Errorf("a second failure: %v", err)
	}
	k.noSave = nil
	if err := k.keeper.Flush(); err != nil || k.saved == nil {
		t.Errorf("not saved: %v", err)
	}
	calls := len(k.log)
	if err := k.keeper.Flush(); err != nil || len(k.log) != calls {
		t.Error("a saved host was saved again")
	}
	k.keeper.MarkChanged()
	if err := k.keeper.Flush(); err != nil || len(k.log) == calls {
		t.Error("a host that has moved was not saved")
	}
}

func TestAChangeThatIsConfirmedStays(t *testing.T) {
	t.Parallel()
	k := keep(t, newHost(t))
	for _, within := range []time.Duration{0, time.Hour} {
		if _, err := k.ApplyGuarded(t.Context(), pull, within); err == nil {
			t.Errorf("%s to confirm is taken", within)
		}
	}
	if _, err := k.ApplyGuarded(t.Context(), pull, 30*time.Second); err != nil {
		t.Fatal(err)
	}
	var unconfirmed *journal.UnconfirmedError
	if _, err := k.Undo(t.Context()); !errors.As(err, &unconfirmed) {
		t.Errorf("an undo meanwhile: %v", err)
	}
	if _, lapsed, _ := k.keeper.RevertExpired(k.now.Add(30*time.Second - 1)); lapsed {
		t.Error("reverted too early")
	}
	if err := k.Confirm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, lapsed, _ := k.keeper.RevertExpired(k.now.Add(time.Hour)); lapsed {
		t.Error("a confirmed change was reverted")
	}
	if back, err := driver.RestoreHost(description.Default(), k.saved); err != nil {
		t.Error(err)
	} else if _, waits := back.Unconfirmed(); waits {
		t.Error("the confirmation is not saved")
	}
	if _, err := k.Revert(t.Context()); !errors.Is(err, journal.ErrNothingUnconfirmed) || !errors.Is(k.Confirm(t.Context()), journal.ErrNothingUnconfirmed) {
		t.Errorf("nothing waits: %v", err)
	}
}

// Who asks for a change is in its entry alone, and is notified of what was applied.
func TestChangesInTheNameOfOthers(t *testing.T) {
	t.Parallel()
	host := newHost(t)
	host.SetActor(driver.Actor{By: "owner", Run: "r"})
	k := keep(t, host)
	var applied []uint64
	guest := k.By("guest").Notify(func(entry driver.Entry) { applied = append(applied, entry.Sequence) })
	for range 2 { // the second one fails
		if entry, _ := guest.Apply(t.Context(), pull); entry.By != "guest" || entry.Run != "r" {
			t.Errorf("%+v", entry)
		}
	}
	if entry, err := k.Undo(t.Context()); err != nil || entry.By != "owner" {
		t.Errorf("%+v, %v", entry, err)
	}
	if !slices.Equal(applied, []uint64{1}) {
		t.Errorf("notified of %v", applied)
	}
}

// TestReplaceSavesTheNewHost holds that changes go to the new host.
func TestReplaceSavesTheNewHost(t *testing.T) {
	t.Parallel()
	k := keep(t, newHost(t))
	if _, err := k.Apply(t.Context(), pull); err != nil {
		t.Fatal(err)
	}
	other := newHost(t)
	if err := k.keeper.Replace(other, k); err != nil || k.log[len(k.log)-1] != "save 0" {
		t.Errorf("%v, %q", err, k.log)
	}
	if entry, err := k.Apply(t.Context(), pull); err != nil || entry.Sequence != 1 || other.Changes() != 1 {
		t.Errorf("%+v, %v", entry, err)
	}
}
