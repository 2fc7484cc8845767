package lab

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/perf"
	"cxdeck/perf/threshold"
)

// The instances of the team of these tests.
const (
	teamSummary = "Team Storage"
	vlanSummary = "Team Storage VLAN tenant"
	teamDevice  = "Microsoft Network Adapter Multiplexor Driver"
)

// makeTeam returns the operations that create a team of WinOF-2 ports.
func makeTeam(name, kind string, members ...string) []driver.Operation {
	list := []driver.Operation{teams.Create{Name: name, Type: kind, Family: description.WinOF2}}
	for i, member := range members {
		list = append(list, teams.Attach{Team: name, Connection: member, Primary: i == 0})
	}
	return list
}

// change applies operations to a lab, which must succeed.
func change(t testing.TB, l *Source, operations ...driver.Operation) {
	t.Helper()
	if _, err := l.Host().Apply(driver.Plan{Title: "Test", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

// teamLab returns a lab with a running team of two ports, and fills a column.
func teamLab(t testing.TB, kind string, column *perf.Column) *Source {
	t.Helper()
	l := newLab(t, 1)
	next(t, l, 0, column)
	change(t, l, makeTeam("Storage", kind, "Ethernet 9", "Ethernet 10")...)
	next(t, l, 10*time.Second, column)
	return l
}

// cellOf returns the value of a counter, -1 for Missing.
func cellOf(t testing.TB, l *Source, column *perf.Column, set, instance, counter string) int64 {
	t.Helper()
	i, ok := l.Schema().Find(perf.JoinPath(set, instance, counter))
	if !ok {
		t.Fatalf("there is no %s", perf.JoinPath(set, instance, counter))
	}
	if cell := column.Cells[l.Schema().Series[i].Cell]; cell != perf.Missing {
		return cell
	}
	return -1
}

// TestATeamHasItsOwnSeries: a team has series in the sets of network devices from the next column on, counts its members'
// traffic for it, is Missing after its removal, and continues its series when it is recreated.
func TestATeamHasItsOwnSeries(t *testing.T) {
	t.Parallel()
	var before, after perf.Column
	l := newLab(t, 1)
	next(t, l, 0, &before)
	schema := l.Schema()
	change(t, l, makeTeam("Storage", "SLB", "Ethernet 9", "Ethernet 10")...)
	change(t, l, teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42})
	if l.Schema() != schema {
		t.Error("the schema changed between two columns")
	}
	next(t, l, 10*time.Second, &before)
	grown := l.Schema()
	if grown.Generation != schema.Generation+1 || !slices.Equal(grown.Series[:len(schema.Series)], schema.Series) {
		t.Errorf("generation %d of %d series follows %d of %d", grown.Generation, len(grown.Series), schema.Generation, len(schema.Series))
	}
	if _, err := perf.NewSchema(1, grown.Cells, grown.Series); err != nil {
		t.Error(err)
	}
	for set, instances := range map[string][]string{
		perf.SummarySet: {teamSummary, vlanSummary}, "Network Interface": {teamDevice, teamDevice + " #2"},
	} {
		for _, name := range instances {
			if !slices.Contains(grown.Instances(set), name) {
				t.Errorf("%s has no %s", set, name)
			}
		}
	}
	next(t, l, 5*time.Second, &after)
	for _, counter := range []string{"Bytes Received/sec", "Bytes Sent/sec", "Packets Received/sec", "Packets Sent Unicast/sec"} {
		rise := func(instance string) int64 {
			return cellOf(t, l, &after, "Network Interface", instance, counter) - cellOf(t, l, &before, "Network Interface", instance, counter)
		}
		members := rise("Mellanox BlueField-2 Ethernet Adapter") + rise("Mellanox BlueField-2 Ethernet Adapter #2")
		if team := rise(teamDevice); team <= 0 || team != members {
			t.Errorf("%s: %d of the team, %d of its members", counter, team, members)
		}
	}
	if rate := cellOf(t, l, &after, "Network Interface", teamDevice, "Current Bandwidth"); rate != 200e9 {
		t.Errorf("the team has %d bit/s", rate)
	}

	change(t, l, teams.Delete{Team: "Storage"})
	next(t, l, time.Second, &after)
	for _, instance := range []string{teamSummary, vlanSummary} {
		if n := cellOf(t, l, &after, perf.SummarySet, instance, perf.SummaryReceive); n != -1 {
			t.Errorf("%s reads %d after it was removed", instance, n)
		}
	}
	if _, err := l.Host().Undo(); err != nil {
		t.Fatal(err)
	}
	next(t, l, 10*time.Second, &after)
	if n := cellOf(t, l, &after, perf.SummarySet, teamSummary, perf.SummaryReceive); n <= 0 || l.Schema() != grown {
		t.Errorf("%d bytes of the recreated team, in generation %d", n, l.Schema().Generation)
	}
}

// TestNamesOfVirtualMiniportsAreDistinct: equal or similar names give distinct paths, and the same paths when the miniports are
// recreated in another order.
func TestNamesOfVirtualMiniportsAreDistinct(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := newLab(t, 1)
	next(t, l, 0, &column)
	names := []string{"A", "A VLAN x", "_Total", `(a)\b`, "Ethernet 9", "é \"quoted\", * | {1}"}
	for _, name := range names {
		change(t, l, makeTeam(name, "AFT")...)
		change(t, l, teams.AddVLAN{Team: name, Name: "x", ID: 7})
	}
	change(t, l, teams.AddVLAN{Connection: "Ethernet 3", Name: "x", ID: 7})
	next(t, l, time.Second, &column)
	schema := l.Schema()
	if _, err := perf.NewSchema(1, schema.Cells, schema.Series); err != nil {
		t.Fatal(err)
	}
	for _, instance := range []string{
		"Team A", "Team A VLAN x", "Team A VLAN x #2", "Team _Total", `Team (a)\b VLAN x`, "Team Ethernet 9", "Ethernet 3 VLAN x",
	} {
		if n := cellOf(t, l, &column, perf.SummarySet, instance, perf.SummarySend); n < 0 {
			t.Errorf("%s is missing", instance)
		}
	}
	devices := 0
	for _, instance := range schema.Instances("Network Interface") {
		if strings.HasPrefix(instance, teamDevice) {
			devices++
		}
	}
	if devices != 2*len(names) {
		t.Errorf("%d network interfaces of %d teams with a VLAN each", devices, len(names))
	}
	slices.Reverse(names)
	for _, name := range names {
		change(t, l, teams.Delete{Team: name})
	}
	for _, name := range names {
		change(t, l, makeTeam(name, "AFT")...)
	}
	next(t, l, time.Second, &column)
	if l.Schema() != schema {
		t.Error("the same names added series")
	}
}

// TestTotalsExcludeTeams: the frames of a team are also frames of its members.
func TestTotalsExcludeTeams(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := teamLab(t, "ALB", &column)
	change(t, l, teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42})
	next(t, l, time.Second, &column)
	var sum int64
	inventory := l.Inventory()
	for _, n := range inventory.Nodes {
		if n.Kind == perf.PortNode {
			sum += column.Cells[l.Schema().Series[n.Receive[0]].Cell]
		}
	}
	if len(inventory.Receive) != 1 {
		t.Fatalf("the totals have %d series", len(inventory.Receive))
	}
	if all := column.Cells[l.Schema().Series[inventory.Receive[0]].Cell]; all != sum {
		t.Errorf("the total of received bytes is %d, the sum of the ports %d", all, sum)
	}
}

// TestAThresholdOnAllPortsExcludesTeams: a loss of a team is also a loss of a member.
func TestAThresholdOnAllPortsExcludesTeams(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := teamLab(t, "AFT", &column)
	for path, want := range map[string]int{perf.JoinPath(perf.SummarySet, "Ethernet *", perf.SummaryDrops): 9, perf.JoinPath(perf.SummarySet, "*", perf.SummaryDrops): 9, perf.JoinPath(perf.SummarySet, teamSummary, perf.SummaryDrops): 1} {
		if states := threshold.States(nil, []threshold.Rule{{Path: path, Level: 100, Clear: math.NaN()}}, l.Schema()); len(states) != want {
			t.Errorf("%s watches %d series, not %d", path, len(states), want)
		}
	}
}

// TestAFailoverShowsWithinOneRefresh: in the column after the cable was pulled, the other member has the rates.
func TestAFailoverShowsWithinOneRefresh(t *testing.T) {
	t.Parallel()
	var columns [2]perf.Column
	l := teamLab(t, "AFT", &columns[0])
	rate := func(instance string) float64 {
		i, _ := l.Schema().Find(perf.JoinPath(perf.SummarySet, instance, perf.SummarySend))
		value, _ := l.Schema().Series[i].Value(&columns[0], &columns[1])
		return value
	}
	next(t, l, time.Second, &columns[1])
	calm := rate(teamSummary)
	if first, second := rate("Ethernet 9"), rate("Ethernet 10"); first < 0.9*calm || second > 0.1*calm || !(calm > 1e6) {
		t.Fatalf("%g and %g of %g", first, second, calm)
	}
	change(t, l, hardware.PullCable{Connection: "Ethernet 9"})
	next(t, l, time.Second, &columns[0])
	next(t, l, time.Second, &columns[1])
	if first, second, team := rate("Ethernet 9"), rate("Ethernet 10"), rate(teamSummary); first != 0 || second < 0.9*team || team < 0.3*calm {
		t.Errorf("after the failover %g and %g of %g; before it the team had %g", first, second, team, calm)
	}
	if lost := cellOf(t, l, &columns[1], perf.SummarySet, teamSummary, perf.SummaryDrops); lost <= 0 {
		t.Errorf("%d frames were lost", lost)
	}
	node := teamNode(t, l)
	if node.State != perf.StateUp || !slices.ContainsFunc(node.Health, func(f perf.Finding) bool { return strings.Contains(f.Text, "from Ethernet 9 to Ethernet 10") }) {
		t.Errorf("the inventory says %+v", node)
	}
}

func teamNode(t testing.TB, l *Source) perf.Node {
	t.Helper()
	for _, n := range l.Inventory().Nodes {
		if n.Kind == perf.TeamNode {
			return n
		}
	}
	t.Fatal("there is no team in the inventory")
	return perf.Node{}
}

// TestTheInventoryHasTeams: teams are in a separate group, with their VLANs below; ports show their team.
func TestTheInventoryHasTeams(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := newLab(t, 1)
	next(t, l, 0, &column)
	for _, n := range l.Inventory().Nodes {
		if n.Kind > perf.FunctionNode {
			t.Errorf("the default lab has %s", n.Name)
		}
	}
	change(t, l, append(makeTeam("Storage", "AFT", "Ethernet 9", "Ethernet 10"),
		teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42, Priority: 3}, teams.AddVLAN{Connection: "Ethernet 3", Name: "lone", ID: 9})...)
	next(t, l, 10*time.Second, &column)
	nodes, rows := l.Inventory().Nodes, []string{}
	for i, n := range nodes {
		if n.Kind > perf.FunctionNode {
			rows = append(rows, fmt.Sprintf("%d %s %q under %q", n.Kind, n.Name, n.Detail, parentName(nodes, i)))
			if n.Kind != perf.GroupNode && (len(n.Receive) != 1 || len(n.Send) != 1 || len(n.Drops) != 1 || len(n.Instances) != 2 || n.State != perf.StateUp) {
				t.Errorf("%+v", n)
			}
		}
		if n.Kind == perf.PortNode && (n.Team != "") != (n.Name == "Ethernet 9" || n.Name == "Ethernet 10") {
			t.Errorf("%s is in the team %q", n.Name, n.Team)
		}
	}
	want := []string{
		`5 lone "VLAN 9" under "Ethernet 3"`, `3 Teams "" under ""`, `4 Storage "AFT" under "Teams"`, `5 tenant "VLAN 42" under "Storage"`,
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q", rows)
	}
	var words []string
	for _, f := range teamNode(t, l).Identity {
		words = append(words, f.Label+": "+f.Value)
	}
	text := strings.Join(words, "\n")
	for _, want := range []string{
		"Type: AFT", "Driver: Windows Server", "Members: Ethernet 9, active", ": Ethernet 10, backup: it is on standby for Ethernet 9", "Primary: Ethernet 9", "Failback: to the primary",
		"MAC: ", "VLANs: tenant, id 42, priority 3", "Device: " + teamDevice, "GUID: {",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the team's details lack %q:\n%s", want, text)
		}
	}
	change(t, l, hardware.PullCable{Connection: "Ethernet 9"}, hardware.PullCable{Connection: "Ethernet 10"})
	next(t, l, time.Second, &column)
	if n := teamNode(t, l); n.State != perf.StateDown || n.Speed != 0 || len(n.Health) == 0 || n.Health[0].Severity != eventlog.Warning {
		t.Errorf("without cables %+v", n)
	}
}

func parentName(nodes []perf.Node, i int) string {
	if p := nodes[i].Parent; p >= 0 {
		return nodes[p].Name
	}
	return ""
}

// TestAVirtualPortOfIPoIBHasItsOwnSeries: it has its series and its row under its port, although the lab has no workload in its
// partition.
func TestAVirtualPortOfIPoIBHasItsOwnSeries(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := newLab(t, 1)
	change(t, l, fabric.AddPartition{Connection: "Ethernet 4", Name: "i_one"}, fabric.AddPartition{Connection: "Ethernet 4", Name: "i_two", PKey: 0xf123})
	next(t, l, 0, &column)
	next(t, l, time.Second, &column)
	if n := cellOf(t, l, &column, perf.SummarySet, "Ethernet 4 IPoIB i_one", perf.SummaryReceive); n != 0 {
		t.Errorf("it received %d bytes", n)
	}
	const device = "Mellanox ConnectX-3 Pro IPoIB Adapter - i_one"
	if n := cellOf(t, l, &column, "Network Interface", device, "Current Bandwidth"); n != 56e9 {
		t.Errorf("its link has %d bit/s", n)
	}
	var rows []string
	nodes := l.Inventory().Nodes
	for i, n := range nodes {
		if n.Kind == perf.PartitionNode {
			rows = append(rows, fmt.Sprintf("%s of %s is up: %v", n.Detail, parentName(nodes, i), n.State == perf.StateUp))
		}
	}
	if want := []string{"PKey FFFF of Ethernet 4 is up: true", "PKey F123 of Ethernet 4 is up: false"}; !slices.Equal(rows, want) {
		t.Errorf("rows %q", rows)
	}
	change(t, l, fabric.RemovePartition{Connection: virtualOf(nodes)})
	next(t, l, time.Second, &column)
	if n := cellOf(t, l, &column, perf.SummarySet, "Ethernet 4 IPoIB i_one", perf.SummaryReceive); n != -1 {
		t.Errorf("after it was removed it reads %d", n)
	}
}

// virtualOf returns the connection of the first virtual port of IPoIB.
func virtualOf(nodes []perf.Node) string {
	return nodes[slices.IndexFunc(nodes, func(n perf.Node) bool { return n.Kind == perf.PartitionNode })].Name
}

// TestFramesOfAnUnownedVLANAreNoFullBuffer: the switch sends frames of a VLAN without an adapter, and the driver drops them.
func TestFramesOfAnUnownedVLANAreNoFullBuffer(t *testing.T) {
	t.Parallel()
	var column perf.Column
	l := teamLab(t, "SLB", &column)
	change(t, l, teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42})
	next(t, l, time.Second, &column)
	next(t, l, time.Second, &column)
	var health []string
	for _, n := range l.Inventory().Nodes {
		for _, f := range n.Health {
			if n.Kind == perf.PortNode && n.Team != "" {
				health = append(health, f.Text)
			}
		}
	}
	text := strings.Join(health, "\n")
	if !strings.Contains(text, "a VLAN that no adapter of this host has") || strings.Contains(text, "buffer full") {
		t.Errorf("the ports say %s", text)
	}
}
