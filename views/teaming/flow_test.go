package teaming

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/perf/lab"
	"cxdeck/perf/labstate"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// openScreen applies operations to a running lab and opens the screen on it.
func openScreen(t *testing.T, operations ...driver.Operation) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d := viewtest.Run(t, viewtest.PlainLab(t))
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters", "events")
	s.Await(d, "a sample", func() bool { return v.state != nil && len(v.state.Recent) > 1 })
	if len(operations) > 0 {
		if _, err := d.Monitor().Apply(t.Context(), driver.Plan{Title: "set up", Operations: operations}); err != nil {
			t.Fatal(err)
		}
		s.Await(d, "the set-up", func() bool { return len(v.state.Teams) > 0 && v.state.Teams[0].Why == "" })
	}
	return d, v, s
}

// teamA returns the Operations that create a team of two ports.
func teamA() []driver.Operation {
	return []driver.Operation{
		teams.Create{Name: "A", Type: "AFT", Family: description.WinOF2},
		teams.Attach{Team: "A", Connection: "Ethernet 7", Primary: true, SetMAC: true},
		teams.Attach{Team: "A", Connection: "Ethernet 8"},
	}
}

// members returns the members of a team, each with its role.
func members(v *View, team string) (list []string) {
	if t := v.teamNamed(team); t != nil {
		for _, m := range t.Members {
			list = append(list, m.Connection+" "+strings.ToLower(m.Role.String()))
		}
	}
	return list
}

func TestCreateATeamAndUndo(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t)
	s.Want("There is no team yet", "n creates a team")
	s.Press("n")
	s.Want("Create a team", "WinOF-2 Ethernet", "adapter fault tolerance")
	s.Press("tab", "ctrl+u")
	s.Type("Red")
	s.Press("enter")
	s.Want("Ethernet 3", "can't join: a WinOF Ethernet port", "your session")
	s.Press(" ", "down", " ", "enter")
	s.Press("down", "enter") // Ethernet 7 is the primary member
	s.Press("a")
	s.Type("100")
	s.Press("enter", "enter")
	s.Want("+ Create the team Red of type AFT", "as its primary", "+ Add the VLAN VLAN100", "New-NetLbfoTeam",
		"its adapter is disabled and enabled again")
	s.Press(".")
	s.Want("vlan_config create team AFT Red", "vlan_config addvlan Red VLAN100 100 0")
	s.Push("Apply")
	s.AwaitText(d, "Red is up.")
	s.Press("esc")
	s.Await(d, "roles", func() bool {
		return slices.Equal(members(v, "Red"), []string{"Ethernet 7 active", "Ethernet 8 backup"})
	})
	s.Want("Red  AFT", "Ethernet 7 primary", "VLAN100  id 100")
	if len(s.Log) != 1 || len(s.Log[0].Commands) < 3 {
		t.Errorf("the action log has %+v", s.Log)
	}
	s.Press("n") // the draft of an applied wizard is not offered again
	s.WantNot("Red")
	s.Press("esc", "u")
	s.Want("It removes the team Red")
	s.Press("y")
	s.Await(d, "undo", func() bool { return len(v.state.Teams) == 0 })
}

func TestWizardKeepsItsDraft(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for run := range 2 { // the second run reads the draft that the first has saved
		d := viewtest.Run(t, viewtest.PlainLab(t))
		d.DB = db
		v := New(d)
		s := viewtest.Open(t, d, []ui.View{v})
		s.Await(d, "a sample", func() bool { return v.state != nil && len(v.state.Recent) > 1 })
		for range 2 - run {
			s.Press("n", "tab")
			if run == 0 {
				s.Press("ctrl+u")
				s.Type("Kept team")
			} else {
				s.Want("Kept team")
			}
			s.Press("esc")
		}
		s.Press("n")
		s.Want("Kept team")
		s.Press("esc")
	}
}

func TestModifyATeam(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	v.choose(teamID("A"))
	s.Press("e")
	s.Want("Modify a team: A", "New name")
	s.Press("tab", "ctrl+u")
	s.Type("B")
	s.Press("tab", "down", "down", "enter") // SLB
	s.Press("end", " ", "enter")            // the last port can't join: Space has no effect
	s.Want("Failback to primary")
	s.Press("tab", " ", "enter")
	s.Want("~ Name of the team", "~ Type of A", "AFT", "SLB", "Set-NetLbfoTeam")
	s.Press("enter")
	s.AwaitText(d, "B is up.")
	s.Press("esc")
	if b := v.teamNamed("B"); b == nil || b.Type != mux.SLB {
		t.Errorf("the team is %+v", b)
	}
	s.Press("u")
	s.Await(d, "undo", func() bool {
		return v.teamNamed("A") != nil && v.teamNamed("A").Type == mux.AFT && v.teamNamed("A").Failback
	})
}

func TestMembersJoinAndLeaveInAWizard(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	v.choose(teamID("A"))
	s.Press("e", "enter")
	s.Press("home", " ", "down", "down", " ", "enter", "enter") // Ethernet 7 leaves, Ethernet 5 joins
	s.Want("- Detach Ethernet 7", "+ Attach Ethernet 5", "carries your", "Apply, confirm in 30 s or revert")
	s.Push("Apply, confirm in 30 s or revert")
	s.AwaitText(d, "Keep this change?")
	s.Press("y")
	s.Await(d, "other members", func() bool {
		return slices.Equal(members(v, "A"), []string{"Ethernet 8 active", "Ethernet 5 backup"}) ||
			slices.Equal(members(v, "A"), []string{"Ethernet 8 backup", "Ethernet 5 active"})
	})
}

func TestRemoveATeam(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, append(teamA(), teams.AddVLAN{Team: "A", Name: "v", ID: 5})...)
	v.choose(teamID("A"))
	s.Press("delete")
	s.Want("Remove a team: A", "a port of its own again", "the VLAN and its addresses")
	s.Press("enter")
	s.Want("- Delete the team A", "Remove-NetLbfoTeam")
	s.Push("Apply")
	s.AwaitText(d, "What next")
	s.Press("esc")
	s.Await(d, "no team", func() bool { return len(v.state.Teams) == 0 })
	s.Press("u", "y")
	s.Await(d, "the team again", func() bool { return len(members(v, "A")) == 2 && len(v.teamNamed("A").VLANs) == 1 })
}

func TestVLANsOfATeam(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	v.choose(teamID("A"))
	s.Press("N", "tab")
	s.Type("4095")
	s.Press("enter")
	s.Want("4094")
	s.Press("ctrl+u")
	s.Type("55")
	s.Press("enter")
	s.Want("+ Add the VLAN VLAN55 with id 55")
	s.Push("Apply")
	s.AwaitText(d, "What next")
	s.Press("esc")
	s.Await(d, "the VLAN", func() bool { return v.row() != nil && v.row().kind == vlanRow && v.row().vlan.ID == 55 })
	s.Press("e", "tab", "ctrl+u")
	s.Type("56")
	s.Press("tab", "ctrl+u")
	s.Type("store")
	s.Press("enter")
	s.Push("Apply")
	s.AwaitText(d, "What next")
	s.Press("esc")
	s.Await(d, "another id", func() bool {
		return v.row().kind == vlanRow && v.row().vlan.ID == 56 &&
			v.row().vlan.Name == "store"
	})
	s.Press("N", "tab")
	s.Type("56")
	s.Press("enter")
	s.Want("has the id 56 already")
	s.Press("esc", "d", "enter")
	s.Push("Apply")
	s.AwaitText(d, "What next")
	s.Press("esc")
	s.Await(d, "no VLAN", func() bool { return len(v.teamNamed("A").VLANs) == 0 })
}

func TestVLANOfAPort(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t)
	v.choose(portID("Ethernet 6"))
	s.Press("N")
	s.Want("a WinOF-2 port has one VLAN ID, which e sets")
	v.choose(portID("Ethernet 3"))
	s.Press("N", "tab")
	s.Type("7")
	s.Press("tab")
	s.Type("lone")
	s.Press("enter")
	s.Push("Apply")
	s.AwaitText(d, "What next")
	s.Press("esc")
	s.Await(d, "the VLAN below its port", func() bool {
		r := v.row()
		return r != nil && r.kind == vlanRow && r.vlan.Connection == "Ethernet 3" && r.vlan.ID == 7 &&
			v.vlanNode(r.vlan) != nil
	})
	s.Want("lone  id 7")
	v.choose(portID("Ethernet 3"))
	s.Press("a")
	s.Want("there is no team yet")
	s.Press("n")
	s.Want("no port is free: Ethernet 3") // it is the only port of its kind
}

func TestIPoIBTeamHasNoVLANStep(t *testing.T) {
	t.Parallel()
	_, v, s := openScreen(t)
	v.choose(portID("Ethernet 4"))
	s.Press("n")
	s.Want("(●) WinOF IPoIB", "IPoIB teams must be of type AFT")
	s.Press("enter", "enter", "enter")
	s.Want("+ Create the team Team1 of type AFT", "vlan_config create team AFT Team1 IPoIB")
	s.WantNot("PowerShell")
}

func TestVLANIDOfAPort(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	stored := func() (value string) {
		if err := d.Monitor().ReadHost(t.Context(), func(h *driver.Host) error {
			key, err := h.Key("Ethernet 6", vlanKey)
			value = key.Stored.String()
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return value
	}
	before := stored()
	v.choose(portID("Ethernet 6"))
	s.Press("e")
	s.Want("VLAN ID of a port: Ethernet 6", "0 for none", "it is a member of A")
	s.Press("tab", "ctrl+u")
	s.Type("55")
	s.Press("enter")
	s.Want("VlanId of Ethernet 6", "Restart Ethernet 6", "Set-NetAdapterAdvancedProperty")
	s.Push("Apply")
	s.AwaitText(d, "What next")
	s.Press("esc")
	if got := stored(); got != "55" {
		t.Errorf("the key is %q", got)
	}
	s.Press("u", "y")
	s.Await(d, "undo", func() bool { return stored() == before })
}

func TestActionsOfEachRow(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	v.choose(memberID("A", "Ethernet 8"))
	s.Press("*")
	s.Await(d, "another primary", func() bool {
		return v.teamNamed("A").Primary == "Ethernet 8" &&
			slices.Equal(members(v, "A"), []string{"Ethernet 7 backup", "Ethernet 8 active"})
	})
	s.Press("*")
	s.Want("is the primary member already")
	s.Press("p")
	s.Want("Pull the cable of Ethernet 8?", "Team A fails over to Ethernet 7.")
	s.Press("y")
	s.Await(d, "a failover", func() bool {
		return slices.Equal(members(v, "A"),
			[]string{"Ethernet 7 active", "Ethernet 8 backup"})
	})
	s.Press("p")
	s.Await(d, "failback", func() bool {
		return slices.Equal(members(v, "A"),
			[]string{"Ethernet 7 backup", "Ethernet 8 active"})
	})
	s.Press("z", "y")
	s.AwaitText(d, "disabled")
	s.Press("z")
	s.Await(d, "enabled", func() bool {
		return slices.Equal(members(v, "A"),
			[]string{"Ethernet 7 backup", "Ethernet 8 active"})
	})
	s.Press("d")
	s.Want("Detach Ethernet 8 from the team A?")
	s.Press("y")
	s.Await(d, "detached", func() bool { return slices.Equal(members(v, "A"), []string{"Ethernet 7 active"}) })
	v.choose(portID("Ethernet 8"))
	s.Press("a")
	s.Want("Attach Ethernet 8 to a team", "A")
	s.Press("enter", "y")
	s.Await(d, "attached", func() bool { return len(members(v, "A")) == 2 })
	v.choose(teamID("A"))
	s.Press("a")
	s.Want("at most 2 members")
	v.choose(memberID("A", "Ethernet 8"))
	s.Press("d", "y")
	s.Await(d, "detached again", func() bool { return len(members(v, "A")) == 1 })
	v.choose(teamID("A"))
	s.Press("a", "ctrl+u")
	s.Type("Ethernet 3")
	s.Want("No suitable port has this name")
	s.Press("ctrl+u")
	s.Type("Ethernet 9")
	s.Press("enter", "y")
	s.Await(d, "another second", func() bool { return slices.Contains(members(v, "A"), "Ethernet 9 backup") })
	s.Press("enter")
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || focus.Title != "A" ||
		!slices.Contains(focus.Instances, "Ethernet 7") {
		t.Errorf("Enter went to the counters of %+v", s.ShowArgs["counters"])
	}
}

// TestFailoverIsDrawnAtOnce checks that the first frame after the sample of a failover shows the other member as active,
// with its share.
func TestFailoverIsDrawnAtOnce(t *testing.T) {
	t.Parallel()
	changes := hostChanges()
	changes[60] = hardware.PullCable{Connection: "Ethernet 5"}
	before := newView(viewtest.WatchLab(t, 60, changes))
	after := newView(viewtest.WatchLab(t, 61, changes))
	for _, c := range []struct {
		v         *View
		five, six string
	}{{before, "● active", "○ backup"}, {after, "○ unplugged", "● active"}} {
		c.v.choose(teamID("A"))
		for line := range strings.SplitSeq(viewtest.Body(c.v, 120, 40).Text(), "\n") {
			if strings.Contains(line, "Ethernet 5 primary") && !strings.Contains(line, c.five) {
				t.Errorf("%q lacks %q", line, c.five)
			}
			if strings.HasPrefix(line, "━   Ethernet 6") && !strings.Contains(line, c.six) {
				t.Errorf("%q lacks %q", line, c.six)
			}
		}
	}
	if len(after.graph.chart.Marks) != 1 {
		t.Errorf("the curves have %d marks", len(after.graph.chart.Marks))
	}
}

func TestDrill(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	v.choose(teamID("A"))
	s.Press("B")
	s.Want("Drill: pull the cable of Ethernet 7", "fails over to Ethernet 8.")
	s.Press("ctrl+u")
	s.Type("500")
	s.Press("enter")
	s.Want("integer from 1 to 120")
	s.Press("ctrl+u")
	s.Type("5")
	s.Press("enter")
	s.Want("Ethernet 7 is down for about 5 s", "It interrupts", "Team A fails over to Ethernet 8.",
		"Pull it anyway?", "[ Back ]")
	s.SkipWait()
	s.Press("y") // the stage runs the work to its end
	s.Want("Drill: Ethernet 7 in A", "Cable out", "Link back", "Ethernet 7 → Ethernet 8", "Summary")
	s.Press("esc")
	s.Await(d, "the primary again", func() bool {
		return slices.Equal(members(v, "A"),
			[]string{"Ethernet 7 active", "Ethernet 8 backup"})
	})
	r := v.drilled[0]
	if out := r.plugged.Sub(r.pulled); out < 5*time.Second || out > 15*time.Second {
		t.Errorf("the cable was out for %s", out)
	}
	if r.cost.Outage <= 0 || r.back.IsZero() || !v.port("Ethernet 7").Cabled {
		t.Errorf("the report is %+v", r)
	}
	if len(s.Log) != 1 {
		t.Errorf("the action log has %+v", s.Log)
	}
	if d.Undoable() != "set up" {
		t.Errorf("u would undo %q", d.Undoable())
	}
}

// TestEarlyEndOfADrillPlugsTheCable ends a drill early: by the operator, and by the end of the console.
func TestEarlyEndOfADrillPlugsTheCable(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"operator", "console", "confirmed"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			d, v, s := openScreen(t, teamA()...)
			s.SkipWait()
			m := d.Monitor()
			shell, quit := context.WithCancel(t.Context())
			defer quit()
			ctx, cancel := context.WithCancel(shell)
			defer cancel()
			running := &drill{team: "A", connection: "Ethernet 7", length: time.Hour, cancel: cancel}
			ended := make(chan report, 1)
			go func() {
				r, err := running.run(ctx, shell, m)
				if err != nil {
					t.Error(err)
				}
				ended <- r
			}()
			await(t, "the cable to be out", func() bool { return !cabled(m.Lab().Ports, "Ethernet 7") })
			switch how {
			case "confirmed": // a command line has confirmed the change: u has nothing to undo
				if err := m.Confirm(t.Context()); err != nil {
					t.Error(err)
				}
			case "operator":
				cancel()
			default:
				quit()
			}
			await(t, "the cable to be in", func() bool { return cabled(m.Lab().Ports, "Ethernet 7") })
			if r := <-ended; !r.ended && how != "confirmed" {
				t.Errorf("the report is %+v", r)
			}
			_ = v
		})
	}
}

func TestReadOnlyRefuses(t *testing.T) {
	t.Parallel()
	d := viewtest.Run(t, viewtest.PlainLab(t))
	d.ReadOnly = true
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "a sample", func() bool { return v.state != nil && len(v.state.Recent) > 1 })
	for _, key := range []string{"n", "e", "v", "x", "t", "P", "a", "d", "p", "o", "i", "u"} {
		s.Press(key)
		s.Want("read-only")
		s.Press("esc")
	}
}

func cabled(ports []labstate.Port, connection string) bool {
	return slices.ContainsFunc(ports, func(p labstate.Port) bool {
		return p.Description.Connection == connection &&
			p.Cabled
	})
}

// await waits for a condition that another goroutine establishes.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// TestCursorSkipsTheHeading checks that the cursor starts on the first team if there is one, and never on the heading of
// the ports.
func TestCursorSkipsTheHeading(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t)
	at := func(want string) {
		t.Helper()
		if got := v.row().id; got != want {
			t.Errorf("the cursor is on %q, want %q", got, want)
		}
	}
	at(portID("Ethernet 7"))
	s.Want("There is no team yet")
	s.Press("up")
	at(portID("Ethernet 7"))
	v.selected, v.chosen = "", false // as when the screen opens
	if _, err := d.Monitor().Apply(t.Context(), driver.Plan{Title: "set up", Operations: teamA()}); err != nil {
		t.Fatal(err)
	}
	s.Await(d, "the team", func() bool { return len(v.state.Teams) > 0 })
	at(teamID("A"))
	s.Press("end", "home", "down", "down", "down")
	at(portID("Ethernet 5"))
	s.Press("up")
	at(memberID("A", "Ethernet 8"))
	v.Update(ui.HitMsg{Hit: widget.Hit{ID: v.Table.ID, Index: 3}, Button: ui.Press})
	at(portID("Ethernet 5"))
	v.choose(memberID("A", "Ethernet 8"))
	if _, err := d.Monitor().Apply(t.Context(), driver.Plan{Title: "one less", Operations: []driver.Operation{
		teams.Detach{Team: "A", Connection: "Ethernet 8"}}}); err != nil {
		t.Fatal(err)
	}
	s.Await(d, "one member", func() bool { return len(v.state.Teams[0].Members) == 1 })
	at(memberID("A", "Ethernet 7")) // and not on a port
	if _, err := d.Monitor().Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Press("home")
	if _, err := d.Monitor().Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Await(d, "no team", func() bool { return len(v.state.Teams) == 0 })
	at(portID("Ethernet 7"))
	s.Press("n")
	s.Want("Create a team")
	s.Press("enter")
	s.Want("Members  0 of")
}

// TestResultFollowsAnUndo checks that the result reports an undone plan, and that u undoes the wizard's own change only.
func TestResultFollowsAnUndo(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"reverted", "undone"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			d, v, s := openScreen(t, teamA()...)
			v.choose(teamID("A"))
			s.Press("N", "tab")
			s.Type("42")
			s.Press("enter")
			s.AwaitText(d, "+ Add the VLAN VLAN42")
			if how == "reverted" {
				s.Push("Apply, confirm in 30 s or revert")
			} else {
				s.Push("Apply")
			}
			s.Await(d, "the VLAN", func() bool { return len(v.state.Teams[0].VLANs) == 1 })
			if how == "reverted" {
				s.AwaitText(d, "Keep this change?")
				s.Press("n")
				s.AwaitText(d, "of the journal was undone.")
				s.WantNot("Undo the change")
				return
			}
			s.AwaitText(d, "Undo the change")
			other := driver.Plan{Title: "another", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 9"}}}
			if _, err := d.Monitor().Apply(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			s.Press("u", "y")
			s.Await(d, "no VLAN", func() bool { return len(v.state.Teams[0].VLANs) == 0 })
			if v.port("Ethernet 9").Cabled {
				t.Error("u undid another change")
			}
		})
	}
}

// TestRDMAWarningIsForJoiningPorts checks that a wizard warns of RDMA workloads on joining ports, but not on members.
func TestRDMAWarningIsForJoiningPorts(t *testing.T) {
	t.Parallel()
	_, v, _ := openScreen(t, teamA()...)
	for connection, want := range map[string]bool{"Ethernet 7": false, "Ethernet 8": false, "Ethernet 9": true} {
		if got := len(v.rdmaFlows([]string{connection})) > 0; got != want {
			t.Errorf("%s: warning about RDMA: %t, want %t", connection, got, want)
		}
	}
}

// TestNoPortIsFree checks that no wizard opens if each port has a virtual switch, and that the message names the reason.
func TestNoPortIsFree(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Large(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, source, 1)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "a sample", func() bool { return v.state != nil })
	s.Press("n")
	s.Want("no port is free to join a team", "Switch Ethernet 1")
}
