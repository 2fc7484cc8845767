package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/profile"
)

func planOf(value string) driver.Plan {
	return driver.Plan{Title: "Jumbo'; DROP TABLE draft", Operations: []driver.Operation{
		edit.SetValue{Connection: "Ethernet 5", Key: "*JumboPacket", Value: value}, adapters.RestartAdapter{Connection: "Ethernet 5"},
	}}
}

// checkPlanTables checks that drafts, profiles, favourites and begun changes can be stored.
func checkPlanTables(t *testing.T, db *DB) {
	t.Helper()
	ctx := t.Context()
	p := profile.Profile{Name: "Fast", Values: []profile.Value{{Key: "*RSS", Value: "1"}}}
	id, err := db.BeginChange(ctx, BegunChange{LabHash: "abc", Seed: 1, Newest: 3, Plan: planOf("1"), Time: start})
	err = errors.Join(err, db.SaveDraft(ctx, Draft{LabHash: "abc", Plan: planOf("2")}), db.SaveProfile(ctx, p),
		db.SetFavourite(ctx, "key", "*RSS", true))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := db.BegunChanges(ctx, "abc", 1); err != nil || len(got) != 1 || got[0].ID != id {
		t.Errorf("begun: %+v, %v", got, err)
	}
	if err := errors.Join(db.EndChange(ctx, id), db.DeleteDraft(ctx, "abc", 0, ""), db.DeleteProfile(ctx, "FAST"),
		db.SetFavourite(ctx, "key", "*RSS", false)); err != nil {
		t.Error(err)
	}
	for _, table := range []string{"begun", "draft", "profile", "favourite"} {
		var count int
		if err := db.reader.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&count); err != nil || count != 0 {
			t.Errorf("%s has %d rows, %v", table, count, err)
		}
	}
}

func TestDraftsAreKeptByHostAndName(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	want := Draft{LabHash: "abc", Seed: 1<<63 + 7, Plan: planOf("9014"), Saved: start.Add(time.Second)}
	named := Draft{LabHash: "abc", Seed: want.Seed, Name: "night", Plan: planOf("1514"), Saved: start}
	other := Draft{LabHash: "abc", Seed: 1, Plan: planOf("4000"), Saved: start}
	for _, draft := range []Draft{{LabHash: "abc", Seed: want.Seed, Plan: planOf("1")}, want, named, other} {
		if err := db.SaveDraft(ctx, draft); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := db.Draft(ctx, "abc", want.Seed, ""); !ok || err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
	if names, err := db.Drafts(ctx, "abc", want.Seed); err != nil || !slices.Equal(names, []string{"", "night"}) {
		t.Errorf("drafts %q, %v", names, err)
	}
	if err := db.DeleteDraft(ctx, "abc", want.Seed, ""); err != nil {
		t.Error(err)
	}
	if _, ok, err := db.Draft(ctx, "abc", want.Seed, ""); ok || err != nil {
		t.Errorf("the draft still exists: %v", err)
	}
	for n := range keptDrafts + 3 {
		if err := db.SaveDraft(ctx, Draft{LabHash: "many", Name: fmt.Sprint(n), Saved: start.Add(time.Duration(n) * time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := db.Drafts(ctx, "many", 0); err != nil || len(names) != keptDrafts || names[0] != fmt.Sprint(keptDrafts+2) {
		t.Errorf("%d drafts, the first is %q, %v", len(names), names[0], err)
	}
	if err := db.SaveDraft(ctx, Draft{Name: strings.Repeat("x", 300)}); err == nil {
		t.Error("a name of 300 bytes was saved")
	}
	if err := db.SaveDraft(ctx, Draft{Plan: planOf(strings.Repeat("x", maxPlanBytes))}); err == nil {
		t.Error("a plan of 4 MB was saved")
	}
}

func TestProfilesAreKeptByName(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	want := profile.Profile{Name: "Single stream", About: "one fast flow", Values: []profile.Value{{Key: "*RSS", Value: "1"}, {Key: "x", Delete: true}}}
	for _, p := range []profile.Profile{{Name: "zebra", Values: want.Values}, {Name: "SINGLE STREAM", Values: want.Values}, want} {
		if err := db.SaveProfile(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := db.Profiles(ctx); err != nil || !slices.Equal(names, []string{"Single stream", "zebra"}) {
		t.Errorf("profiles %q, %v", names, err)
	}
	if got, ok, err := db.Profile(ctx, "single stream"); !ok || err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
	if err := db.SaveProfile(ctx, profile.Profile{Name: "empty"}); err == nil {
		t.Error("a profile without values was saved")
	}
	if _, ok, err := db.Profile(ctx, "none"); ok || err != nil {
		t.Errorf("a profile that was never saved: %v", err)
	}
}

func TestFavourites(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	err := errors.Join(db.SetFavourite(ctx, "key", "*RSS", true), db.SetFavourite(ctx, "key", "*JumboPacket", true),
		db.SetFavourite(ctx, "key", "*RSS", true), db.SetFavourite(ctx, "set", "RDMA Activity", true), db.SetFavourite(ctx, "key", "none", false))
	if got, err2 := db.Favourites(ctx, "key"); err != nil || err2 != nil || !slices.Equal(got, []string{"*JumboPacket", "*RSS"}) {
		t.Errorf("%q, %v, %v", got, err, err2)
	}
}

// Tampered drafts, profiles and changes give errors.
func TestTamperedPlans(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	for _, statement := range []string{
		"INSERT INTO draft VALUES ('abc', 1, '', '{\"title\":1}', 0)", "INSERT INTO profile VALUES ('p', '[]', 0)",
		"INSERT INTO begun VALUES (1, 'abc', 1, 0, '{', 0)",
	} {
		if _, err := db.writer.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := db.Draft(ctx, "abc", 1, ""); ok || err == nil {
		t.Errorf("the draft: %v", err)
	}
	if _, ok, err := db.Profile(ctx, "p"); ok || err == nil {
		t.Errorf("the profile: %v", err)
	}
	if got, err := db.BegunChanges(ctx, "abc", 1); err != nil || len(got) != 1 || got[0].Err == nil {
		t.Errorf("the change: %+v, %v", got, err)
	}
	if err := db.DeleteHost(ctx, "abc", 1); err != nil {
		t.Error(err)
	}
	if got, err := db.BegunChanges(ctx, "abc", 1); err != nil || len(got) != 0 {
		t.Errorf("after the host was deleted: %+v, %v", got, err)
	}
}
