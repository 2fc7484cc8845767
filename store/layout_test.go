package store

import (
	"errors"
	"strings"
	"testing"

	"cxdeck/store/fault"
)

func TestLayoutsNotesAndSettings(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	ctx := t.Context()
	for _, layout := range []Layout{
		{Screen: "counters", Name: "b", Data: []byte("1")}, {Screen: "counters", Name: "a", Data: []byte("2")},
		{Screen: "counters", Name: "b", Data: []byte("3")}, {Screen: "overview", Name: "b", Data: nil},
	} {
		if err := db.SaveLayout(ctx, layout); err != nil {
			t.Fatal(err)
		}
	}
	layouts, err := db.Layouts(ctx, "counters")
	if err != nil || len(layouts) != 2 || layouts[0].Name != "a" || string(layouts[1].Data) != "3" || layouts[1].Saved.IsZero() {
		t.Errorf("layouts %+v, %v", layouts, err)
	}
	if err := errors.Join(db.DeleteLayout(ctx, "counters", "a"), db.DeleteLayout(ctx, "counters", "none")); err != nil {
		t.Error(err)
	}
	if layouts, err := db.Layouts(ctx, "counters"); err != nil || len(layouts) != 1 {
		t.Errorf("layouts %+v, %v", layouts, err)
	}
	if err := db.SaveLayout(ctx, Layout{Name: "big", Data: make([]byte, maxLayoutBytes+1)}); err == nil {
		t.Error("a layout above the limit was saved")
	}

	closeRecorder(t, begin(t, db))
	if err := db.SetNote(ctx, 1, "before the '; DROP TABLE session"); err != nil {
		t.Error(err)
	}
	if s, err := db.Session(ctx, 1); err != nil || !strings.HasPrefix(s.Note, "before") {
		t.Errorf("session %+v, %v", s, err)
	}
	if err := db.SetNote(ctx, 99, "x"); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("a note on a missing session: %v", err)
	}

	if _, ok, err := db.Setting(ctx, "screen"); ok || err != nil {
		t.Errorf("a setting that was never saved: %v", err)
	}
	if err := errors.Join(db.SaveSetting(ctx, "screen", "events"), db.SaveSetting(ctx, "screen", "counters")); err != nil {
		t.Error(err)
	}
	if value, ok, err := db.Setting(ctx, "screen"); value != "counters" || !ok || err != nil {
		t.Errorf("setting %q, %v", value, err)
	}
}
