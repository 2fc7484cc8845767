package cli

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	registryedit "cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/picture"
	"cxdeck/views/cli/labs"
	"cxdeck/views/counters"
	"cxdeck/views/deck"
	"cxdeck/views/diagnose"
	"cxdeck/views/events"
	"cxdeck/views/history"
	"cxdeck/views/lab"
	"cxdeck/views/overview"
	"cxdeck/views/qos"
	"cxdeck/views/registry"
	"cxdeck/views/sriov"
	"cxdeck/views/teaming"
	"cxdeck/views/viewtest"
)

// Times in samples of one second: of the pictures, and when the cable was pulled and plugged in.
const (
	shownSamples = 614
	pulled       = 560
	plugged      = 580
)

// Size of the pictures in cells.
const (
	pictureWidth  = 120
	pictureHeight = 36
)

// showing is a console on the lab at a fixed time, with a recording, for the pictures.
type showing struct {
	*viewtest.Stage
	schema  *perf.Schema
	session int64
	// compared has the keys of the comparison page, from the last picture.
	compared []ui.ReferenceRow
}

// comparisonKeys is the screen name of the comparison page in the tables of keys.
const comparisonKeys = "Comparison"

func newShowing(t *testing.T) *showing {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "1.0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	recorder, err := db.Begin(ctx, viewtest.Lab(t).Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := viewtest.PauseLab(t, shownSamples, map[int]driver.Operation{
		pulled:  hardware.PullCable{Connection: "Ethernet 5"},
		plugged: hardware.PlugCable{Connection: "Ethernet 5"},
	}, recorder)
	if err := d.Live.SetSpeed(1); err != nil {
		t.Fatal(err)
	}
	if err := recorder.Close(ctx); err != nil { // the header would show pending samples
		t.Fatal(err)
	}
	d.DB, d.Recorder, d.NoDB = db, recorder, ""
	d.Now = func() time.Time { return recorder.Status().Began.Add(shownSamples * time.Second) }
	stage := viewtest.Open(t, d, []ui.View{
		overview.New(d), counters.New(d, counters.WithLocation(time.UTC)), registry.New(d), teaming.New(d), sriov.New(d), qos.New(d), events.New(d),
		history.New(d), lab.New(d), diagnose.New(d),
	})
	stage.Playing = true
	return &showing{Stage: stage, schema: d.Live.Schema(), session: recorder.Status().Session}
}

// pictures draws the pictures of the documentation, by name. Each continues from the screen of the one before.
func (s *showing) pictures(t *testing.T) map[string][]byte {
	made := map[string][]byte{}
	s.Resize(pictureWidth, pictureHeight)
	take := func(name, theme string) {
		s.Text() // dialogs learn their size
		look, err := themes.ByName(theme)
		if err != nil {
			t.Fatal(err)
		}
		made[name] = picture.SVG(s.Shell.Frame(pictureWidth, pictureHeight), look)
	}
	s.editRegistry()
	take("review", "dark")
	s.Press("esc")
	take("registry", "dark")
	s.Press("E", "y", "1", "down")
	take("overview", "dark")
	s.Press("p")
	take("confirm", "dark")
	s.Press("esc", "2")
	s.Press("[")
	s.Press("K")
	take("counters", "dark")
	s.Press("esc", "o")
	take("small-multiples", "dark")
	s.Press("o", "m", "m")
	take("light", "light")
	s.Press("m", "m", "a")
	take("add-counters", "dark")
	s.Press("esc", "6", "right")
	take("qos", "dark")
	s.Press("n")
	s.WaitIdle()
	take("qos-lossless", "dark")
	s.Press("esc", "Z", "down", "down", "down", "down", "down", "enter")
	s.WaitIdle()
	s.Press("enter", "down")
	take("qos-congestion", "dark")
	s.Press("esc")
	s.Press("7")
	take("events", "dark")
	s.Press("8")
	s.Shell.Send(deck.SessionsMsg{Sessions: s.sessions()})
	s.WaitIdle()
	take("history", "dark")
	s.Press("ctrl+f")
	s.Type("link")
	s.Press("enter")
	take("history-found", "dark")
	s.Press("esc")
	s.Press("9")
	take("lab", "dark")
	console := s.Stage
	s.Stage = newTeamShowing(t)
	take("teams", "dark")
	s.Stage = newFunctionShowing(t)
	take("sriov", "dark")
	s.Stage = newChangeShowing(t)
	take("comparison", "dark")
	for _, row := range s.Shell.Reference() {
		if row.Screen == "History" {
			row.Screen = comparisonKeys
			s.compared = append(s.compared, row)
		}
	}
	s.Stage = console
	return made
}

// newTeamShowing returns the Teams screen of a lab whose team has just failed over.
func newTeamShowing(t *testing.T) *viewtest.Stage {
	t.Helper()
	d := viewtest.FreezeLab(t, 95, map[int]driver.Operation{
		5: teams.Create{Name: "A", Type: "AFT", Family: description.WinOF2},
		6: teams.Attach{Team: "A", Connection: "Ethernet 5", Primary: true, SetMAC: true},
		7: teams.Attach{Team: "A", Connection: "Ethernet 6"},
		8: teams.AddVLAN{Team: "A", Name: "storage", ID: 100, Priority: 3},
		// The cable is out for the last of what shows.
		70: hardware.PullCable{Connection: "Ethernet 5"},
	}, nil)
	s := viewtest.Open(t, d, []ui.View{teaming.New(d)}, "Events")
	s.Resize(pictureWidth, pictureHeight)
	s.Shell.Send(ui.DataMsg{})
	return s
}

// newFunctionShowing returns the SR-IOV screen of a lab with a faulty virtual function.
func newFunctionShowing(t *testing.T) *viewtest.Stage {
	t.Helper()
	none := 0
	d := viewtest.FreezeLab(t, 95, map[int]driver.Operation{
		5: virtualization.SetVMAdapter{VM: "vm002", Adapter: "Network Adapter", IovWeight: &none},
		6: virtualization.Quarantine{VM: "vm004", Adapter: "Network Adapter", Reason: "scans ports"},
		7: hardware.SetFunctionFault{Connection: "Ethernet 7", Function: 2, Fault: description.WrongAddress, Share: 0.4},
		8: hardware.SetFunctionFault{Connection: "Ethernet 7", Function: 2, Fault: description.FirmwareLoad, Share: 0.8},
	}, nil)
	s := viewtest.Open(t, d, []ui.View{sriov.New(d)}, "Events")
	s.Resize(pictureWidth, pictureHeight)
	s.Shell.Send(ui.DataMsg{})
	s.Press("down", "down", "down")
	return s
}

// newChangeShowing returns the comparison before and after a change that causes losses.
func newChangeShowing(t *testing.T) *viewtest.Stage {
	t.Helper()
	const connection = "Ethernet 7"
	d := viewtest.ReplayPlans(t, 720, map[int]driver.Plan{640: {
		Title: "*JumboPacket 9014 to 1514 on " + connection, Operations: []driver.Operation{
			registryedit.SetValue{Connection: connection, Key: "*JumboPacket", Value: "1514"}, adapters.RestartAdapter{Connection: connection},
		},
	}})
	v := history.New(d, history.WithLocation(time.UTC))
	s := viewtest.Open(t, d, []ui.View{v}, "Counters")
	s.Resize(pictureWidth, pictureHeight)
	s.Shell.Send(ui.Go(v.ID(), deck.AroundChange{Change: 1})())
	s.WaitIdle()
	return s
}

// editRegistry makes a draft, and opens its review with the forecast.
func (s *showing) editRegistry() {
	s.Press("3", "down", "enter", "up", "up", "up", "up", "enter", "up", "D", "r", "F")
}

// sessions returns the sessions of the History picture. The newest one is being recorded.
func (s *showing) sessions() []store.Session {
	lab := perf.SourceInfo{Kind: perf.LabSource, Name: "LAB-N4", Host: "LAB-N4", Seed: labs.DefaultSeed}
	local := perf.SourceInfo{Kind: perf.LocalSource, Name: "storage-2", Host: "storage-2"}
	log := perf.SourceInfo{Kind: perf.LogSource, Name: "monday.csv", Host: "HV-07"}
	session := func(id int64, info perf.SourceInfo, at time.Time, length time.Duration, series int, bytes int64, note string) store.Session {
		return store.Session{
			ID: id, Source: info, Host: info.Host, Recorded: at, Saved: at.Add(length), Started: at, Ended: at.Add(length),
			Interval: time.Second, Version: "1.0", Series: series, Samples: int64(length / time.Second), Bytes: bytes, Note: note,
		}
	}
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	clock := func(daysAgo, hour, minute int) time.Time {
		return day.AddDate(0, 0, -daysAgo).Add(time.Duration(hour*60+minute) * time.Minute)
	}
	list := []store.Session{
		session(s.session, lab, clock(0, 14, 0), shownSamples*time.Second, len(s.schema.Series), 612_000, ""),
		session(s.session+1, lab, clock(0, 9, 12), 47*time.Minute, len(s.schema.Series), 2_410_000, "incast without PFC"),
		session(s.session+2, local, clock(1, 16, 40), 3*time.Hour, 412, 1_730_000, ""),
		session(s.session+3, log, clock(3, 11, 5), 24*time.Hour, 960, 38_200_000, "before the firmware update"),
	}
	list[0].Running, list[0].Events, list[0].Changes = true, 31, 2
	list[1].Events, list[1].Changes = 118, 6
	list[2].Events = 4
	return list
}
