package overview

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// teamChanges returns Operations that create a team with a VLAN, and later pull the cable of its active member.
func teamChanges() map[int]driver.Operation {
	return map[int]driver.Operation{
		20: teams.Create{Name: "Storage", Type: "AFT", Family: description.WinOF2},
		21: teams.Attach{Team: "Storage", Connection: "Ethernet 9", Primary: true},
		22: teams.Attach{Team: "Storage", Connection: "Ethernet 10"},
		24: teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42, Priority: 3},
		70: hardware.PullCable{Connection: "Ethernet 9"},
	}
}

func TestGoldenTeam(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 90, teamChanges()))
	v.filter.Set("storage|bluefield")
	v.arrange()
	for i, r := range v.rows {
		if v.inventory.Nodes[r.node].Kind == perf.TeamNode {
			v.table.List.Select(i)
		}
	}
	v.remember()
	v.page.Scroll.Select(0)
	viewtest.Golden(t, v, "team")
	v.focus = sidePart
	viewtest.Golden(t, v, "team-details")
	viewtest.EverySize(t, v)
}

// TestActionsOfATeam checks that a team has counters, and no actions of ports.
func TestActionsOfATeam(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 60, teamChanges())
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Press("end", "up")
	if n := v.node(); n == nil || n.Name != "Storage" {
		t.Fatalf("the cursor is on %+v", n)
	}
	s.Want("Windows Server", "tenant, id 42")
	s.Press("up")
	if n := v.node(); n == nil || n.Kind != perf.GroupNode {
		t.Fatalf("the cursor is on %+v", n)
	}
	for _, key := range []string{"R", "e"} {
		s.Press(key)
		s.Want("select an adapter or a port")
	}
	s.Press("down")
	s.Press("enter")
	focus, ok := s.ShowArgs["counters"].(deck.Focus)
	if !ok || focus.Title != "Storage" || !slices.Contains(focus.Instances, "Team Storage") {
		t.Errorf("Enter went to the counters of %+v", s.ShowArgs["counters"])
	}
}

// TestReplayOfATeam checks that a replay has the team only while it existed.
func TestReplayOfATeam(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const samples, gone, back = 100, 60, 80
	changes := teamChanges()
	delete(changes, 70)
	changes[gone] = teams.Delete{Team: "Storage"}
	source := viewtest.Lab(t)
	recorder, err := db.Begin(ctx, source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	for n := range samples {
		if o := changes[n]; o != nil {
			if _, err := source.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{o}}); err != nil {
				t.Fatal(err)
			}
		}
		if n == back {
			if _, err := source.Host().Undo(); err != nil {
				t.Fatal(err)
			}
		}
		schema, inventory := source.Schema(), source.Inventory()
		if err := source.Next(ctx, time.Second, &column); err != nil {
			t.Fatal(err)
		}
		if n == 0 || schema != source.Schema() || inventory != source.Inventory() {
			recorder.Schema(source.Schema(), source.Inventory())
		}
		recorder.Column(&column)
	}
	session := recorder.Status().Session
	if err := recorder.Close(ctx); err != nil {
		t.Fatal(err)
	}

	replay, err := db.Replay(ctx, session)
	if err != nil {
		t.Fatal(err)
	}
	series, ok := replay.Schema().Find(`\cxdeck Port(Team Storage)\Bytes Sent/sec`)
	if !ok {
		t.Fatal("the session has no series of the team")
	}
	from, to := replay.(perf.Seeker).Span()
	points, err := replay.(perf.RangeReader).ReadRange(ctx, series, from, to, nil)
	if err != nil || len(points) < samples {
		t.Fatalf("%d points, %v", len(points), err)
	}
	for n, want := range map[int]bool{10: false, 40: true, gone + 5: false, back + 10: true} {
		at := from.Add(time.Duration(n) * time.Second).UnixNano()
		i := slices.IndexFunc(points, func(p perf.Point) bool { return p.Time == at })
		if i < 0 || (points[i].Value > 0) != want || !want && !math.IsNaN(points[i].Value) {
			t.Errorf("second %d: %+v, want a rate: %v", n, points[max(i, 0)], want)
		}
	}
	for n, want := range map[int]bool{10: false, 40: true, gone + 5: false, back + 10: true} {
		if err := replay.(perf.Seeker).Seek(from.Add(time.Duration(n) * time.Second)); err != nil {
			t.Fatal(err)
		}
		if err := replay.Next(ctx, time.Second, &column); err != nil {
			t.Fatal(err)
		}
		isTeam := func(node perf.Node) bool { return node.Kind == perf.TeamNode }
		if slices.ContainsFunc(replay.Inventory().Nodes, isTeam) != want {
			t.Errorf("second %d: the inventory has the team: %v", n, !want)
		}
	}
}
