package twin

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/stack"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
)

// word returns the word of a setting that PowerShell writes as a word or as a number.
func word(r row, numbers map[int64]string, names ...string) string {
	if n, ok := r.number(names...); ok {
		return numbers[n]
	}
	return r.text(names...)
}

// operations returns the Operations that set up the teams, policies and addresses of a host on the ports of a description.
func (f *Facts) operations(ports map[string]*description.Port) (list []driver.Operation) {
	return slices.Concat(f.addressOperations(ports), f.teamOperations(ports), f.qosOperations())
}

func (f *Facts) addressOperations(ports map[string]*description.Port) (list []driver.Operation) {
	for _, r := range f.addresses {
		connection := r.text("interfacealias")
		address, err := netip.ParseAddr(r.text("ipaddress"))
		length, ok := r.number("prefixlength")
		if ports[connection] == nil || err != nil || !ok || length < 1 || int(length) > address.BitLen() || address.IsLinkLocalUnicast() {
			continue
		}
		list = append(list, stack.AddAddress{Connection: connection, Address: netip.PrefixFrom(address, int(length))})
	}
	return list
}

func (f *Facts) teamOperations(ports map[string]*description.Port) (list []driver.Operation) {
	for i, t := range f.teams {
		group := i + 1
		name := t.text("name")
		mode := word(t, map[int64]string{0: mux.StaticMode, 1: mux.SwitchIndependent, 2: mux.LacpMode}, "teamingmode")
		load := word(t, map[int64]string{0: mux.TransportPorts, 2: mux.IPAddresses, 3: mux.MacAddresses, 4: mux.HyperVPort, 5: mux.Dynamic}, "loadbalancingalgorithm")
		if !slices.Contains(mux.Modes(), mode) || !slices.Contains(mux.Algorithms(), load) {
			f.leaveOut("the team %s: its mode %q and its load balancing %q are unknown", name, t.text("teamingmode"), t.text("loadbalancingalgorithm"))
			continue
		}
		members := t.list("members")
		for _, m := range f.members {
			if m.text("team") == name && !slices.Contains(members, m.text("name")) {
				members = append(members, m.text("name"))
			}
		}
		known := slices.DeleteFunc(slices.Clone(members), func(member string) bool { return ports[member] == nil })
		if len(known) == 0 {
			f.leaveOut("the team %s: none of its members is an adapter of the twin", name)
			continue
		}
		list = append(list, teams.Create{Name: name, Type: mux.WindowsType(mode, load).String(), Family: description.WinOF2, Algorithm: load})
		for _, member := range members {
			if ports[member] == nil {
				f.leaveOut("the member %s of the team %s: it is no adapter of the twin", member, name)
				continue
			}
			if mode != mux.SwitchIndependent { // its members carry nothing otherwise
				list = append(list, fabric.SetSwitchPort{Connection: member, Aggregation: &group})
			}
			list = append(list, teams.Attach{Team: name, Connection: member})
		}
		for _, nic := range f.teamNICs {
			if id, ok := nic.number("vlanid"); ok && id > 0 && nic.text("team") == name {
				list = append(list, teams.AddVLAN{Team: name, Name: nic.text("name"), ID: int(id)})
			}
		}
	}
	return list
}

func (f *Facts) qosOperations() (list []driver.Operation) {
	if len(f.flowControl)+len(f.classes)+len(f.dcbx) > 0 {
		list = append(list, qos.SetFeature{Installed: true})
	}
	for _, p := range f.policies {
		policy := qos.Policy{Name: p.text("name")}
		if n, ok := p.number("priorityvalue", "priorityvalue8021action"); ok && n >= 0 && n <= 7 {
			priority := int(n)
			policy.Priority = &priority
		}
		if n, ok := p.number("dscpvalue", "dscpaction"); ok && n >= 0 && n <= 63 {
			value := int(n)
			policy.DSCP = &value
		}
		if n, ok := p.number("netdirectport", "netdirectportmatchcondition"); ok && n > 0 && n <= 65535 {
			policy.NetDirectPort = int(n)
		}
		if template := p.text("template", "templatematchcondition"); template != "" && template != "None" {
			policy.Template = qos.Template(template)
		}
		policy.Program = p.text("apppathname", "apppathnamematchcondition")
		if n, ok := p.number("ipport", "ipportmatchcondition"); ok && n > 0 && n <= 65535 {
			policy.Port = int(n)
		}
		if protocol := strings.ToUpper(p.text("ipprotocol", "ipprotocolmatchcondition")); protocol == "TCP" || protocol == "UDP" {
			policy.Protocol = qos.Protocol(protocol)
		}
		list = append(list, qos.AddPolicy{Policy: policy})
	}
	for _, c := range f.classes {
		name := c.text("name")
		if name == "[Default]" || name == "" || c.text("ifalias", "interfacealias") != "" {
			continue
		}
		class := qos.Class{Name: name, Algorithm: qos.ETS, Priorities: priorities(c.list("priority"))}
		algorithm := word(c, map[int64]string{0: string(qos.Strict), 2: string(qos.ETS)}, "algorithm")
		if strings.EqualFold(algorithm, string(qos.Strict)) {
			class.Algorithm = qos.Strict
		}
		if n, ok := c.number("bandwidth", "bandwidthpercentage"); ok && class.Algorithm == qos.ETS && n > 0 && n <= 100 {
			class.Bandwidth = int(n)
		}
		list = append(list, qos.AddClass{Class: class})
	}
	var on []int
	for _, c := range f.flowControl {
		n, ok := c.number("priority")
		if enabled, known := c.flag("enabled"); ok && known && enabled && n >= 0 && n <= 7 && c.text("ifalias", "interfacealias") == "" {
			on = append(on, int(n))
		}
	}
	if len(on) > 0 {
		list = append(list, qos.SetFlowControl{Priorities: on, Enabled: true})
	}
	for _, d := range f.dcbx {
		if willing, known := d.flag("willing"); known && d.text("ifalias", "interfacealias") == "" {
			list = append(list, qos.SetDCBX{Willing: willing})
			break
		}
	}
	return list
}

// priorities reads the priorities of a class: single ones and ranges such as 0-2.
func priorities(list []string) (set qos.Priorities) {
	for _, part := range list {
		first, last, isRange := strings.Cut(part, "-")
		low, err := strconv.Atoi(strings.TrimSpace(first))
		high := low
		if err == nil && isRange {
			high, err = strconv.Atoi(strings.TrimSpace(last))
		}
		if err != nil || low < 0 || high > 7 {
			continue
		}
		for priority := low; priority <= high; priority++ {
			set |= 1 << priority
		}
	}
	return set
}

// leaveOut lists an exported setting that the twin does not have.
func (f *Facts) leaveOut(format string, arguments ...any) {
	f.unknown = append(f.unknown, cleanTo(fmt.Sprintf("left out: "+format, arguments...), 300))
}
