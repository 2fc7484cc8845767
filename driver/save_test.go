package driver

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
)

func mustSave(t testing.TB, h *Host) []byte {
	t.Helper()
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRestoredHostContinues(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		h := newHost(t, seed)
		random := rand.New(rand.NewPCG(seed, 7))
		for range 15 {
			_, _ = h.Apply(Plan{Title: "random", Operations: []Operation{randomOperation(h, random)}}) // some can't be applied: fine
			h.Advance(time.Duration(random.IntN(1500)) * time.Millisecond)
		}
		saved := mustSave(t, h)
		back, err := RestoreHost(description.Default(), saved)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(saved, mustSave(t, back)) {
			t.Errorf("seed %d: what was restored is saved in another way", seed)
		}
		if !reflect.DeepEqual(h.View().Adapters, back.View().Adapters) {
			t.Errorf("seed %d: the restored host looks another way", seed)
		}
		for range 4 {
			o := randomOperation(h, random)
			_, err1 := h.Apply(Plan{Title: "random", Operations: []Operation{o}})
			_, err2 := back.Apply(Plan{Title: "random", Operations: []Operation{o}})
			if (err1 == nil) != (err2 == nil) {
				t.Errorf("seed %d: %s gives %v and %v", seed, o.Describe(), err1, err2)
			}
			h.Advance(4 * time.Second)
			back.Advance(4 * time.Second)
		}
		if !slices.Equal(h.lab.Counters(), back.lab.Counters()) || h.events.Last() != back.events.Last() {
			t.Errorf("seed %d: the restored host went another way", seed)
		}
		for {
			e, err1 := h.Undo()
			f, err2 := back.Undo()
			if (err1 == nil) != (err2 == nil) || e.Sequence != f.Sequence {
				t.Errorf("seed %d: undo gives %v and %v", seed, err1, err2)
			}
			if err1 != nil {
				break
			}
		}
	}
}

func TestDriverReadingsSurviveASave(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, set("Ethernet 5", "*JumboPacket", "16000"), adapters.RestartAdapter{Connection: "Ethernet 5"})
	h.Advance(5 * time.Second)
	mustApply(t, h, set("Ethernet 5", "*JumboPacket", "1514"), adapters.DisableAdapter{Connection: "Ethernet 6"})
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := mustKey(t, back, "Ethernet 5", "*JumboPacket"), mustKey(t, h, "Ethernet 5", "*JumboPacket"); got != want || !got.Pending {
		t.Errorf("%+v became %+v", want, got)
	}
	if back.State(portOf(t, back, "Ethernet 6")) != Stopped {
		t.Error("a stopped adapter runs")
	}
}

func TestOnlyTheNewestEventsAndEntriesAreSaved(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for range eventlog.Saved {
		h.logPortEvent(0, 0, onLinkUp)
	}
	for range 1000 + 5 {
		h.journal = append(h.journal, Entry{Sequence: h.journal.Last() + 1, Time: h.Now()})
	}
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	events := back.EventsAfter(0)
	if len(events) != eventlog.Saved || len(back.Journal()) != 1000 || back.journal.Last() != h.journal.Last() {
		t.Fatalf("%d events and %d entries came back", len(events), len(back.Journal()))
	}
	if last := events[eventlog.Saved-1]; last.Sequence != h.events.Last() {
		t.Errorf("the newest event is %d", last.Sequence)
	}
}

func TestADamagedSaveIsRefused(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, set("Ethernet 5", "*JumboPacket", "9014"), hardware.PullCable{Connection: "Ethernet 7"})
	good := string(mustSave(t, h))
	for what, c := range map[string][2]string{
		"another version":         {`"version":1`, `"version":2`},
		"a key nobody reads":      {`"version":1`, `"version":1,"more":1`},
		"no lab":                  {`"lab":"`, `"lab":"AAAA`},
		"no number of a state":    {`"state":0`, `"state":9`},
		"an unknown waiting key":  {`"scope":"miniport","name":"*JumboPacket","stored":1514`, `"scope":"miniport","name":"*Jumbo","stored":1514`},
		"an impossible reading":   {`"scope":"miniport","name":"*JumboPacket","stored":1514,"value":1514`, `"scope":"miniport","name":"*JumboPacket","stored":1514,"value":3`},
		"an event without number": {`"events":[{"sequence":1,`, `"events":[{"sequence":0,`},
		"a value that is none":    {`"value":1514`, `"value":null`},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if bad == good {
			t.Fatalf("%s: there is no %s", what, c[0])
		}
		if _, err := RestoreHost(description.Default(), []byte(bad)); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	other := description.Default()
	other.Adapters = other.Adapters[:2]
	other.Flows, other.Faults = nil, nil
	if _, err := RestoreHost(other, []byte(good)); err == nil {
		t.Error("it was restored on another lab")
	}
}

func FuzzRestoreHost(f *testing.F) {
	d := description.Default()
	lab, err := device.New(d, 1)
	if err != nil {
		f.Fatal(err)
	}
	h := NewHost(lab)
	_, _ = h.Apply(Plan{Title: "x", Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014"), hardware.PullCable{Connection: "Ethernet 7"}}})
	f.Add(mustSave(f, h))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := RestoreHost(d, data)
		if err != nil {
			return
		}
		h.Advance(time.Second)
		h.View()
		if data, err := h.Save(); err != nil || !json.Valid(data) {
			t.Fatal(err)
		}
	})
}
