package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cxdeck/store/fault"
)

// TestKeptHostIsRestored checks that a kept host is restored unchanged, even if its state can't be unpacked.
func TestKeptHostIsRestored(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{Version: "1.2"})
	ctx := t.Context()
	if _, ok, err := db.KeepHost(ctx, "abc", 1, "x"); ok || err != nil {
		t.Fatalf("a missing host was kept: %v", err)
	}
	save := func(data string) {
		t.Helper()
		host := HostState{LabHash: "abc", Seed: 1, Name: "LAB", Elapsed: time.Minute, Time: start, Saved: start, Data: []byte(data)}
		if err := db.SaveHost(ctx, host); err != nil {
			t.Fatal(err)
		}
	}
	save("first")
	if _, err := db.BeginChange(ctx, BegunChange{LabHash: "abc", Seed: 1}); err != nil {
		t.Fatal(err)
	}
	first, ok, err := db.KeepHost(ctx, "abc", 1, strings.Repeat("why ", maxWhy))
	if !ok || err != nil {
		t.Fatal(err)
	}
	if _, ok, err := db.Host(ctx, "abc", 1); ok || err != nil {
		t.Errorf("the host still exists: %v", err)
	}
	if begun, err := db.BegunChanges(ctx, "abc", 1); len(begun) > 0 || err != nil {
		t.Errorf("the next host has begun changes %v, %v", begun, err)
	}
	save("second")
	if _, err := db.writer.ExecContext(ctx, "UPDATE host SET state = x'0f0f'"); err != nil {
		t.Fatal(err)
	}
	replaced, err := db.RestoreHost(ctx, first)
	if err != nil || replaced <= first {
		t.Fatalf("the restored host replaced %d, %v", replaced, err)
	}
	host, ok, err := db.Host(ctx, "abc", 1)
	if !ok || err != nil || string(host.Data) != "first" || host.Elapsed != time.Minute || host.Version != "1.2" || !host.Saved.After(start) {
		t.Errorf("%+v, %v", host, err)
	}
	kept, err := db.KeptHosts(ctx)
	if err != nil || len(kept) != 1 || kept[0].ID != replaced || kept[0].Why == "" || kept[0].Kept.IsZero() || !kept[0].Saved.Equal(start) ||
		kept[0].LabHash != "abc" || kept[0].Seed != 1 || kept[0].Name != "LAB" || kept[0].Version != "1.2" {
		t.Errorf("%+v, %v", kept, err)
	}
	if _, err := db.KeptHostData(ctx, replaced); !errors.Is(err, fault.ErrDamaged) {
		t.Errorf("the data of the second: %v", err)
	}
	if all, err := db.Hosts(ctx); err != nil || len(all) != 1 || all[0].Name != "LAB" || all[0].Data != nil {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = db.KeptHostData(ctx, first)
	if _, again := db.RestoreHost(ctx, first); !errors.Is(again, ErrNoHost) || !errors.Is(err, ErrNoHost) {
		t.Errorf("the restored host is still kept: %v, %v", again, err)
	}
}

func TestAHostIsCopiedOnce(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	if _, ok, err := db.CopyHost(ctx, "abc", 1, "x"); ok || err != nil {
		t.Fatalf("a missing host was copied: %v", err)
	}
	var ids []int64
	for _, saved := range []time.Time{start, start, start.Add(1)} {
		if err := db.SaveHost(ctx, HostState{LabHash: "abc", Seed: 1, Saved: saved, Data: []byte("data")}); err != nil {
			t.Fatal(err)
		}
		id, ok, err := db.CopyHost(ctx, "abc", 1, "x")
		if !ok || err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
		if data, err := db.KeptHostData(ctx, id); err != nil || string(data) != "data" {
			t.Errorf("%q, %v", data, err)
		}
		if _, ok, err := db.Host(ctx, "abc", 1); !ok || err != nil {
			t.Errorf("the host is gone: %v", err)
		}
	}
	if ids[0] != ids[1] || ids[1] == ids[2] {
		t.Errorf("copies %v", ids)
	}
}

// TestKeptHostsAreNotDeleted checks that the limit on hosts does not apply to kept hosts.
func TestKeptHostsAreNotDeleted(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{MaximumBytes: 1, MaximumAge: time.Nanosecond})
	ctx := t.Context()
	for seed := range uint64(keptHosts + 3) {
		if err := db.SaveHost(ctx, HostState{LabHash: "abc", Seed: seed, Saved: start}); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := db.KeepHost(ctx, "abc", seed, "x"); !ok || err != nil {
			t.Fatal(err)
		}
	}
	for seed := range uint64(keptHosts + 3) {
		if err := db.SaveHost(ctx, HostState{LabHash: "new", Seed: seed}); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := db.KeptHosts(ctx); err != nil || len(kept) != keptHosts+3 {
		t.Errorf("%d are kept, %v", len(kept), err)
	}
	// A restored host is the newest of all.
	if _, err := db.RestoreHost(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if err := db.SaveHost(ctx, HostState{LabHash: "new", Seed: 1 << 40}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := db.Host(ctx, "abc", 0); !ok || err != nil {
		t.Errorf("a restored host was deleted: %v", err)
	}
}

func TestHostIsNotKeptReadOnly(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	if err := db.SaveHost(t.Context(), HostState{LabHash: "abc", Seed: 1, Data: []byte("state")}); err != nil {
		t.Fatal(err)
	}
	reader := openAt(t, db.Path(), Options{ReadOnly: true})
	_, _, keep := reader.KeepHost(t.Context(), "abc", 1, "x")
	_, _, copied := reader.CopyHost(t.Context(), "abc", 1, "x")
	_, restored := reader.RestoreHost(t.Context(), 1)
	for _, err := range []error{keep, copied, restored} {
		if !errors.Is(err, fault.ErrReadOnly) {
			t.Errorf("got %v", err)
		}
	}
}
