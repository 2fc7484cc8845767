package driver

import (
	"reflect"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/flash"
	"cxdeck/driver/limits"
)

const flashCard = "ConnectX-3 Pro"

func burnOf(version string) flash.Burn {
	return flash.Burn{Adapter: flashCard, Image: flash.Content{Version: version, PSID: "MT_1090111019"}, Devices: []uint16{0x1007}, Force: true}
}

func flashHost(t *testing.T) (h *Host, port int) {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h = NewHost(lab)
	port, err = h.port("Ethernet 3")
	if err != nil {
		t.Fatal(err)
	}
	return h, port
}

// TestBurntFirmwareRunsAfterReset burns an old version: the card runs it after a reset, and loses what the version does not have. The
// undo is a burn, too.
func TestBurntFirmwareRunsAfterReset(t *testing.T) {
	t.Parallel()
	for name, reset := range map[string]Operation{"reset": adapters.ResetCard{Adapter: flashCard}, "reboot": adapters.Reboot{Host: "LAB-N4"}} {
		h, port := flashHost(t)
		running := func() string { return h.View().Adapters[2].Description.Firmware }
		mustApply(t, h, burnOf("2.30.3000"))
		burnt := h.journal.Last()
		if running() != "2.42.5000" || h.missingFeature(port, limits.PacketDirect) != "" || !h.flashSet().NeedsReset(2) {
			t.Errorf("%s: the image runs at once: %s", name, running())
		}
		mustApply(t, h, reset)
		h.Advance(3 * time.Minute)
		if running() != "2.30.3000" || h.missingFeature(port, limits.PacketDirect) == "" || h.flashSet().NeedsReset(2) {
			t.Errorf("%s: %s runs", name, running())
		}
		if h.roceMode(port) == 2 {
			t.Errorf("%s: the old firmware has RoCE v2", name)
		}
		if _, err := h.UndoEntry(burnt); err != nil {
			t.Fatal(err)
		}
		if running() != "2.30.3000" {
			t.Errorf("%s: the undo runs at once", name)
		}
		mustApply(t, h, reset)
		h.Advance(3 * time.Minute)
		if running() != "2.42.5000" || h.missingFeature(port, limits.PacketDirect) != "" {
			t.Errorf("%s: after the undo %s runs", name, running())
		}
	}
}

// TestBurntFirmwareIsSaved: a host with another firmware continues with the same numbers after it was saved, also on the plant of the lab
// that it came from, and a host that was saved without images has none.
func TestBurntFirmwareIsSaved(t *testing.T) {
	t.Parallel()
	h, _ := flashHost(t)
	before, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, h, burnOf("2.31.5000"))
	mustApply(t, h, adapters.ResetCard{Adapter: flashCard})
	h.Advance(time.Minute)
	mustApply(t, h, burnOf("2.36.5150"))
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	back, err := RestoreHost(description.Default(), data)
	if err != nil {
		t.Fatal(err)
	}
	h.Advance(time.Minute)
	back.Advance(time.Minute)
	if !h.lab.Same(back.lab) || !reflect.DeepEqual(h.View(), back.View()) {
		t.Error("the restored host differs")
	}
	if got := back.View().Adapters[2].Description.Firmware; got != "2.31.5000" || back.Flash().Flash(2).Stored.Version != "2.36.5150" {
		t.Errorf("it runs %s", got)
	}
	old, err := RestoreHost(description.Default(), before)
	if err != nil || old.View().Adapters[2].Description.Firmware != "2.42.5000" {
		t.Error("a host without images runs another one", err)
	}
	if _, err := RestoreOn(h.lab.Plant(), data); err != nil {
		t.Error(err)
	}
	for name, damage := range map[string]func(*flash.State){
		"unknown card": func(s *flash.State) { s.Cards[0].Adapter = "x" }, "no version": func(s *flash.State) { s.Cards[0].Running.Version = "" },
		"twice": func(s *flash.State) { s.Cards = append(s.Cards, s.Cards[0]) }, "percent": func(s *flash.State) { s.Cards[0].Cut = 100 },
		"long": func(s *flash.State) { s.Cards[0].Stored.PSID = string(make([]byte, 5000)) },
	} {
		state := flash.State{Cards: []flash.Card{h.flash.Cards[0]}}
		damage(&state)
		if copied := h.Clone(); copied.restoreFlash(state) == nil {
			t.Errorf("%s: it was restored", name)
		}
	}
}

// TestFlashOfTheWrongBoard burns an image for another board, and one that is interrupted: the driver does not start, until the right image
// is burnt.
func TestFlashOfTheWrongBoard(t *testing.T) {
	t.Parallel()
	wrong := burnOf("2.42.5000")
	wrong.Image.PSID, wrong.AllowPSIDChange = "HP_1380110017", true
	cut := burnOf("2.40.7000")
	cut.NotFailsafe, cut.Cut = true, 50
	for name, o := range map[string]flash.Burn{"wrong board": wrong, "interrupted": cut} {
		h, port := flashHost(t)
		mustApply(t, h, o)
		mustApply(t, h, adapters.ResetCard{Adapter: flashCard})
		h.Advance(20 * time.Second)
		if m := &h.miniports[port]; m.state != Failed || m.code != cannotStart {
			t.Errorf("%s: the driver is %v", name, m.state)
		}
		again := burnOf("2.42.5000")
		again.AllowPSIDChange = true
		mustApply(t, h, again)
		mustApply(t, h, adapters.ResetCard{Adapter: flashCard})
		h.Advance(20 * time.Second)
		if m := &h.miniports[port]; m.state != Running {
			t.Errorf("%s: after the right image the driver is %v", name, m.state)
		}
	}
	h, port := flashHost(t)
	safe := burnOf("2.40.7000")
	safe.Cut = 50
	mustApply(t, h, safe)
	mustApply(t, h, adapters.ResetCard{Adapter: flashCard})
	h.Advance(20 * time.Second)
	if h.miniports[port].state != Running || h.flashSet().Flash(2).Running.Version != "2.42.5000" {
		t.Error("a failsafe burn that is interrupted leaves no image")
	}
}

// TestBurnRefusals has images that a card does not take.
func TestBurnRefusals(t *testing.T) {
	t.Parallel()
	h, _ := flashHost(t)
	for name, change := range map[string]func(*flash.Burn){
		"older": func(o *flash.Burn) { o.Force = false }, "the same": func(o *flash.Burn) { o.Force, o.Image.Version = false, "2.42.5000" },
		"another board": func(o *flash.Burn) { o.Image.PSID = "MT_1" }, "another device": func(o *flash.Burn) { o.Devices = []uint16{0x1015} },
		"no card": func(o *flash.Burn) { o.Adapter = "x" }, "no version": func(o *flash.Burn) { o.Image.Version = "" }, "no PSID": func(o *flash.Burn) { o.Image.PSID = "" },
		"unknown field": func(o *flash.Burn) { o.Settings = map[string]uint32{"SRIOV_EN": 1} }, "a field too large": func(o *flash.Burn) { o.Settings = map[string]uint32{"total_vfs": 127} },
		"percent": func(o *flash.Burn) { o.Cut = 100 },
	} {
		o := burnOf("2.40.7000")
		change(&o)
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s: it was burnt", name)
		}
	}
	for _, device := range []uint16{0x1003, 0x1007, 0x1013, 0x1015, 0x1017, 0x1019, 0x101b, 0x101d, 0x101f, 0x1021, 0xa2d6} {
		list := flash.Releases(device)
		for i := range list {
			if i > 0 && !limits.Older(list[i-1].Version, list[i].Version) {
				t.Errorf("%04x: the releases are not in order: %v", device, list)
			}
		}
		if len(list) == 0 {
			t.Errorf("%04x has no releases", device)
		}
	}
	for _, named := range description.NamedLabs() {
		d, err := description.ParseText(named.Text())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range d.Adapters {
			if _, ok := flash.FindRelease(a.DeviceID, a.Firmware); !ok {
				t.Errorf("%s: the firmware %s of %s is no release", named.Name, a.Firmware, a.Name)
			}
		}
	}
}

// TestOldFirmwareOfWinOF2: a card whose firmware is older than a feature needs runs without it.
func TestOldFirmwareOfWinOF2(t *testing.T) {
	t.Parallel()
	h, _ := flashHost(t)
	port, err := h.port("Ethernet 5")
	if err != nil {
		t.Fatal(err)
	}
	old := func() (list []string) {
		for _, l := range limits.All() {
			if l.Part == limits.Firmware && h.missingFeature(port, l.Feature) != "" {
				list = append(list, string(l.Feature))
			}
		}
		return list
	}
	if list := old(); len(list) > 0 {
		t.Fatalf("the lab lacks %v", list)
	}
	mustApply(t, h, flash.Burn{Adapter: "ConnectX-4 Lx", Image: flash.Content{Version: "14.16.1020", PSID: "MT_2420110034"}, Devices: []uint16{0x1015}, Force: true}, adapters.ResetCard{Adapter: "ConnectX-4 Lx"})
	h.Advance(20 * time.Second)
	if list := old(); len(list) == 0 || h.miniports[port].state != Running {
		t.Errorf("with 14.16.1020 it lacks %v and is %v", list, h.miniports[port].state)
	}
}
