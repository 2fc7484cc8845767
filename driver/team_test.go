package driver

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/virtualization"
)

// longestRefresh is more than a member needs to come back after it was attached or detached.
const longestRefresh = 6 * time.Second

// teamed is a host with a team of some connections, which has settled.
func teamed(t testing.TB, seed uint64, kind string, connections ...string) *Host {
	t.Helper()
	h := newHost(t, seed)
	port, err := h.port(connections[0])
	if err != nil {
		t.Fatal(err)
	}
	operations := []Operation{teams.Create{Name: "T", Type: kind, Family: h.family(port)}}
	for _, c := range connections {
		if s := switchOn(h, c); s != "" {
			operations = append(operations, virtualization.RemoveSwitch{Switch: s})
		}
		operations = append(operations, teams.Attach{Team: "T", Connection: c})
		if kind == "3AD" || kind == "SLA" {
			operations = append(operations, fabric.SetSwitchPort{Connection: c, Aggregation: new(7)})
		}
	}
	if _, err := h.Apply(Plan{Title: "team", Operations: operations}); err != nil {
		t.Fatal(err)
	}
	h.Advance(longestRefresh)
	return h
}

// switchOn is the virtual switch that a connection has, empty for none.
func switchOn(h *Host, connection string) string {
	for _, s := range h.View().Switches {
		if s.Connection == connection {
			return s.Name
		}
	}
	return ""
}

// virtual is a counter of a virtual miniport.
func virtual(h *Host, slot int, c counter.Virtual) uint64 {
	return h.lab.Counters()[h.lab.VirtualCell(slot, c)]
}

func portCounter(h *Host, connection string, c counter.Port) uint64 {
	port, err := h.port(connection)
	if err != nil {
		panic(err)
	}
	return h.lab.Counters()[counter.Cell(port, c)]
}

// rises is how much counters rise in a time.
func rises(h *Host, d time.Duration, read ...func() uint64) []uint64 {
	var before, list []uint64
	for _, r := range read {
		before = append(before, r())
	}
	h.Advance(d)
	for i, r := range read {
		list = append(list, r()-before[i])
	}
	return list
}

func TestFailoverIsAlmostSeamless(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "AFT", "Ethernet 7", "Ethernet 8")
	sent := func(c string) func() uint64 {
		return func() uint64 { return portCounter(h, c, counter.HostOutPackets) }
	}
	if r := rises(h, time.Second, sent("Ethernet 7"), sent("Ethernet 8")); r[0] == 0 || r[1] != 0 {
		t.Fatalf("the active member sends %d frames and the other %d", r[0], r[1])
	}
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
	h.Advance(device.Step)
	team := h.Teams()[0]
	if len(team.Failovers) != 1 {
		t.Fatalf("there are %d failovers", len(team.Failovers))
	}
	f := team.Failovers[0]
	if !slices.Equal(f.From, []string{"Ethernet 7"}) || !slices.Equal(f.To, []string{"Ethernet 8"}) || f.Outage != device.Step ||
		f.LostSent == 0 || f.LostReceived == 0 || f.LostSent != virtual(h, team.Slot, counter.VirtualSentDiscards) {
		t.Errorf("the failover is %+v", f)
	}
	if r := rises(h, time.Second, sent("Ethernet 7"), sent("Ethernet 8")); r[0] != 0 || r[1] == 0 {
		t.Errorf("after it the dead member sends %d frames and the other %d", r[0], r[1])
	}
	if m := team.Members; m[0].Role != mux.Backup || m[0].Status != mux.Disconnected || m[0].Why == "" || m[1].Role != mux.Active || m[1].Sends != 1 {
		t.Errorf("the members are %+v", m)
	}
	mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 7"})
	h.Advance(5 * time.Second)
	team = h.Teams()[0]
	if team.Members[0].Role != mux.Active || len(team.Failovers) != 2 || team.Why != "" {
		t.Errorf("after the failback it is %+v", team)
	}
	if lost := virtual(h, team.Slot, counter.VirtualSentLost); lost != f.LostSent {
		t.Errorf("the failback lost %d frames", lost-f.LostSent)
	}
}

func TestAllMembersDown(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "SFT", "Ethernet 7", "Ethernet 8")
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
	h.Advance(device.Step / 2) // in the middle of failing over
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 8"})
	h.Advance(time.Second)
	team := h.Teams()[0]
	if team.Connected || team.Why == "" || len(team.Failovers) != 1 || team.Failovers[0].To != nil {
		t.Fatalf("with no link it is %+v", team)
	}
	packets := func() uint64 { return virtual(h, team.Slot, counter.VirtualSentPackets) }
	discards := func() uint64 { return virtual(h, team.Slot, counter.VirtualSentDiscards) }
	if r := rises(h, time.Second, packets, discards); r[0]+r[1] != 0 {
		t.Errorf("a team that is down sent %d and lost %d", r[0], r[1])
	}
	mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 8"})
	h.Advance(5 * time.Second)
	team = h.Teams()[0]
	last := team.Failovers[len(team.Failovers)-1]
	if !team.Connected || !slices.Equal(last.To, []string{"Ethernet 8"}) || last.Outage < 2*time.Second {
		t.Errorf("with one link it is %+v", team)
	}
	if r := rises(h, time.Second, packets, discards); r[0] == 0 || r[1] != 0 {
		t.Errorf("then it sent %d and lost %d", r[0], r[1])
	}
}

// TestHowTypesSpread: which members carry what, of a busy pair of ports of different speed.
func TestHowTypesSpread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind            string
		receives, sends int // members that carry something
	}{{"AFT", 1, 1}, {"SLB", 1, 2}, {"ALB", 2, 2}, {"3AD", 2, 2}, {"SLA", 2, 2}} {
		h := teamed(t, 1, c.kind, "Ethernet 5", "Ethernet 6")
		receives, sends := 0, 0
		sum := 0.0
		for _, m := range h.Teams()[0].Members {
			if m.Receives > 0 {
				receives++
			}
			if m.Sends > 0 {
				sends++
			}
			sum += m.Receives + m.Sends
		}
		if receives != c.receives || sends != c.sends || sum < 1.999 || sum > 2.001 {
			t.Errorf("%s: %d members receive and %d send, together %v", c.kind, receives, sends, sum/2)
		}
	}
}

func TestAdaptiveTeamRebalances(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "ALB", "Ethernet 6", "Ethernet 7") // 25 and 100 Gb/s
	mustApply(t, h, fabric.ScaleFlow{Flow: "Backup of virtual machines", Scale: 4}, fabric.ScaleFlow{Flow: "SMB Direct reads, volume 1", Scale: 2})
	before := h.Teams()[0].Members[0].Sends
	h.Advance(time.Minute)
	if after := h.Teams()[0].Members[0].Sends; after >= before*0.8 {
		t.Errorf("the slow member carries %v of the flows after a minute, and carried %v", after, before)
	}
}

func TestAnAggregationNeedsItsGroup(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "3AD", "Ethernet 5", "Ethernet 6")
	for _, step := range []struct {
		do   Operation
		up   bool
		says string
	}{
		{fabric.SetSwitchPort{Connection: "Ethernet 6", Aggregation: new(0)}, false, "Ethernet 6 is in no aggregation group"},
		{fabric.SetSwitchPort{Connection: "Ethernet 6", Aggregation: new(8)}, false, "different aggregation groups"},
		{fabric.SetSwitchPort{Connection: "Ethernet 5", Aggregation: new(8)}, true, ""},
	} {
		mustApply(t, h, step.do)
		h.Advance(device.Step)
		if v := h.Teams()[0]; v.Connected != step.up || !strings.Contains(v.Why, step.says) || step.up != (v.Why == "") {
			t.Errorf("after %s it is %t: %s", step.do.Describe(), v.Connected, v.Why)
		}
	}
}

func TestVLANsOfATeam(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "AFT", "Ethernet 7", "Ethernet 8")
	smb := func() float64 { return rateOf(h, "SMB Direct reads, volume 1") }
	h.Advance(time.Second)
	if smb() == 0 || h.lab.Flows()[0].Protocol != description.TCP {
		t.Fatal("a team without VLANs does not take all, or speaks RDMA")
	}
	mustApply(t, h, teams.AddVLAN{Team: "T", Name: "Storage", ID: 70, Priority: 4})
	v := h.Teams()[0].VLANs[0]
	read := func(slot int, c counter.Virtual) func() uint64 {
		return func() uint64 { return virtual(h, slot, c) }
	}
	team := h.Teams()[0].Slot
	r := rises(h, time.Second, read(v.Slot, counter.VirtualReceivedPackets), read(team, counter.VirtualReceivedPackets),
		read(team, counter.VirtualReceivedDiscards), func() uint64 { return portCounter(h, "Ethernet 7", counter.UnownedVLAN) })
	if r[0] == 0 || r[1] <= r[0] || r[2] == 0 || r[2] != r[3] {
		t.Errorf("the VLAN took %d packets, the team %d; %d were dropped, %d by the port", r[0], r[1], r[2], r[3])
	}
	mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet 7", VLANs: new("1-69,80")})
	if why := h.Teams()[0].VLANs[0].Why; !strings.Contains(why, "does not forward VLAN 70") {
		t.Errorf("it says %q", why)
	}
	if r := rises(h, time.Second, read(v.Slot, counter.VirtualReceivedPackets)); r[0] != 0 {
		t.Errorf("%d packets came in a VLAN that the switch holds back", r[0])
	}
	mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet 7", Trunk: new(false)})
	if why := h.Teams()[0].VLANs[0].Why; !strings.Contains(why, "not a trunk") {
		t.Errorf("it says %q", why)
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{teams.AddVLAN{Team: "T", Name: "Other", ID: 70}}}); err == nil {
		t.Error("an id was given twice")
	}
}

func rateOf(h *Host, flow string) float64 {
	for _, f := range h.lab.Flows() {
		if f.Name == flow {
			return f.ReceiveRate + f.SendRate
		}
	}
	return 0
}

func TestVLANsOfAPort(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(10 * time.Second)
	mustApply(t, h, teams.AddVLAN{Connection: "Ethernet 3", Name: "Backup", ID: 31, Priority: 2})
	v := h.VLANsOf(portOf(t, h, "Ethernet 3"))[0]
	if v.Miniport != "Mellanox Virtual Miniport Driver - VLAN Backup" || v.Why != "" {
		t.Errorf("it is %+v", v)
	}
	h.Advance(2 * time.Minute)
	if virtual(h, v.Slot, counter.VirtualSentPackets) == 0 || rateOf(h, "Archive over SMB Direct") != 0 {
		t.Error("it carries nothing, or the other VLAN goes on")
	}
	for _, o := range []Operation{
		teams.AddVLAN{Connection: "Ethernet 4", Name: "x", ID: 5}, teams.AddVLAN{Connection: "Ethernet 7", Name: "x", ID: 5},
		teams.AddVLAN{Connection: "Ethernet 3", Team: "T", Name: "x", ID: 5}, teams.AddVLAN{Name: "x", ID: 5},
		teams.AddVLAN{Connection: "Ethernet 3", Name: "BACKUP", ID: 5}, teams.AddVLAN{Connection: "Ethernet 3", Name: "\x1b[2J", ID: 5},
	} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s was accepted", o.Describe())
		}
	}
}

func TestAMemberThatCannotJoin(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "AFT", "Ethernet 7", "Ethernet 8")
	mustApply(t, h, teams.Create{Name: "W", Type: "ALB", Family: description.WinOF}, teams.Create{Name: "I", Type: "AFT", IPoIB: true, Family: description.WinOF},
		teams.Attach{Team: "I", Connection: "Ethernet 4"})
	for _, c := range []struct{ team, connection, says string }{
		{"W", "Ethernet 8", "member of the team T already"}, {"W", "Ethernet 9", "adapters of mlx4 only"},
		{"W", "Ethernet 4", "member of the team I already"}, {"I", "Ethernet 3", "only IPoIB ports"},
		{"T", "Ethernet 9", "standby"}, {"none", "Ethernet 9", "there is no team"}, {"T", "none", "there is no adapter"},
	} {
		if err := h.CanJoin(c.team, 0, c.connection); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s in %s: %v", c.connection, c.team, err)
		}
	}
	for _, o := range []Operation{
		teams.Create{Name: "t", Type: "AFT"}, teams.Create{Name: "X", Type: "LACP"}, teams.Create{Name: "X", Type: "RLB", Family: description.WinOF2},
		teams.Create{Name: "X", Type: "SLB", IPoIB: true}, teams.Create{Name: "", Type: "AFT"}, teams.Create{Name: "a\nb", Type: "AFT"},
		teams.Create{Name: "X", Type: "AFT", GUID: "no"}, teams.Modify{Team: "I", Type: "SLB"}, teams.Modify{Team: "T"},
		teams.AddVLAN{Team: "I", Name: "x", ID: 5}, teams.SetPrimary{Team: "T", Connection: "Ethernet 9"}, teams.Detach{Team: "W", Connection: "Ethernet 7"},
	} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s was accepted", o.Describe())
		}
	}
}

func TestCaptureBreaksATeam(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "AFT", "Ethernet 7", "Ethernet 8")
	slot, from := h.Teams()[0].Slot, h.events.Last()
	received := func() uint64 { return virtual(h, slot, counter.VirtualReceivedPackets) }
	mustApply(t, h, hardware.SetFault{Connection: "Ethernet 7", Fault: description.Capture, Share: 1})
	if r := rises(h, time.Second, received); r[0] == 0 {
		t.Error("a capture on the active member breaks it")
	}
	mustApply(t, h, hardware.SetFault{Connection: "Ethernet 8", Fault: description.Capture, Share: 1})
	if r := rises(h, time.Second, received); r[0] != 0 || !strings.Contains(h.Teams()[0].Why, "capture") {
		t.Errorf("%d packets came through; it says %q", r[0], h.Teams()[0].Why)
	}
	if keys := newest(h, from, "Ethernet 8"); !slices.Equal(keys, []string{"trouble.team-capture"}) {
		t.Errorf("the log has %v", keys)
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if r := rises(h, time.Second, received); r[0] == 0 {
		t.Error("it stays broken")
	}
}

// TestAReviewNamesTeams: what a plan stops, and what of it a team takes over.
func TestAReviewNamesTeams(t *testing.T) {
	t.Parallel()
	h := teamed(t, 1, "AFT", "Ethernet 7", "Ethernet 8")
	for _, c := range []struct {
		do    Operation
		says  string
		teams int
		flows bool
	}{
		{adapters.RestartAdapter{Connection: "Ethernet 7"}, "fails over from Ethernet 7 to Ethernet 8", 1, false},
		{adapters.DisableAdapter{Connection: "Ethernet 8"}, "", 0, false},
		{hardware.PullCable{Connection: "Ethernet 7"}, "fails over", 1, false},
		{adapters.ReloadDriver{Driver: "mlx5"}, "is down for about", 0, true},
		{adapters.Reboot{Host: "LAB-N4"}, "is down for about", 0, true},
		{teams.Detach{Team: "T", Connection: "Ethernet 7"}, "", 1, true},
		{teams.Delete{Team: "T"}, "", 0, true},
	} {
		r := h.Review(Plan{Title: "x", Operations: []Operation{c.do}})
		if r.Refusal != nil || len(r.Restarts) == 0 || len(r.Restarts[0].Teams) != c.teams {
			t.Errorf("%s: %v, %+v", c.do.Describe(), r.Refusal, r.Restarts)
			continue
		}
		own := slices.ContainsFunc(r.Restarts[0].Flows, func(f InterruptedFlow) bool { return f.Name == "SMB Direct reads, volume 1" })
		said := slices.ContainsFunc(r.Warnings, func(w Caution) bool { return w.Target == "T" && strings.Contains(w.Text, c.says) })
		if own != c.flows || said != (c.says != "") {
			t.Errorf("%s: the flow is interrupted: %t; it says %+v", c.do.Describe(), own, r.Warnings)
		}
	}
}

// TestAReviewNamesTheMissingGroup: a team that needs an aggregation group and has none is named before it is made.
func TestAReviewNamesTheMissingGroup(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := func(kind string) Plan {
		return Plan{Title: "x", Operations: []Operation{teams.Create{Name: "T", Type: kind, Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 9"},
			teams.Attach{Team: "T", Connection: "Ethernet 8"}}}
	}
	warned := func(p Plan) bool {
		return slices.ContainsFunc(h.Review(p).Warnings, func(w Caution) bool {
			return w.Target == "T" && strings.Contains(w.Text, "will carry no traffic: the switch port of Ethernet 9 is in no aggregation group")
		})
	}
	if !warned(plan("3AD")) || !warned(plan("SLA")) || warned(plan("SLB")) {
		t.Error("a team without a group is not named, or one that needs none is")
	}
	mustApply(t, h, plan("SLB").Operations...)
	h.Advance(longestRefresh)
	if !warned(Plan{Title: "x", Operations: []Operation{teams.Modify{Team: "T", Type: "SLA"}}}) {
		t.Error("a team that becomes one with a group is not named")
	}
	mustApply(t, h, teams.Modify{Team: "T", Type: "SLA"})
	if warned(Plan{Title: "x", Operations: []Operation{teams.SetPrimary{Team: "T", Connection: "Ethernet 8"}}}) {
		t.Error("a team that is down already is named again")
	}
}

// TestATeamIsUndoneInOrder: what later changes need is not taken from under them.
func TestATeamIsUndoneInOrder(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for _, o := range []Operation{
		teams.Create{Name: "T", Type: "AFT", Family: description.WinOF}, teams.Attach{Team: "t", Connection: "Ethernet 3"},
		teams.AddVLAN{Team: "T", Name: "V", ID: 5}, teams.Modify{Team: "T", Name: "U"},
	} {
		mustApply(t, h, o)
	}
	var conflict *ConflictError
	for sequence := range uint64(3) {
		if _, err := h.UndoEntry(sequence + 1); !errors.As(err, &conflict) {
			t.Errorf("change %d: %v", sequence+1, err)
		}
	}
	for range 4 {
		if _, err := h.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if len(h.team.Teams) != 0 {
		t.Errorf("%d teams are left", len(h.team.Teams))
	}
}

func TestAMissingUpdateBreaksATeam(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, teams.Create{Name: "T", Type: "AFT", Family: description.WinOF}, teams.Attach{Team: "T", Connection: "Ethernet 3"},
		set("Ethernet 3", "*VMQ", "1"), set("Ethernet 3", "*EncapsulatedPacketTaskOffload", "1"))
	h.Advance(3 * time.Minute)
	received := func() uint64 { return virtual(h, h.Teams()[0].Slot, counter.VirtualReceivedPackets) }
	mustApply(t, h, hardware.SetFault{Connection: "Ethernet 3", Fault: description.MissingUpdate, Share: 1})
	if r := rises(h, time.Minute, received); r[0] != 0 || !strings.Contains(h.Teams()[0].Why, "KB 2975719") {
		t.Errorf("%d packets came through: %q", r[0], h.Teams()[0].Why)
	}
	mustApply(t, h, set("Ethernet 3", "*VMQ", "0"), adapters.RestartAdapter{Connection: "Ethernet 3"})
	if r := rises(h, 2*time.Minute, received); r[0] == 0 {
		t.Errorf("it stays broken: %q", h.Teams()[0].Why)
	}
}

func TestTheAddressOfATeam(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mac := func() string { return h.Teams()[0].MAC.String() }
	mustApply(t, h, teams.Create{Name: "T", Type: "AFT", Family: description.WinOF}, teams.Attach{Team: "T", Connection: "Ethernet 3"})
	own := h.mac(portOf(t, h, "Ethernet 3"))
	derived := own
	derived[0] |= 2
	if mac() != derived.String() {
		t.Errorf("it is %s", mac())
	}
	mustApply(t, h, teams.Detach{Team: "T", Connection: "Ethernet 3"}, teams.Attach{Team: "T", Connection: "Ethernet 3", SetMAC: true})
	if mac() != own.String() {
		t.Errorf("it is %s, want %s", mac(), own)
	}
}

func TestTeamCommands(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	d, _, _ := h.lab.Port(portOf(t, h, "Ethernet 3"))
	for _, c := range []struct {
		do   Operation
		want []string
	}{
		{teams.Create{Name: "My Team", Type: "AFT", NoFailback: true, Family: description.WinOF}, []string{`vlan_config create team AFT "My Team" NoFailBackToPrimary`}},
		{teams.Attach{Team: "My Team", Connection: "Ethernet 3", Primary: true, SetMAC: true}, []string{`vlan_config attach team "My Team" "` + d.Interface + `" primary SetTeamMacAddress`}},
		{teams.AddVLAN{Team: "My Team", Name: "V", ID: 3, Priority: 4}, []string{`vlan_config addvlan "My Team" V 3 4`}},
		{teams.ModifyVLAN{Team: "My Team", VLAN: "V", Name: "W", ID: 3, Priority: 5}, []string{`vlan_config modifyvlan "My Team" V W 3 5`}},
		{teams.Modify{Team: "My Team", Type: "SFT"}, []string{`vlan_config modifyteam "My Team" "My Team" SFT`}},
		{teams.Delete{Team: "My Team"}, []string{`vlan_config removevlan "My Team" W`, `vlan_config removeteam "My Team"`}},
		{teams.Create{Name: "S", Type: "SFT", Family: description.WinOF2}, []string{"# S is created with its first member: Windows has no team without one."}},
		{teams.Attach{Team: "S", Connection: "Ethernet 9"}, []string{
			`New-NetLbfoTeam -Name "S" -TeamMembers "Ethernet 9" -TeamingMode SwitchIndependent -LoadBalancingAlgorithm TransportPorts -Confirm:$false`,
		}},
		{teams.Attach{Team: "S", Connection: "Ethernet 8"}, []string{
			`Add-NetLbfoTeamMember -Name "Ethernet 8" -Team "S" -AdministrativeMode Standby -Confirm:$false`,
		}},
		{teams.SetAddress{Team: "S", Connection: "Ethernet 8"}, []string{
			`Set-NetAdapter -Name "S" -MacAddress "24-8A-07-1C-2B-3D" -Confirm:$false`,
		}},
		{teams.SetAddress{Team: "S"}, []string{`Set-NetAdapter -Name "S" -MacAddress "0C-42-A1-D5-5E-60" -Confirm:$false`}},
		{teams.AddVLAN{Team: "S", Name: "V", ID: 70}, []string{`Add-NetLbfoTeamNic -Team "S" -VlanID 70 -Name "V" -Confirm:$false`}},
		{teams.Modify{Team: "S", Type: "3AD"}, []string{
			`Set-NetLbfoTeam -Name "S" -TeamingMode Lacp -LoadBalancingAlgorithm TransportPorts -Confirm:$false`,
			`Set-NetLbfoTeamMember -Name "Ethernet 8" -AdministrativeMode Active -Confirm:$false`,
		}},
		{teams.Detach{Team: "S", Connection: "Ethernet 8"}, []string{`Remove-NetLbfoTeamMember -Name "Ethernet 8" -Team "S" -Confirm:$false`}},
		{teams.Delete{Team: "S"}, []string{`Remove-NetLbfoTeam -Name "S" -Confirm:$false`}},
	} {
		if got := h.Commands(c.do); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.do.Describe(), got)
		}
		mustApply(t, h, c.do)
	}
}

// randomTeamOperation is one on teams, VLANs, cables and adapters; some of them can't be applied.
func randomTeamOperation(h *Host, random *rand.Rand) Operation {
	port := random.IntN(len(h.miniports))
	d, _, _ := h.lab.Port(port)
	name, team := d.Connection, []string{"A", "B", "C"}[random.IntN(3)]
	if n := len(h.team.Teams); n > 0 && random.IntN(4) > 0 { // mostly one that is there
		team = h.team.Teams[random.IntN(n)].Name
	}
	kind := mux.Types()[random.IntN(7)].Name
	family := description.Family(random.IntN(2))
	v := []string{"V", "W"}[random.IntN(2)]
	list := []Operation{
		teams.Create{Name: team, Type: kind, Family: family, IPoIB: random.IntN(5) == 0, NoFailback: random.IntN(4) == 0},
		teams.Create{Name: team, Type: kind, Family: description.WinOF2},
		teams.Attach{Team: team, Connection: name, Primary: random.IntN(2) == 0, SetMAC: random.IntN(2) == 0},
		teams.Attach{Team: team, Connection: name, Primary: false, SetMAC: false}, teams.Attach{Team: team, Connection: name, Primary: false, SetMAC: false}, teams.Attach{Team: team, Connection: name, Primary: true, SetMAC: false},
		teams.Detach{Team: team, Connection: name}, teams.SetPrimary{Team: team, Connection: name}, teams.SetPrimary{Team: team},
		teams.Modify{Team: team, Type: kind}, teams.Modify{Team: team, Name: []string{"A", "B", "C"}[random.IntN(3)]},
		teams.Modify{Team: team, Failback: new(random.IntN(2) == 0)}, teams.Delete{Team: team},
		teams.AddVLAN{Team: team, Name: v, ID: 70 + random.IntN(3), Priority: random.IntN(8)},
		teams.AddVLAN{Connection: name, Name: v, ID: 30 + random.IntN(2)},
		teams.ModifyVLAN{Team: team, VLAN: v, ID: 80 + random.IntN(3)}, teams.RemoveVLAN{Team: team, VLAN: v}, teams.RemoveVLAN{Connection: name, VLAN: v},
		fabric.SetSwitchPort{Connection: name, Aggregation: new(random.IntN(2))}, fabric.SetSwitchPort{Connection: name, Trunk: new(random.IntN(3) > 0)},
		hardware.PullCable{Connection: name}, hardware.PlugCable{Connection: name}, hardware.PlugCable{Connection: name}, adapters.DisableAdapter{Connection: name}, adapters.EnableAdapter{Connection: name}, adapters.EnableAdapter{Connection: name}, adapters.RestartAdapter{Connection: name},
		hardware.SetFault{Connection: name, Fault: description.Capture, Share: float64(random.IntN(2))}, set(name, "VlanId", "70"),
	}
	return list[random.IntN(len(list))]
}

// holdsTeams holds what is always so of teams, over a step of the lab.
func holdsTeams(t *testing.T, h *Host, what string) {
	t.Helper()
	h.Advance(device.Step - h.lab.Elapsed()%device.Step) // what was done is seen at the end of this step
	type sums struct{ received, sent uint64 }
	members := func(team teams.View) (s sums) {
		for _, m := range team.Members {
			at := func(c counter.Port) uint64 { return h.lab.Counters()[counter.Cell(m.Port, c)] }
			s.received += at(counter.HostInPackets) - at(counter.FunctionsReceivedPackets)
			s.sent += at(counter.HostOutPackets) - at(counter.FunctionsSentPackets)
		}
		return s
	}
	own := func(team teams.View) sums {
		return sums{
			virtual(h, team.Slot, counter.VirtualReceivedPackets) + virtual(h, team.Slot, counter.VirtualReceivedDiscards) -
				virtual(h, team.Slot, counter.VirtualReceivedLost) - unowned(h, team),
			virtual(h, team.Slot, counter.VirtualSentPackets) + virtual(h, team.Slot, counter.VirtualSentDiscards) -
				virtual(h, team.Slot, counter.VirtualSentLost),
		}
	}
	before := h.Teams()
	var carried, counted []sums
	for _, team := range before {
		carried, counted = append(carried, members(team)), append(counted, own(team))
	}
	h.Advance(device.Step)
	for i, team := range h.Teams() {
		connected, active := 0, 0
		for _, m := range team.Members {
			if m.Status == mux.Connected {
				connected++
			}
			if m.Role == mux.Active {
				active++
			}
			if m.Role == mux.Backup && m.Why == "" {
				t.Errorf("%s: %s stands by and does not say why", what, m.Connection)
			}
		}
		fault := team.Type.FaultTolerant()
		if fault && active != min(1, connected) || !fault && active != 0 && active != connected || team.Connected != (active > 0) {
			t.Errorf("%s: of %d connected members of %s %d are active, and it is %t", what, connected, team.Type, active, team.Connected)
		}
		if !team.Connected && team.Why == "" {
			t.Errorf("%s: %s is not up and does not say why", what, team.Name)
		}
		now, of := members(team), own(team)
		if now.received-carried[i].received != of.received-counted[i].received || now.sent-carried[i].sent != of.sent-counted[i].sent {
			t.Errorf("%s: the members of %s carried %d and %d frames, and it counted %d and %d", what, team.Type,
				now.received-carried[i].received, now.sent-carried[i].sent, of.received-counted[i].received, of.sent-counted[i].sent)
		}
	}
}

// unowned are the frames that the members of a team dropped because nobody has their VLAN.
func unowned(h *Host, team teams.View) (n uint64) {
	for _, m := range team.Members {
		n += h.lab.Counters()[counter.Cell(m.Port, counter.UnownedVLAN)]
	}
	return n
}

// teamsOf are the teams and VLANs of a host without what happened to them.
func teamsOf(h *Host) (state []any) {
	for i := range h.team.Teams {
		state = append(state, h.team.Teams[i].Record(h.teamSet()), h.team.Teams[i].Mac)
	}
	for port := range h.miniports {
		for _, w := range h.team.VLANs[port] {
			w.Slot = 0
			state = append(state, h.connection(port), w)
		}
		state = append(state, h.State(port), h.lab.State(port), h.lab.SwitchPort(port))
	}
	return state
}

func TestRandomTeams(t *testing.T) {
	t.Parallel()
	applied := map[string]int{}
	for seed := range uint64(6) {
		h := newHost(t, seed)
		if seed%3 == 2 { // more ports of WinOF and of InfiniBand
			h = manualHost(t, seed)
		}
		random := rand.New(rand.NewPCG(seed, 9))
		h.Advance(longestRefresh)
		start := teamsOf(h)
		for range 40 {
			o := randomTeamOperation(h, random)
			before, was := mustSave(t, h), teamsOf(h)
			if _, err := h.Apply(Plan{Title: "random", Operations: []Operation{o}}); err != nil {
				if h.journal = h.journal[:len(h.journal)-1]; len(h.journal) == 0 {
					h.journal = nil
				}
				if after := mustSave(t, h); string(after) != string(before) {
					t.Fatalf("seed %d: %s failed and changed something", seed, o.Describe())
				}
				continue
			}
			applied[o.Kind()]++
			if last, ok := h.Undoable(); ok && last.Sequence == h.journal.Last() && random.IntN(3) == 0 {
				undone := h.Clone()
				undone.Advance(time.Duration(random.IntN(200)) * time.Millisecond)
				if _, err := undone.Undo(); err == nil {
					undone.Advance(longestRefresh)
					if now := teamsOf(undone); !sameSettled(was, now) {
						t.Fatalf("seed %d: %s was undone, and %v became %v", seed, o.Describe(), was, now)
					}
				}
			}
			h.Advance(time.Duration(random.IntN(3000)) * time.Millisecond)
			holdsTeams(t, h, o.Describe())
			if t.Failed() {
				t.Fatalf("that was seed %d", seed)
			}
			if random.IntN(4) > 0 {
				continue
			}
			restored, err := RestoreHost(h.lab.Description(), mustSave(t, h))
			if err != nil {
				t.Fatalf("seed %d: after %s: %v", seed, o.Describe(), err)
			}
			whole, cut := h.Clone(), restored
			whole.Advance(2 * time.Second)
			for range 20 {
				cut.Advance(100 * time.Millisecond)
			}
			if !slices.Equal(whole.lab.Counters(), cut.lab.Counters()) || !reflect.DeepEqual(whole.View(), cut.View()) {
				t.Fatalf("seed %d: after %s it goes another way when it is saved, or time is cut", seed, o.Describe())
			}
		}
		for {
			if _, err := h.Undo(); errors.Is(err, journal.ErrNothingToUndo) {
				break
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			h.Advance(time.Duration(random.IntN(1000)) * time.Millisecond)
		}
		h.Advance(longestRefresh)
		if now := teamsOf(h); !reflect.DeepEqual(now, start) {
			t.Fatalf("seed %d: %v became %v after all was undone", seed, start, now)
		}
	}
	if len(applied) < 15 {
		t.Errorf("only these were applied: %v", applied)
	}
}

// manualHost is the sample host of the WinOF manual.
func manualHost(t *testing.T, seed uint64) *Host {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name == "manual-winof" {
			return NewHost(must(device.New(must(description.ParseText(named.Text())), seed)))
		}
	}
	t.Fatal("the lab manual-winof is missing")
	return nil
}

// sameSettled reports whether a host has settled to what it was, which may have been on its way still.
func sameSettled(was, now []any) bool {
	if len(was) != len(now) {
		return false
	}
	for i := range was {
		switch w := was[i].(type) {
		case AdapterState:
			if n := now[i].(AdapterState); n != w && w != Restarting {
				return false
			}
		case device.PortState:
			n := now[i].(device.PortState)
			if w.Up && !n.Up || w.Cabled != n.Cabled {
				return false
			}
		default:
			if !reflect.DeepEqual(was[i], now[i]) {
				return false
			}
		}
	}
	return true
}

func BenchmarkAdvance(b *testing.B) {
	for _, c := range []struct {
		name string
		host *Host
	}{{"no team", newHost(b, 1)}, {"AFT", teamed(b, 1, "AFT", "Ethernet 7", "Ethernet 8")}, {"ALB", teamed(b, 1, "ALB", "Ethernet 7", "Ethernet 8", "Ethernet 9")}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.host.Advance(time.Second)
			}
		})
	}
}

// TestChangesOfATeamInWords: each part of a change is named, and no part that it has not.
func TestChangesOfATeamInWords(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for want, change := range map[string]teams.Modify{
		"no change to the team T":                                           {Team: "T", Name: "T"},
		"rename the team T to U":                                            {Team: "T", Name: "U"},
		"set the type to SFT for the team T":                                {Team: "T", Type: "SFT"},
		"set the load balancing algorithm to Dynamic for the team T":        {Team: "T", Algorithm: "Dynamic"},
		"turn failback on for the team T":                                   {Team: "T", Failback: &yes},
		"rename the team T to U, set the type to ALB and turn failback off": {Team: "T", Name: "U", Type: "ALB", Failback: &no},
	} {
		if got := change.Describe(); got != want {
			t.Errorf("it reads %q, want %q", got, want)
		}
	}
}

// TestATeamOfAGivenGUIDIsUndone: also a team that comes with its GUID goes when its making is undone.
func TestATeamOfAGivenGUIDIsUndone(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const guid = "{12345678-9ABC-4DEF-8123-456789ABCDEF}"
	mustApply(t, h, teams.Create{Name: "T", Type: "AFT", Family: description.WinOF2, GUID: guid})
	if undo(t, h); len(h.Teams()) != 0 {
		t.Error("the team is still there")
	}
}

// TestTeamTakesTheAddressOfAMember sets the address of a team of Windows Server to that of its second member, and undoes it; other teams
// and connections that are no members are refused.
func TestTeamTakesTheAddressOfAMember(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for _, o := range []Operation{
		teams.Create{Name: "S", Type: "SLB", Family: description.WinOF2},
		teams.Attach{Team: "S", Connection: "Ethernet 9"}, teams.Attach{Team: "S", Connection: "Ethernet 8"},
		teams.Create{Name: "M", Type: "AFT", Family: description.WinOF}, teams.Attach{Team: "M", Connection: "Ethernet 3"},
	} {
		mustApply(t, h, o)
	}
	address := func(team string) string {
		for _, view := range h.View().Teams {
			if view.Name == team {
				return view.MAC.String()
			}
		}
		return ""
	}
	before, member := address("S"), h.lab.Address(portOf(t, h, "Ethernet 8")).String()
	mustApply(t, h, teams.SetAddress{Team: "S", Connection: "Ethernet 8"})
	if got := address("S"); got != member || got == before {
		t.Errorf("the team has %s, want %s", got, member)
	}
	if _, err := h.Undo(); err != nil || address("S") != before {
		t.Errorf("after undo the team has %s, want %s: %v", address("S"), before, err)
	}
	for _, wrong := range []teams.SetAddress{{Team: "S", Connection: "Ethernet 7"}, {Team: "M", Connection: "Ethernet 3"}, {Team: "none"}} {
		if _, err := h.Apply(Plan{Title: "wrong", Operations: []Operation{wrong}}); err == nil {
			t.Errorf("%+v was applied", wrong)
		}
	}
}
