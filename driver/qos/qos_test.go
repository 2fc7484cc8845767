package qos

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestTheMostSpecificPolicyWins classifies flows by sets of policies (QOS-16).
func TestTheMostSpecificPolicyWins(t *testing.T) {
	t.Parallel()
	tcp := &flow{Flow: &description.Flow{}, marked: true, protocol: TCP, local: 445, program: "files.exe"}
	web := &flow{Flow: &description.Flow{}, marked: true, protocol: TCP, local: 443, program: "web.exe"}
	names := &flow{Flow: &description.Flow{}, marked: true, protocol: UDP, local: 53, program: "names.exe"}
	smb := &flow{Flow: &description.Flow{}, marked: true, direct: 445, program: "files.exe"}
	other := &flow{Flow: &description.Flow{}, marked: true, direct: 10000}
	echo := &flow{Flow: &description.Flow{}, marked: true, program: "echo.exe"}
	machine := &flow{Flow: &description.Flow{}, protocol: TCP, local: 445}
	policies := []Policy{
		{Name: "default", Template: Default}, {Name: "any"}, {Name: "tcp", Protocol: TCP}, {Name: "wide", SourcePorts: Range{1, 1023}},
		{Name: "smb", Template: "SMB"}, {Name: "web", Protocol: TCP, Port: 443}, {Name: "direct", NetDirectPort: 445},
		{Name: "again", NetDirectPort: 445}, {Name: "program", Program: "ECHO.exe"}, {Name: "peers", Protocol: UDP, DestinationPorts: Range{1024, 65535}},
		{Name: "far", Protocol: TCP, DestinationPorts: Range{31000, 31999}},
	}
	for _, c := range []struct {
		flow *flow
		only string // the policies that there are; empty for all
		want string
	}{
		{tcp, "", "smb"}, {web, "", "web"}, {names, "", "wide"}, {smb, "", "direct"}, {other, "", "default"}, {echo, "", "program"},
		{machine, "", ""}, {tcp, "default any", "any"}, {tcp, "default tcp any", "tcp"}, {tcp, "default tcp wide", "wide"}, {tcp, "far default", "default"},
		{smb, "any tcp smb web program", ""}, {other, "direct any", ""}, {names, "tcp web smb", ""}, {names, "peers any", "peers"}, {echo, "tcp any", "any"},
		{web, "program", ""}, {tcp, "web", ""}, {smb, "again default", "again"},
	} {
		s := State{}
		for _, p := range policies {
			if c.only == "" || strings.Contains(" "+c.only+" ", " "+p.Name+" ") {
				s.Policies = append(s.Policies, p)
			}
		}
		got := ""
		if at := s.policyAt(c.flow); at >= 0 {
			got = s.Policies[at].Name
		}
		if got != c.want {
			t.Errorf("%s of %q: %q instead of %q", c.flow.program, c.only, got, c.want)
		}
	}
}

// TestClassesBecomeSharesOfPriorities is QOS-5 to QOS-7 as a port is told: 16, 80 and the rest, and a strict class.
func TestClassesBecomeSharesOfPriorities(t *testing.T) {
	t.Parallel()
	s := &State{Installed: true, FlowControl: 8, Ports: []Port{{Enabled: true}, {}, {Enabled: true, FlowControl: new(Priorities)}}, Classes: []Class{
		{"TCP1", ETS, 16, 1<<3 | 1<<4}, {"TCP2", ETS, 80, 1 << 5}, {"now", Strict, 0, 1<<6 | 1<<7},
	}}
	port := setup.Port{Shares: [8]float64{1, 1, 1, 1, 1, 1, 1, 1}, Lossless: 0xff}
	s.Configure(0, &port)
	want := setup.Port{Lossless: 8, Shares: [8]float64{2: 4, 4: 16, 5: 80}, StrictPriorities: 0xc0, Joined: [8]uint8{3, 3, 3, 5, 5, 6, 8, 8}}
	if port != want {
		t.Errorf("the port is told %+v", port)
	}
	if err := port.Check(); err == nil || strings.Contains(err.Error(), "class") {
		t.Errorf("the classes of a port are wrong: %v", err)
	}
	for at, lossless := range []uint8{8, 0, 0} {
		if got := s.Lossless(at); got != lossless {
			t.Errorf("port %d has PFC on %d", at, got)
		}
	}
	untouched := setup.Port{Shares: [8]float64{7: 100}, Lossless: 8}
	if s.Configure(1, &untouched); untouched != (setup.Port{Shares: [8]float64{7: 100}}) {
		t.Errorf("a port that does not act is told %+v", untouched)
	}
	if s.Installed = false; s.Lossless(0) != 0 {
		t.Error("there is PFC without Data-Center-Bridging")
	}
}

// TestSavedStatesAreChecked changes a good state in ways that no host can have.
func TestSavedStatesAreChecked(t *testing.T) {
	t.Parallel()
	good := func() *State {
		return &State{Ports: make([]Port, 2), Policies: []Policy{{Name: "a", Priority: new(3)}, {Name: "A", Store: ActiveStore, DSCP: new(9)}},
			Classes: []Class{{"c", ETS, 60, 8}, {"d", Strict, 0, 16}}}
	}
	if err := good().Check(2); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*State){
		"ports": func(s *State) { s.Ports = nil }, "a name twice": func(s *State) { s.Policies[1].Store = "" }, "a store": func(s *State) { s.Policies[0].Store = "x" },
		"a priority": func(s *State) { s.Policies[0].Priority = new(8) }, "a DSCP": func(s *State) { s.Policies[1].DSCP = new(64) },
		"shares": func(s *State) { s.Classes[1] = Class{"d", ETS, 41, 16} }, "a priority twice": func(s *State) { s.Classes[1].Priorities = 8 },
		"an algorithm": func(s *State) { s.Classes[0].Algorithm = "fair" }, "no priority": func(s *State) { s.Classes[0].Priorities = 0 },
		"the default class": func(s *State) { s.Classes[0].Name = "[default]" }, "a template": func(s *State) { s.Policies[0].Template = "FTP" },
		"a program": func(s *State) { s.Policies[0].Program = "a\nb" }, "a port": func(s *State) { s.Policies[0].Port = 65536 },
	} {
		s := good()
		if change(s); s.Check(2) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestSetsOfPriorities(t *testing.T) {
	t.Parallel()
	var wrong *PriorityError
	if _, err := SetOf(3, 8); !errors.As(err, &wrong) || wrong.Priority != 8 {
		t.Errorf("8 is a priority: %v", err)
	}
	for _, c := range []struct {
		list                  []int
		text, ranges, phrases string
	}{
		{[]int{}, "", "", "no priority"}, {[]int{3}, "3", "3", "priority 3"}, {[]int{0, 1, 2, 4, 5, 6, 7}, "0,1,2,4,5,6,7", "0-2,4-7",
			"priorities 0, 1, 2, 4, 5, 6 and 7"}, {[]int{3, 5}, "3,5", "3,5", "priorities 3 and 5"}, {AllPriorities.List(), "0,1,2,3,4,5,6,7", "0-7", "all priorities"},
	} {
		set, err := SetOf(c.list...)
		if err != nil || !reflect.DeepEqual(set.List(), c.list) || set.String() != c.text || set.Ranges() != c.ranges || set.Words() != c.phrases {
			t.Errorf("%v: %v %q %q %q %v", c.list, set.List(), set.String(), set.Ranges(), set.Words(), err)
		}
	}
}
