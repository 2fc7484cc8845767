package driver

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/intent"
	"cxdeck/driver/request"
)

// TestKeepIntent keeps an intent with a host: it is saved and restored, copies have it, undo brings back the one before with its time,
// and an intent that can't be checked is refused.
func TestKeepIntent(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	keep := func(o intent.Keep) error {
		_, err := h.Apply(Plan{Title: o.Describe(), Operations: []Operation{o}})
		return err
	}
	one := intent.Keep{File: "one.toml", Data: []byte("[[AllNodes]]\nNodeName = 'localhost'\n")}
	two := intent.Keep{File: "two.toml", Data: []byte("[[AllNodes]]\nNodeName = 'LAB-N4'\n")}
	if err := keep(one); err != nil {
		t.Fatal(err)
	}
	first := h.Now()
	h.Advance(time.Minute)
	if err := keep(two); err != nil || h.Intent().File != "two.toml" || !h.Intent().Kept.Equal(h.Now()) || h.Clone().Intent() != h.Intent() {
		t.Errorf("the second is %+v, %v", h.Intent(), err)
	}
	var already *request.UnchangedError
	if err := keep(two); !errors.As(err, &already) {
		t.Errorf("again: %v", err)
	}
	for name, bad := range map[string]intent.Keep{
		"no node LAB-N4": {File: "x", Data: []byte("[[AllNodes]]\nNodeName = 'OTHER'\n")},
		"line 1":         {File: "x", Data: []byte("[")}, "at most 64 KB": {File: "x", Data: make([]byte, intent.MaxKept+1)},
		"name of the intent's file": {File: "x\x1b", Data: one.Data},
	} {
		if err := keep(bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	if k := back.Intent(); k == nil || k.File != "two.toml" || !bytes.Equal(k.Data, two.Data) || k.Declared() == nil || !k.Kept.Equal(h.Intent().Kept) {
		t.Errorf("restored: %+v", k)
	}
	if _, err := h.Undo(); err != nil || h.Intent().File != "one.toml" || !h.Intent().Kept.Equal(first) {
		t.Errorf("undone: %+v, %v", h.Intent(), err)
	}
	if err := keep(intent.Keep{}); err != nil || h.Intent() != nil {
		t.Errorf("dropped: %+v, %v", h.Intent(), err)
	}
	if err := keep(intent.Keep{}); !errors.As(err, &already) {
		t.Errorf("dropped again: %v", err)
	}
	if back, err = RestoreHost(description.Default(), mustSave(t, h)); err != nil || back.Intent() != nil {
		t.Errorf("restored without one: %+v, %v", back.Intent(), err)
	}
}
