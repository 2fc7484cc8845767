package store

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"cxdeck/store/document"
	"cxdeck/store/fault"
)

func TestHostsAreKeptByLabAndSeed(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{Version: "1.2"})
	ctx := t.Context()
	if _, ok, err := db.NewestHost(ctx); ok || err != nil {
		t.Fatalf("a host that was never saved: %v", err)
	}
	want := HostState{
		LabHash: "abc", Seed: 1<<63 + 7, Name: "LAB-N4'; DROP TABLE host", Elapsed: 90 * time.Second, Time: start.Add(90 * time.Second),
		Saved: start, Version: "1.2", Data: bytes.Repeat([]byte("state "), 100_000),
	}
	other := HostState{LabHash: "abc", Seed: 2, Name: "LAB-N4", Time: start, Saved: start.Add(time.Second), Version: "1.2", Data: []byte("x")}
	for _, host := range []HostState{{LabHash: "abc", Seed: want.Seed, Data: []byte("older")}, want, other} {
		if err := db.SaveHost(ctx, host); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := db.Host(ctx, want.LabHash, want.Seed); !ok || err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %.200v, %v, %v", got, ok, err)
	}
	if got, ok, err := db.NewestHost(ctx); !ok || err != nil || !reflect.DeepEqual(got, other) {
		t.Errorf("the newest is %.200v, %v, %v", got, ok, err)
	}
	if _, ok, err := db.Host(ctx, "abd", 2); ok || err != nil {
		t.Errorf("a host of another lab: %v", err)
	}
	if err := errors.Join(db.DeleteHost(ctx, "abc", 2), db.DeleteHost(ctx, "none", 2)); err != nil {
		t.Error(err)
	}
	if got, ok, err := db.NewestHost(ctx); !ok || err != nil || got.Seed != want.Seed {
		t.Errorf("after deleting: %.200v, %v", got, err)
	}
}

func TestHostsAreBounded(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	for seed := range uint64(keptHosts + 3) {
		if err := db.SaveHost(ctx, HostState{LabHash: "abc", Seed: seed, Saved: start.Add(time.Duration(seed))}); err != nil {
			t.Fatal(err)
		}
	}
	for seed := range uint64(keptHosts + 3) {
		if _, ok, err := db.Host(ctx, "abc", seed); ok != (seed >= 3) || err != nil {
			t.Errorf("seed %d: %v, %v", seed, ok, err)
		}
	}
	if err := db.SaveHost(ctx, HostState{Data: make([]byte, document.MaxHost+1)}); err == nil {
		t.Error("a host above the limit was saved")
	}
	if err := db.SaveHost(ctx, HostState{Name: strings.Repeat("x", maxHostName+1)}); err == nil {
		t.Error("a name above the limit was saved")
	}
}

func TestTamperedHostIsRejected(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	if err := db.SaveHost(ctx, HostState{LabHash: "abc", Seed: 1, Data: []byte("state")}); err != nil {
		t.Fatal(err)
	}
	long, err := document.Deflate(make([]byte, document.MaxHost+1))
	if err != nil {
		t.Fatal(err)
	}
	for _, packed := range []string{"'0f0f0f'", fmt.Sprintf("'%x'", long)} {
		if _, err := db.writer.ExecContext(ctx, "UPDATE host SET state = x"+packed); err != nil {
			t.Fatal(err)
		}
		if _, _, err := db.Host(ctx, "abc", 1); !errors.Is(err, fault.ErrDamaged) {
			t.Errorf("%.20s: %v", packed, err)
		}
	}
}

func TestHostIsNotSavedReadOnly(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	if err := db.SaveHost(t.Context(), HostState{LabHash: "abc", Seed: 1, Data: []byte("state")}); err != nil {
		t.Fatal(err)
	}
	reader := openAt(t, db.Path(), Options{ReadOnly: true})
	if host, ok, err := reader.Host(t.Context(), "abc", 1); !ok || err != nil || string(host.Data) != "state" {
		t.Errorf("reading beside a writer: %v, %v", ok, err)
	}
	if err := reader.SaveHost(t.Context(), HostState{}); !errors.Is(err, fault.ErrReadOnly) {
		t.Errorf("got %v", err)
	}
}
