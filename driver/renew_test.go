package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/teams"
)

// TestAHostOfAnOlderForm has its registry, journal and events on new hardware, and its changes can be undone.
func TestAHostOfAnOlderForm(t *testing.T) {
	t.Parallel()
	old := newHost(t, 1)
	mustApply(t, old, teams.Create{Name: "T", Type: "AFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 9"},
		teams.AddVLAN{Team: "T", Name: "V", ID: 70}, teams.AddVLAN{Connection: "Ethernet 3", Name: "W", ID: 30},
		fabric.AddPartition{Connection: "Ethernet 4", Name: "i"})
	mustApply(t, old, set("Ethernet 5", "*JumboPacket", "9014"), adapters.RestartAdapter{Connection: "Ethernet 5"})
	old.Advance(longestRefresh)
	var saved savedHost
	if err := json.Unmarshal(mustSave(t, old), &saved); err != nil {
		t.Fatal(err)
	}
	version := []byte(`"Version":`)
	saved.Lab[bytes.Index(saved.Lab, version)+len(version)] = '4'
	data, err := json.Marshal(saved)
	if err != nil {
		t.Fatal(err)
	}
	var form *setup.FormError
	if _, err := RestoreHost(old.lab.Description(), data); !errors.As(err, &form) || form.Form != 4 {
		t.Fatalf("a lab of form 4 was restored: %v", err)
	}
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h, err := RenewHost(lab, data)
	if err != nil {
		t.Fatal(err)
	}
	events, before := h.EventsAfter(0), old.EventsAfter(0)
	if !reflect.DeepEqual(h.hive.All(), old.hive.All()) || len(h.journal) != 2 || len(events) <= len(before) ||
		!reflect.DeepEqual(events[:len(before)], before) {
		t.Errorf("it has %d entries and %d events", len(h.journal), len(events))
	}
	if got := h.lab.Settings(portOf(t, h, "Ethernet 5")).MaxFrame; got != old.lab.Settings(portOf(t, h, "Ethernet 5")).MaxFrame {
		t.Errorf("the port takes frames of %d bytes", got)
	}
	if !reflect.DeepEqual(teamsOf(h)[:2], teamsOf(old)[:2]) || len(h.team.VLANs) != 1 || len(h.fabric.Partitions) != 1 {
		t.Errorf("it has the teams %+v", h.Teams())
	}
	h.Advance(longestRefresh)
	if _, err := h.Undo(); err != nil {
		t.Error(err)
	}
	if _, err := RenewHost(lab, []byte(`{"version":1,"sequence":1,"events":[{"sequence":9}]}`)); err == nil {
		t.Error("a damaged host was taken over")
	}
}
