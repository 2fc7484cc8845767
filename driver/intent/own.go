package intent

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// maxClusterShare is the largest share of the cluster's policy, in percent.
const maxClusterShare = 2

// intentRows are the checks of the intent itself.
var intentRows = []row{
	{OfIntent, 1, "all fields are known and have values of the right type", "", func(c *checker) {
		c.expect("", len(c.Problems) == 0, "no problems", cmp.Or(strings.Join(c.Problems, "; "), "no problems"))
	}},
	{OfIntent, 2, "there is an adapter with RDMA", "", func(c *checker) { atLeastOne(c, c.node.Name, len(c.targets())) }},
	{OfIntent, 3, "each adapter has a name and a VLANID, other than 0 on native adapters", "", func(c *checker) {
		for i, t := range c.targets() {
			object := cmp.Or(t.Name, fmt.Sprintf("adapter %d", i+1))
			complete := t.Name != "" && t.VLAN != nil && (t.under != nil || *t.VLAN != 0) && (t.under == nil || t.VMNetworkAdapter != "")
			c.expect(object, complete, "name and VLANID", map[bool]string{true: "name and VLANID", false: "an adapter without them"}[complete])
		}
	}},
	{OfIntent, 4, "no adapter is named twice, or both with and without RDMA", "", func(c *checker) {
		seen := map[string]bool{}
		twice := ""
		add := func(name string) {
			if key := strings.ToLower(name); name != "" && seen[key] {
				twice = name
			} else {
				seen[key] = true
			}
		}
		for _, t := range c.targets() {
			add(t.Name)
			add("\x00" + t.VMNetworkAdapter)
		}
		for _, a := range c.node.Disabled {
			add(a.Name)
		}
		for i := range c.node.Switches {
			for _, a := range c.node.Switches[i].Disabled {
				add("\x00" + a.VMNetworkAdapter)
			}
		}
		c.expectEqual("", absent, cmp.Or(strings.TrimPrefix(twice, "\x00"), absent))
	}},
	{OfIntent, 5, "there are at least three policies", "", func(c *checker) { c.expect("", len(c.Policies) >= 3, "3 or more", strconv.Itoa(len(c.Policies))) }},
	{OfIntent, 6, "one policy is Default, one is Cluster, and one has a NetDirect port", "", func(c *checker) {
		count := [3]int{}
		for _, p := range c.Policies {
			switch {
			case strings.EqualFold(p.Template, "Default"):
				count[0]++
			case strings.EqualFold(p.Template, "Cluster"):
				count[1]++
			}
			if p.NetDirectPort != nil {
				count[2]++
			}
		}
		c.expectEqual("", "1, 1, 1", fmt.Sprintf("%d, %d, %d", count[0], count[1], count[2]))
	}},
	{OfIntent, 7, "the share of Cluster is at most 2%", "no policy has the template Cluster", func(c *checker) {
		for _, p := range c.Policies {
			if strings.EqualFold(p.Template, "Cluster") && p.Bandwidth != nil {
				c.expect(p.Name, *p.Bandwidth <= maxClusterShare, "2% or less", fmt.Sprintf("%d%%", *p.Bandwidth))
			}
		}
	}},
	{OfIntent, 8, "the shares add up to 100%", "", func(c *checker) {
		sum := 0
		for _, p := range c.Policies {
			if p.Bandwidth != nil {
				sum += min(max(*p.Bandwidth, -1000), 1000)
			}
		}
		c.expectEqual("", "100%", fmt.Sprintf("%d%%", sum))
	}},
	{OfIntent, 9, "each policy has a name, a template or a NetDirect port, a priority, a share and an algorithm", "", func(c *checker) {
		for i, p := range c.Policies {
			complete := p.Name != "" && (p.Template != "") != (p.NetDirectPort != nil) && p.Priority != nil && *p.Priority >= 0 && *p.Priority <= 7 &&
				p.Bandwidth != nil && (strings.EqualFold(p.Algorithm, "ETS") || strings.EqualFold(p.Algorithm, "Strict"))
			c.expect(cmp.Or(p.Name, fmt.Sprintf("policy %d", i+1)), complete, "complete", map[bool]string{true: "complete", false: "incomplete"}[complete])
		}
	}},
}

// eachPath runs a check for each physical adapter with RDMA that the host has.
func eachPath(check func(c *checker, name string, p *Path)) func(*checker) {
	return func(c *checker) {
		for _, t := range c.targets() {
			if n := c.facts.nic(t.Name); n != nil && n.Path.Known {
				check(c, t.Name, &n.Path)
			}
		}
	}
}

func agrees(c *checker, name string, mismatches []string) {
	c.expect(name, len(mismatches) == 0, "agreement", cmp.Or(strings.Join(mismatches, "; "), "agreement"))
}

// pathRows are the checks beyond the host, along the path of the frames.
var pathRows = []row{
	{OfPath, 1, "the switch port agrees with the adapter", "no such adapter", eachPath(func(c *checker, name string, p *Path) { agrees(c, name, p.Mismatches) })},
	{OfPath, 2, "the second switch port and the peers agree", "no such adapter", eachPath(func(c *checker, name string, p *Path) {
		if p.FarEndKnown {
			agrees(c, name, p.FarEnd)
		}
	})},
	{OfPath, 3, "RDMA has its lossless priority at every hop", "no policy has a NetDirect port", eachPath(func(c *checker, name string, p *Path) {
		want := c.LosslessPriority()
		if want < 0 || len(p.Hops) == 0 {
			return
		}
		var wrong []string
		for _, hop := range p.Hops {
			if hop.Priority != want {
				priority := "no priority"
				if hop.Priority >= 0 {
					priority = fmt.Sprintf("priority %d", hop.Priority)
				}
				wrong = append(wrong, hop.Where+": "+priority)
			}
		}
		text := fmt.Sprintf("priority %d at every hop", want)
		c.expectEqual(name, text, cmp.Or(strings.Join(wrong, "; "), text))
	})},
	{OfPath, 4, "no RDMA frame is dropped under real traffic", "no RDMA traffic during the check", eachPath(func(c *checker, name string, p *Path) {
		if p.Traffic {
			c.expectEqual(name, "no drops", cmp.Or(p.Drops, "no drops"))
		}
	})},
	{OfPath, 5, "the RDMA priority is not paused permanently", "no RDMA traffic during the check", eachPath(func(c *checker, name string, p *Path) {
		if p.Traffic {
			c.expectEqual(name, "pauses end", cmp.Or(p.Pauses, "pauses end"))
		}
	})},
	{OfPath, 6, "congestion control is on at both ends: adapter and peers react and notify, the switch port marks", "no policy has a NetDirect port",
		eachPath(func(c *checker, name string, p *Path) {
			switch {
			case c.LosslessPriority() < 0:
				return
			case p.NoControl:
				c.add(name, NotApplicable, "", "a WinOF adapter has no congestion control")
				return
			}
			var missing []string
			for _, need := range []struct {
				on   bool
				what string
			}{{p.Reacts, "the adapter does not react"}, {p.Notifies, "the adapter does not notify"}, {p.Marks, "the switch port does not mark"},
				{p.PeersReact, "the peers do not react"}, {p.PeersNotify, "the peers do not notify"}, {!p.LosesNotices, "the switch drops notifications"}} {
				if !need.on {
					missing = append(missing, need.what)
				}
			}
			c.expectEqual(name, "on", cmp.Or(strings.Join(missing, "; "), "on"))
		})},
	{OfPath, 7, "the adapter has a RoCE v2 GID", "no such adapter", eachPath(func(c *checker, name string, p *Path) {
		c.expect(name, len(p.GIDs) > 0, "a GID", cmp.Or(strings.Join(p.GIDs, ", "), "no IP address, and so no GID"))
	})},
}
