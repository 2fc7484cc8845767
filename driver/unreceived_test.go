package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
)

// deliveredNow is what groups of flows deliver after everything has settled, both directions together, by name.
func deliveredNow(h *Host) map[string]float64 {
	reaches := h.lab.Reaches()
	rates := map[string]float64{}
	for i, moves := range h.presentRates(len(reaches)) {
		rates[reaches[i].Name] += moves[0] + moves[1]
	}
	return rates
}

// TestAReviewDuringARestartNamesTrafficWithoutReceiver reviews the VLAN of a team whose members are still restarting: the review
// names the traffic that the same review names afterwards.
func TestAReviewDuringARestartNamesTrafficWithoutReceiver(t *testing.T) {
	t.Parallel()
	h := newHost(t, 7)
	h.Advance(5 * time.Second)
	mustApply(t, h, teams.Create{Name: "T", Type: "ALB", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 8"},
		teams.Attach{Team: "T", Connection: "Ethernet 10"})
	plan := Plan{Title: "x", Operations: []Operation{teams.AddVLAN{Team: "T", Name: "web", ID: 110}}}
	reasons := func() (list []string) {
		review := h.Review(plan)
		for i := range review.Unreceived {
			list = append(list, review.Unreceived[i].Why)
		}
		slices.Sort(list)
		return list
	}
	during := reasons()
	h.Advance(5 * time.Second)
	if after := reasons(); len(after) != 3 || !slices.Equal(during, after) {
		t.Errorf("during the restart the review names %q, and afterwards %q", during, after)
	}
}

// TestAReviewNamesTrafficWithoutReceiver reviews plans of many kinds: what will find no receiver is named with where, why
// and how much, nothing is delivered of it once the plan is applied, and nothing else stops.
func TestAReviewNamesTrafficWithoutReceiver(t *testing.T) {
	t.Parallel()
	team := func(more ...Operation) []Operation {
		return append([]Operation{
			teams.Create{Name: "T", Type: "ALB", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 8"},
			teams.Attach{Team: "T", Connection: "Ethernet 10"},
		}, more...)
	}
	base := newHost(t, 7)
	base.Advance(5 * time.Second)
	for name, c := range map[string]struct {
		before, plan []Operation
		// want are parts of the cautions, which have no others.
		want []string
	}{
		"a team with one VLAN": {nil, team(teams.AddVLAN{Team: "T", Name: "v", ID: 80}), []string{
			"T: the team T has no adapter for VLAN 110; add the VLAN there (Virtual machines, web tier)",
			"T: the team T has no adapter for VLAN 120; add the VLAN there (Virtual machines, database tier)",
			"T: the team T has no adapter for VLAN 160; add the VLAN there (Market data)",
			"T: its frames are longer than the team T accepts or the switch forwards (Render farm",
		}},
		"the last VLAN of some":   {[]Operation{teams.AddVLAN{Connection: "Ethernet 3", Name: "a", ID: 30}, teams.AddVLAN{Connection: "Ethernet 3", Name: "b", ID: 31}}, []Operation{teams.RemoveVLAN{Connection: "Ethernet 3", VLAN: "a"}}, []string{"Ethernet 3: Ethernet 3 has no adapter for VLAN 30; add the VLAN there (Archive"}},
		"another id":              {[]Operation{teams.AddVLAN{Connection: "Ethernet 3", Name: "a", ID: 30}, teams.AddVLAN{Connection: "Ethernet 3", Name: "b", ID: 31}}, []Operation{teams.ModifyVLAN{Connection: "Ethernet 3", VLAN: "b", ID: 32}}, []string{"Ethernet 3: Ethernet 3 has no adapter for VLAN 31; add the VLAN there (Backup"}},
		"the only VLAN":           {[]Operation{teams.AddVLAN{Connection: "Ethernet 3", Name: "a", ID: 30}}, []Operation{teams.RemoveVLAN{Connection: "Ethernet 3", VLAN: "a"}}, nil}, // without any the port takes all
		"a switch with a machine": {nil, []Operation{virtualization.RemoveSwitch{Switch: "Switch Ethernet 7"}}, []string{"Ethernet 7: vm001, vm002, vm003 and vm004 have no virtual port there (Virtual machines"}},
		"a machine":               {nil, []Operation{virtualization.SetVMState{VM: "vm002", State: virtualization.VMOff}}, []string{"Ethernet 7: vm002 has no virtual port"}},
		"smaller frames":          {nil, []Operation{set("Ethernet 8", "*JumboPacket", "1514"), adapters.RestartAdapter{Connection: "Ethernet 8"}}, []string{"Ethernet 8: its frames are longer than Ethernet 8 accepts or the switch forwards (Render"}},
		"smaller frames there":    {nil, []Operation{fabric.SetSwitchPort{Connection: "Ethernet 8", MaxFrame: new(1514)}}, []string{"Ethernet 8: its frames are longer than Ethernet 8 accepts or the switch forwards (SMB Direct mirror and Render"}},
		"fewer VLANs there":       {nil, []Operation{fabric.SetSwitchPort{Connection: "Ethernet 3", VLANs: new("31")}}, []string{"Ethernet 3: the switch does not forward VLAN 30 to Ethernet 3 (Archive"}},
		"a restart":               {nil, []Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}, nil},
		"a reboot":                {nil, []Operation{adapters.Reboot{Host: "LAB-N4"}}, nil},
		"a port that stays down":  {nil, []Operation{adapters.DisableAdapter{Connection: "Ethernet 7"}}, nil}, // which the restarts say
		"a primary member":        {team(), []Operation{teams.SetPrimary{Team: "T", Connection: "Ethernet 10"}}, nil},
	} {
		h := base.Clone()
		if c.before != nil {
			mustApply(t, h, c.before...)
			h.Advance(10 * time.Second)
		}
		review := h.Review(Plan{Title: "x", Operations: c.plan})
		if review.Refusal != nil {
			t.Errorf("%s: %v", name, review.Refusal)
			continue
		}
		var said []string
		named := map[string]bool{}
		for i := range review.Unreceived {
			u := &review.Unreceived[i]
			caution := u.caution()
			said = append(said, caution.Target+": "+caution.Text)
			if !slices.Contains(review.Warnings, caution) {
				t.Errorf("%s: %q is no warning", name, caution.Text)
			}
			sum := 0.0
			for _, f := range u.Flows {
				named[f.Name] = true
				sum += f.Rate
			}
			if sum != u.Rate || !strings.Contains(caution.Text, wording.Rate(u.Rate)+" of current traffic will be dropped: ") {
				t.Errorf("%s: %g b/s of flows are %g: %s", name, sum, u.Rate, caution.Text)
			}
		}
		if len(said) != len(c.want) {
			t.Errorf("%s: %d cautions, want %d: %q", name, len(said), len(c.want), said)
		}
		for _, want := range c.want {
			where, what, _ := strings.Cut(want, ": ")
			if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, where+": ") && strings.Contains(s, ": "+what) }) {
				t.Errorf("%s: %q is not among %q", name, want, said)
			}
		}
		without := h.Clone()
		mustApply(t, h, review.Plan.Operations...)
		span := 10 * time.Second
		if name == "a reboot" {
			span = 3 * time.Minute
		}
		h.Advance(span)
		without.Advance(span)
		before, after := deliveredNow(without), deliveredNow(h)
		for flow, rate := range before {
			if rate > 1e8 && (after[flow] < rate*0.8) != named[flow] && name != "a port that stays down" {
				t.Errorf("%s: %s delivers %s, and %s before; it was named: %t", name, flow, wording.Rate(after[flow]), wording.Rate(rate), named[flow])
			}
		}
	}
}
