package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
)

// teamVectors are the topics of model rules TEAM-1 to TEAM-14.
var teamVectors = map[string]vectorRunner{
	"team-config": vectorOps(map[string]vectorRunner{
		"type_number": vector(teamTypeInput{}, runTeamType),
		"create":      vector(teamCreateInput{}, runTeamCreate),
		"team_mac":    vector(teamMACInput{}, runTeamMAC),
		"capture":     vector(teamCaptureInput{}, runTeamCapture),
		"add_vlan":    vector(teamVLANInput{}, runTeamVLAN),
		"refresh":     vector(teamRefreshInput{}, runTeamRefresh),
		"removeteam":  vector(teamRemoveInput{}, runTeamRemove),
	}),
	"teaming-failover": vector(teamMovesInput{Failback: true}, runTeamMoves),
}

type teamTypeInput struct {
	Type string `json:"type"`
}

type teamTypeOutput struct {
	TeamType mux.Type
}

func runTeamType(in teamTypeInput) (teamTypeOutput, error) {
	t, err := mux.ParseType(in.Type)
	return teamTypeOutput{t}, err
}

// teamHost returns the host of the WinOF manual's examples; change may modify its description first.
func teamHost(change func(*description.Description)) (*driver.Host, error) {
	for _, named := range description.NamedLabs() {
		if named.Name != "manual-winof" {
			continue
		}
		d, err := description.ParseText(named.Text())
		if err != nil {
			return nil, err
		}
		change(d)
		lab, err := device.New(d, 1)
		if err != nil {
			return nil, err
		}
		return driver.NewHost(lab), nil
	}
	return nil, fmt.Errorf("the lab manual-winof is missing")
}

// changedHost returns the host of teamHost after Operations.
func changedHost(operations ...driver.Operation) (*driver.Host, error) {
	h, err := teamHost(func(*description.Description) {})
	if err == nil {
		_, err = h.Apply(driver.Plan{Title: "Vector", Operations: operations})
	}
	return h, err
}

type teamCreateInput struct {
	Type       string `json:"type"`
	IPoIB      bool   `json:"ipoib"`
	NoFailback bool   `json:"NoFailBackToPrimary"`
	// Vendor is the PCI vendor id of the first member, empty for a team without members.
	Vendor string `json:"member_vendor_id"`
}

type teamCreateOutput struct {
	Accepted bool `json:"accepted"`
	Failback int  `json:"FallBackToPrimary"`
}

func runTeamCreate(in teamCreateInput) (out teamCreateOutput, err error) {
	operations := []driver.Operation{teams.Create{
		Name: "T", Type: in.Type, IPoIB: in.IPoIB, NoFailback: in.NoFailback, Family: description.WinOF,
	}}
	vendor := uint64(0)
	if in.Vendor != "" {
		if vendor, err = strconv.ParseUint(in.Vendor, 0, 16); err != nil {
			return out, err
		}
		operations = append(operations, teams.Attach{Team: "T", Connection: "Ethernet 2"})
	}
	h, err := teamHost(func(d *description.Description) {
		for i := range d.Adapters {
			if in.Vendor != "" {
				d.Adapters[i].VendorID = uint16(vendor)
			}
		}
	})
	if err != nil {
		return out, err
	}
	_, refused := h.Apply(driver.Plan{Title: "Vector", Operations: operations})
	if out.Accepted = refused == nil; out.Accepted && h.Teams()[0].Failback {
		out.Failback = 1
	}
	return out, nil
}

type teamMACInput struct {
	Members map[string]description.MAC `json:"members"`
	Set     *string                    `json:"set_team_mac_address_on"`
}

type teamMACOutput struct {
	MAC string `json:"team_mac"`
}

func runTeamMAC(in teamMACInput) (teamMACOutput, error) {
	if in.Set != nil {
		return teamMACOutput{strings.ToLower(mux.Address(in.Members[*in.Set], true).String())}, nil
	}
	return teamMACOutput{strings.ToLower(mux.Address(in.Members["A"], false).String())}, nil
}

type teamCaptureInput struct {
	Type string `json:"type"`
	On   string `json:"capture_on"`
}

type teamCaptureOutput struct {
	Connectivity string `json:"team_connectivity"`
}

func runTeamCapture(in teamCaptureInput) (out teamCaptureOutput, err error) {
	h, err := changedHost(
		teams.Create{Name: "T", Type: in.Type, Family: description.WinOF},
		teams.Attach{Team: "T", Connection: "Ethernet 2"}, teams.Attach{Team: "T", Connection: "Ethernet 3"})
	if err != nil {
		return out, err
	}
	h.Advance(10 * time.Second)
	if in.On == "backup member" {
		if _, err := h.Apply(driver.Plan{Title: "Capture", Operations: []driver.Operation{
			hardware.SetFault{Connection: "Ethernet 3", Fault: description.Capture, Share: 1},
		}}); err != nil {
			return out, err
		}
	}
	received := func() uint64 {
		return h.Lab().Counters()[h.Lab().VirtualCell(h.Teams()[0].Slot, counter.VirtualReceivedPackets)]
	}
	before := received()
	h.Advance(time.Second)
	if out.Connectivity = "broken"; received() > before {
		out.Connectivity = "ok"
	}
	return out, nil
}

type teamVLANInput struct {
	ID       int `json:"vlan_id"`
	Priority int `json:"priority"`
}

type teamVLANOutput struct {
	Accepted bool `json:"accepted"`
}

func runTeamVLAN(in teamVLANInput) (teamVLANOutput, error) {
	_, err := changedHost(teams.Create{Name: "T", Type: "AFT", Family: description.WinOF},
		teams.AddVLAN{Team: "T", Name: "V", ID: in.ID, Priority: in.Priority})
	return teamVLANOutput{err == nil}, nil
}

type teamRefreshInput struct {
	Action string `json:"action"`
}

type teamRefreshOutput struct {
	Events []string `json:"member_events"`
}

func runTeamRefresh(in teamRefreshInput) (out teamRefreshOutput, err error) {
	verb, member, _ := strings.Cut(in.Action, " ")
	h, err := changedHost(teams.Create{Name: "T", Type: "AFT", Family: description.WinOF},
		teams.Attach{Team: "T", Connection: "Ethernet 2"})
	if err != nil {
		return out, err
	}
	h.Advance(10 * time.Second)
	var operation driver.Operation
	connection := "Ethernet 2"
	switch verb {
	case "attach":
		connection = "Ethernet 3"
		operation = teams.Attach{Team: "T", Connection: connection}
	case "detach":
		operation = teams.Detach{Team: "T", Connection: connection}
	default:
		return out, fmt.Errorf("%q has no runner", in.Action)
	}
	if _, err := h.Apply(driver.Plan{Title: "Refresh", Operations: []driver.Operation{operation}}); err != nil {
		return out, err
	}
	for range 100 {
		event := member + " disabled"
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Connection == connection && h.Lab().State(port).Enabled {
				event = member + " enabled"
			}
		}
		if n := len(out.Events); n == 0 || out.Events[n-1] != event {
			out.Events = append(out.Events, event)
		}
		h.Advance(100 * time.Millisecond)
	}
	return out, nil
}

type teamRemoveInput struct {
	Members []string `json:"members"`
}

type teamRemoveOutput struct {
	Order []string `json:"output_order"`
}

// runTeamRemove uses the host's order of members, which is the order in the command.
func runTeamRemove(in teamRemoveInput) (out teamRemoveOutput, err error) {
	operations := []driver.Operation{teams.Create{Name: "NewTeam", Type: "AFT", Family: description.WinOF}}
	h, err := teamHost(func(*description.Description) {})
	if err != nil {
		return out, err
	}
	for _, guid := range in.Members {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Interface == guid {
				operations = append(operations, teams.Attach{Team: "NewTeam", Connection: d.Connection})
			}
		}
	}
	if h, err = changedHost(operations...); err != nil {
		return out, err
	}
	team := h.Teams()[0]
	out.Order = append(out.Order, "Delete team "+team.Name)
	for _, m := range team.Members {
		out.Order = append(out.Order, "Deleting member "+m.GUID)
	}
	return out, nil
}

type teamMovesInput struct {
	Type     string            `json:"type"`
	Members  []string          `json:"members"`
	Primary  *string           `json:"primary"`
	Failback bool              `json:"failback_to_primary"`
	Events   []string          `json:"events"`
	Start    map[string]string `json:"start"`
}

type teamStep struct {
	Event  string            `json:"event"`
	Active *string           `json:"active"`
	Set    []string          `json:"active_set"`
	Roles  map[string]string `json:"roles"`
	Team   string            `json:"team"`
}

type teamMovesOutput struct {
	Steps []teamStep `json:"steps"`
}

func runTeamMoves(in teamMovesInput) (out teamMovesOutput, err error) {
	t, err := mux.ParseType(in.Type)
	if err != nil {
		return out, err
	}
	m := mux.Machine{Type: t, Failback: in.Failback, Primary: mux.NoMember, Chosen: mux.NoMember}
	words := map[string]mux.Status{
		"Connected": mux.Connected, "Disconnected": mux.Disconnected, "Disabled": mux.Disabled,
		"link_down": mux.Disconnected, "link_up": mux.Connected, "disable": mux.Disabled, "enable": mux.Connected,
	}
	// Keys are indexes into this list of names, which grows with each attachment.
	var names []string
	attach := func(name string, status mux.Status, primary bool) error {
		key := slices.Index(names, name)
		if key < 0 {
			key, names = len(names), append(names, name)
		}
		if slices.ContainsFunc(m.Members, func(member mux.Member) bool { return member.Key == key }) {
			return fmt.Errorf("%s is a member already", name)
		}
		m.Attach(mux.Member{Key: key, Status: status}, primary)
		return nil
	}
	for _, name := range in.Members {
		if err := attach(name, words[in.Start[name]], in.Primary != nil && *in.Primary == name); err != nil {
			return out, err
		}
	}
	see := func(event string) {
		m.ChooseActive()
		step := teamStep{Event: event, Set: []string{}, Roles: map[string]string{}, Team: "Disconnected"}
		for _, member := range m.Members {
			step.Roles[names[member.Key]] = m.Role(member.Key).String()
		}
		for _, key := range m.ActiveSet() {
			step.Set = append(step.Set, names[key])
		}
		if m.Connected() {
			step.Team = "Connected"
		}
		if t.FaultTolerant() && len(step.Set) == 1 {
			step.Active = &step.Set[0]
		}
		out.Steps = append(out.Steps, step)
	}
	see("start")
	for _, event := range in.Events {
		verb, rest, _ := strings.Cut(event, " ")
		name, role, _ := strings.Cut(rest, " ")
		if verb == "attach" && (role == "" || role == "primary") {
			if err := attach(name, mux.Connected, role == "primary"); err != nil {
				return out, err
			}
			see(event)
			continue
		}
		status, known := words[verb]
		key := slices.Index(names, name)
		i := slices.IndexFunc(m.Members, func(member mux.Member) bool { return member.Key == key })
		switch {
		case i < 0 || role != "":
			return out, fmt.Errorf("the event %q has no runner", event)
		case verb == "detach":
			m.Detach(key)
		case known:
			m.Members[i].Status = status
		default:
			return out, fmt.Errorf("the event %q has no runner", event)
		}
		see(event)
	}
	return out, nil
}
