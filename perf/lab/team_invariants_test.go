package lab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
)

// teamSeeds is the number of random runs with teams and VLANs.
const teamSeeds = 48

// TestTheCounterModelHoldsWithTeams creates, changes and breaks teams and VLANs at random, pulls cables and changes keys. All
// invariants of the counter model still hold, and so do the invariants of teams: a team counts its part of its members'
// traffic, its VLANs count no more than the team, and the totals of the ports exclude it.
func TestTheCounterModelHoldsWithTeams(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const groups = 4
	var teams, failovers [groups]int
	t.Run("runs", func(t *testing.T) {
		for group := range groups {
			t.Run(fmt.Sprint(group), func(t *testing.T) {
				t.Parallel()
				for seed := uint64(group); seed < teamSeeds/labShare && !t.Failed(); seed += groups {
					checked, moved := tryTeams(t, seed)
					teams[group] += checked
					failovers[group] += moved
				}
			})
		}
	})
	seen, moved := 0, 0
	for group := range groups {
		seen, moved = seen+teams[group], moved+failovers[group]
	}
	if !t.Failed() && (seen < teamSeeds/labShare || moved < teamSeeds/labShare/4) {
		t.Errorf("only %d teams with traffic were seen, and %d failovers", seen, moved)
	}
}

// tryTeams makes one run. It returns the number of checked teams with traffic, and of failovers.
func tryTeams(t *testing.T, seed uint64) (teams, failovers int) {
	random := rand.New(rand.NewPCG(seed, 11))
	c := &labCheck{t: t, seed: seed, lab: checkedLab(t, seed)}
	host := c.lab.Host()
	next(t, c.lab, 0, &c.before)
	for range 2 {
		_, _ = host.Apply(driver.Plan{Title: "random", Operations: randomTeam(c.lab, random)}) // some can't be created, which is fine
	}
	next(t, c.lab, time.Duration(random.IntN(60))*device.Step, &c.before)
	c.index()
	for range 6 {
		c.begin()
		next(t, c.lab, c.elapsed(random), &c.after)
		c.index()
		c.all()
		teams += c.teams()
		c.before, c.after, c.did = c.after, c.before, nil
		operations := []driver.Operation{randomOperation(c.lab, random)}
		if random.IntN(3) > 0 {
			operations = randomTeamOperation(c.lab, random)
		}
		if _, err := host.Apply(driver.Plan{Title: "random", Operations: operations}); err == nil {
			c.did = operations[0]
		}
		if t.Failed() {
			return teams, failovers
		}
	}
	for _, team := range host.Teams() {
		failovers += len(team.Failovers)
	}
	return teams, failovers
}

// teams checks the invariants of teams and VLANs, and returns the number of teams with traffic.
func (c *labCheck) teams() (seen int) {
	host := c.lab.Host()
	for _, team := range host.Teams() {
		lone := team.Type.FaultTolerant()
		active, connected := 0, 0
		for _, m := range team.Members {
			if m.Status == mux.Connected {
				connected++
			}
			if m.Role == mux.Active {
				active++
			}
		}
		c.need(!lone || active == min(connected, 1), "TEAM-4", "%s has %d active members of %d connected ones", team.Name, active, connected)
		if c.breaks(&team) { // its losses are only in the discards
			continue
		}
		for _, way := range []struct {
			team                             counter.Virtual
			host, functions, functionsByRDMA counter.Port
		}{
			{counter.VirtualReceivedBytes, counter.HostInBytes, counter.FunctionsReceivedBytes, counter.FunctionsReceivedRDMABytes},
			{counter.VirtualReceivedPackets, counter.HostInPackets, counter.FunctionsReceivedPackets, counter.FunctionsReceivedRDMAPackets},
			{counter.VirtualSentBytes, counter.HostOutBytes, counter.FunctionsSentBytes, counter.FunctionsSentRDMABytes},
			{counter.VirtualSentPackets, counter.HostOutPackets, counter.FunctionsSentPackets, counter.FunctionsSentRDMAPackets},
		} {
			carried := uint64(0)
			for _, m := range team.Members { // functions bypass the host's stack, and RDMA bypasses the team
				carried += c.hardware(m.Port, way.host) - c.hardware(m.Port, way.functions) + c.hardware(m.Port, way.functionsByRDMA)
			}
			own := c.moved(host.Lab().VirtualCell(team.Slot, way.team))
			c.need(own == carried, "team", "%s counts %d of %d, and its members carry %d", team.Name, way.team, own, carried)
			tagged := uint64(0)
			for _, w := range team.VLANs {
				tagged += c.moved(host.Lab().VirtualCell(w.Slot, way.team))
			}
			c.need(tagged <= own, "team", "the VLANs of %s have %d of %d, more than its %d", team.Name, tagged, way.team, own)
			if way.team == counter.VirtualSentPackets && own > 0 {
				seen++
			}
		}
	}
	c.virtuals()
	return seen
}

// breaks reports whether a team loses frames inside of it, which members have counted.
func (c *labCheck) breaks(team *teams.View) bool {
	for _, b := range c.lab.Host().Lab().Bindings() {
		if b.Team && b.Slot == team.Slot {
			return b.Broken
		}
	}
	return false
}

// virtuals: the series of existing virtual miniports read their counters, and all others are missing; A5 and A9 hold as for any
// network interface.
func (c *labCheck) virtuals() {
	const ni = "Network Interface"
	lab := c.lab.Host().Lab()
	there := map[string]bool{}
	for _, m := range c.lab.Host().VirtualMiniports() {
		instances := c.lab.builder.virtuals.instancesOf(m)
		if len(instances) != 2 {
			c.t.Fatalf("seed %d: %+v has the instances %q", c.seed, m, instances)
		}
		i := instances[1]
		c.need(!there[i], "virtual", "two are %s", i)
		there[i] = true
		received, sent := c.total(ni, i, "Bytes Received/sec"), c.total(ni, i, "Bytes Sent/sec")
		c.need(received == lab.Counters()[lab.VirtualCell(m.Slot, counter.VirtualReceivedBytes)], "virtual", "%s is read elsewhere", i)
		c.need(c.total(ni, i, "Bytes Total/sec") == received+sent, "A9", "%s", i)
		packets := c.total(ni, i, "Packets Received/sec")
		c.need(c.total(ni, i, "Packets/sec") == packets+c.total(ni, i, "Packets Sent/sec"), "A9", "%s: packets", i)
		kinds := c.total(ni, i, "Packets Received Unicast/sec") + c.total(ni, i, "Packets Received Non-Unicast/sec")
		c.need(kinds == packets, "A9", "%s: %d packets of %d by kind", i, kinds, packets)
		c.need(64*packets <= received, "A5", "%s: %d bytes in %d packets", i, received, packets)
	}
	for _, instances := range c.lab.builder.virtuals.instances {
		cell, ok := c.find(ni, instances[1], "Bytes Sent/sec")
		c.need(ok && (c.after.Cells[cell] != perf.Missing) == there[instances[1]], "virtual", "%s is there: %v", instances[1], there[instances[1]])
	}
}

// randomTeam returns operations that create a random team, mostly of ports of one card.
func randomTeam(l *Source, random *rand.Rand) []driver.Operation {
	lab := l.Host().Lab()
	cards := lab.Description().Adapters
	card := &cards[random.IntN(len(cards))]
	types := mux.Types()
	name := []string{"A", "b", "C c"}[random.IntN(3)]
	list := []driver.Operation{teams.Create{
		Name: name, Type: types[random.IntN(len(types))].Name, Family: card.Family, NoFailback: card.Family == description.WinOF && random.IntN(2) == 0,
	}}
	for i := range card.Ports {
		port := &card.Ports[(i+random.IntN(2))%len(card.Ports)]
		if port.VirtualFunctions > 0 { // a port with a switch can't join
			list = append(list, virtualization.RemoveSwitch{Switch: "Switch " + port.Connection})
		}
		list = append(list, teams.Attach{Team: name, Connection: port.Connection, Primary: random.IntN(3) == 0, SetMAC: random.IntN(3) == 0})
	}
	if random.IntN(3) == 0 { // frames of VLANs without an adapter are lost, the lab's VLANs included
		list = append(list, teams.AddVLAN{Team: name, Name: "v", ID: 1 + random.IntN(100), Priority: random.IntN(8)})
	}
	return list
}

// randomTeamOperation returns a random change of a team, a VLAN or the cables of members; many can't be applied.
func randomTeamOperation(l *Source, random *rand.Rand) []driver.Operation {
	host := l.Host()
	d, _, _ := host.Lab().Port(random.IntN(host.Lab().Ports()))
	all := host.Teams()
	if len(all) == 0 || random.IntN(8) == 0 {
		return randomTeam(l, random)
	}
	team := &all[random.IntN(len(all))]
	member := d.Connection
	if len(team.Members) > 0 && random.IntN(4) > 0 {
		member = team.Members[random.IntN(len(team.Members))].Connection
	}
	if random.IntN(4) == 0 {
		for _, m := range team.Members {
			if m.Role == mux.Active {
				return []driver.Operation{hardware.PullCable{Connection: m.Connection}}
			}
		}
	}
	vlans := append([]int{1 + random.IntN(4094)}, flowVLANs(host.Lab())...)
	id := vlans[random.IntN(len(vlans))]
	types := mux.Types()
	operations := []driver.Operation{
		hardware.PullCable{Connection: member}, hardware.PullCable{Connection: member}, hardware.PlugCable{Connection: member},
		hardware.PlugCable{Connection: member}, adapters.DisableAdapter{Connection: member}, adapters.EnableAdapter{Connection: member},
		teams.Detach{Team: team.Name, Connection: member}, teams.Attach{Team: team.Name, Connection: member},
		teams.SetPrimary{Team: team.Name, Connection: member}, teams.Delete{Team: team.Name},
		teams.Modify{Team: team.Name, Type: types[random.IntN(len(types))].Name}, teams.Modify{Team: team.Name, Name: "d"},
		teams.AddVLAN{Team: team.Name, Name: fmt.Sprintf("vlan %d", id), ID: id, Priority: random.IntN(8)},
		teams.RemoveVLAN{Team: team.Name, VLAN: fmt.Sprintf("vlan %d", id)},
		teams.AddVLAN{Connection: d.Connection, Name: "v", ID: id, Priority: random.IntN(8)},
		teams.RemoveVLAN{Connection: d.Connection, VLAN: "v"},
	}
	return []driver.Operation{operations[random.IntN(len(operations))]}
}

// flowVLANs returns the VLANs of the lab's workloads.
func flowVLANs(lab *device.Lab) (ids []int) {
	for i := range lab.Description().Flows {
		if id := lab.Description().Flows[i].VLAN; id > 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
