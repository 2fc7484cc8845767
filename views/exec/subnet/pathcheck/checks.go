package pathcheck

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/views/exec/subnet"
)

// speeds are the values of -ls, as the report names them.
var speeds = map[string]string{"2.5": "2.5 Gbps", "5": "5.0 Gbps", "10": "10.0 Gbps", "14": "14.0625 Gbps", "25": "25.78125 Gbps"}

// checks runs the checks of a path.
func (r *run) checks(p *path) {
	r.counters(p)
	keys := r.partitions(p)
	r.ipoib(p, keys)
	r.levels(p)
	r.settings(p)
}

// ends returns the ports of a path in their order.
func (p *path) ends() []end {
	if len(p.links) == 0 {
		return []end{p.source}
	}
	var ends []end
	for _, l := range p.links {
		ends = append(ends, l.from, l.to)
	}
	return ends
}

// counters reads the counters of the ports on the LID route, even when a directed route was given: only requests by LID reach them.
func (r *run) counters(p *path) {
	r.title("PM Counters Info")
	if len(r.ports) > 0 {
		route, err := r.byLID(p.source.node, uint16(p.target.lid), false)
		if p.target.lid == 0 {
			err = abortf(unhealthy, "Bad LID: the following device has LID = 0x0000.\n%s\nCannot send pmGetPortCounters mads.", r.name(p.target.node))
		}
		if err != nil {
			r.fault("%s", strings.ReplaceAll(err.Error(), "\n", "\n    "))
			return
		}
		p = route
	}
	var dump strings.Builder
	bad, packets := 0, r.count
	for _, e := range p.ends() {
		place, ok := r.Arrive(r.at, mad.ByLID(uint16(e.lid)))
		for range packets { // what the real program sends over the links
			r.node(e.route)
		}
		data, status := r.GetCounters(place, mad.PortCounters, e.number)
		if !ok || status != mad.OK {
			r.fault("Could not get PM info:\n    \"pmGetPortCounters %d %d\" failed.", e.lid, e.number)
			continue
		}
		fmt.Fprintf(&dump, "%s\n", r.describe(e))
		lines := []string{}
		for _, c := range mad.Counters {
			if c.Bits == 0 {
				continue
			}
			name, value := c.ThresholdName(), c.Get(data)
			fmt.Fprintf(&dump, "%s = 0x%x\n", name, value)
			if note := r.judge(c, name, value); note != "" {
				lines = append(lines, fmt.Sprintf("    %-32s: 0x%x %s\n", name, value, note))
			}
		}
		if r.has("-v") {
			r.info("PM %s: %d counters read, %d above their limits", r.describe(e), strings.Count(dump.String(), " = "), len(lines))
		}
		if len(lines) > 0 {
			bad++
			r.fault("%s\n    %-32s: %s\n%s", r.describe(e), "Performance Monitor counter", "Value", strings.TrimSuffix(strings.Join(lines, ""), "\n"))
		}
		if r.has("-pc") {
			r.clear(place, e.number)
		}
	}
	if bad == 0 {
		r.info("No illegal PM counters values were found")
	}
	if r.has("-pc") {
		r.info("The counters of the path's ports were cleared")
	}
	if r.has("-pm") {
		name := "ibdiagpath.pm"
		if folder := r.values["-o"]; folder != "" {
			name = strings.TrimRight(folder, "/") + "/" + name
		}
		r.result.Files = append(r.result.Files, subnet.File{Name: name, Data: []byte(dump.String())})
	}
}

// judge returns what is wrong with a counter: it stands at its maximum, or above the limit of -P. Data and packets have no maximum that
// means a fault.
func (r *run) judge(c mad.Counter, name string, value uint64) string {
	limit, limited := r.limits[name]
	if !limited {
		limit, limited = r.limits["all"]
	}
	isError := c.Bit >= 0 && c.Bit <= 11
	switch {
	case isError && value == 1<<c.Bits-1:
		return "(overflow)"
	case limited && value > limit:
		return fmt.Sprintf("(above 0x%x)", limit)
	}
	return ""
}

// clear resets all counters of a port.
func (r *run) clear(at infiniband.Place, number int) {
	const all = 0x1ffff
	if r.ClearCounters(at, mad.PortCounters, number, all) == mad.OK {
		at.Port = number
		r.result.Changes = append(r.result.Changes, subnet.Change{Place: at, Verb: subnet.Clear, Mask: all})
	}
}

// keys reads the partition keys of a port.
func (r *run) keys(e end) []description.PKey {
	number, count := e.number, 32
	if e.kind == kindSwitch {
		number = 0
	}
	if info, status := r.Ask(r.at, e.route, mad.NodeInfo, 0); status == mad.OK {
		count = int(mad.PartitionCap.Get(info))
	}
	var keys []description.PKey
	for block := range (count + 31) / 32 {
		data, status := r.Ask(r.at, e.route, mad.PKeyTable, uint32(block|number<<16))
		for i := 0; i < 32 && status == mad.OK; i++ {
			if key := description.PKey(binary.BigEndian.Uint16(data[2*i:])); key.Full() != description.PKey(0).Full() && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func keysText(keys []description.PKey) string {
	var b strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&b, " 0x%04x", uint16(key))
	}
	return b.String()
}

// partitions compares the keys of the ends. Two limited members of a partition cannot communicate.
func (r *run) partitions(p *path) (shared []description.PKey) {
	const fullMember = 0x8000
	r.title("Path Partitions Report")
	source, target := r.keys(p.source), r.keys(p.target)
	r.info("Source %s PKeys:%s", r.describe(p.source), keysText(source))
	r.info("Destination %s PKeys:%s", r.describe(p.target), keysText(target))
	for _, a := range source {
		for _, b := range target {
			if a.Full() == b.Full() && (a|b)&fullMember != 0 && !slices.Contains(shared, a.Full()) {
				shared = append(shared, a.Full())
			}
		}
	}
	if len(shared) == 0 {
		r.fault("No shared PKeys found on Path! Nodes can not communicate!")
		return nil
	}
	r.info("Path shared PKeys:%s", keysText(shared))
	return shared
}

// rates are the rates of the codes of path records, in Gb/s.
var rates = map[uint8]float64{2: 2.5, 3: 10, 4: 30, 5: 5, 6: 20, 7: 40, 8: 60, 9: 80, 10: 120, 11: 14, 12: 56, 13: 112, 14: 168, 15: 25, 16: 100, 17: 200, 18: 300}

// rate returns the rate of a link in Gb/s, as the codes count it.
func (e end) rate() float64 {
	lanes := map[uint64]float64{1: 1, 2: 4, 4: 8, 8: 12, 16: 2}[mad.WidthActive.Get(e.info)]
	if extended := mad.ExtendedActive.Get(e.info); extended != 0 {
		return lanes * map[uint64]float64{1: 14, 2: 25, 4: 50}[extended]
	}
	return lanes * map[uint64]float64{1: 2.5, 2: 5, 4: 10}[mad.SpeedActive.Get(e.info)]
}

// ipoib looks for the broadcast groups of the path's partitions, of which both ends must be members.
func (r *run) ipoib(p *path, keys []description.PKey) {
	r.title("IPoIB Path Check")
	var packet uint64
	rate := 0.0
	for i, e := range p.ends() {
		if own := e.rate(); i == 0 || own < rate {
			rate = own
		}
		if own := mad.MTU.Get(e.info); own != 0 && (packet == 0 || own < packet) {
			packet = own
		}
	}
	found := 0
	if !slices.ContainsFunc(r.Managers, func(m *opensm.Manager) bool { return m.Running && m.Role == opensm.Master }) {
		r.fault("No master subnet manager answers: the multicast groups are unknown")
		return
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		const broadcast = 0xffffffff
		if g.GID[2] != 0x40 || g.GID[3] != 0x1b || binary.BigEndian.Uint32(g.GID[12:]) != broadcast || !slices.Contains(keys, g.PKey.Full()) {
			continue
		}
		found++
		r.info("Subnet: IPv4 PKey:0x%04x QKey:0x%08x MTU:%dByte rate:%gGbps SL:0x%02x", uint16(g.PKey)&0x7fff, g.QKey, 128<<g.MTU, rates[g.Rate], 0)
		for _, e := range []end{p.source, p.target} {
			if e.kind != kindSwitch && !slices.ContainsFunc(g.Members, func(member infiniband.Place) bool { return uint64(r.Of(member).GUID) == e.guid }) {
				r.warn("%s has not joined the group", r.describe(e))
			}
		}
		switch {
		case rate < rates[g.Rate]:
			r.fault("The path carries %gGbps and the group requires %gGbps", rate, rates[g.Rate])
		case rate > rates[g.Rate]:
			r.warn("Suboptimal rate for group. Path rate:%gGbps > group-rate:%gGbps", rate, rates[g.Rate])
		}
		if packet != 0 && packet < uint64(g.MTU) {
			r.fault("The path carries packets of %d bytes and the group requires %d", 128<<packet, 128<<g.MTU)
		}
	}
	if found == 0 {
		r.fault("No IPoIB Subnets found on Path! Nodes can not communicate via IPoIB!")
	}
}

// levels follows the service levels through the tables of the path: a packet whose level leads to a lane that the link does not have, or
// to lane 15, is dropped.
func (r *run) levels(p *path) {
	const managementLane = 15
	r.title("QoS on Path Check")
	usable := make([]string, 0, 16)
	dropped := map[int]string{}
	for i, l := range p.links {
		in := 0
		if i > 0 {
			in = p.links[i-1].to.number
		}
		modifier := uint32(in<<8 | l.from.number)
		if l.from.kind != kindSwitch {
			modifier = 0
		}
		table, status := r.Ask(r.at, l.from.route, mad.SLToVL, modifier)
		if status != mad.OK {
			r.fault("Failed to get SL2VLTable for %s", r.describe(l.from))
			return
		}
		lanes := map[uint64]int{1: 1, 2: 2, 3: 4, 4: 8, 5: 15}[mad.VLs.Get(l.from.info)]
		var blocked []string
		for level := range 16 {
			if lane := int(table[level/2]>>(4-level%2*4)) & 0xf; lane == managementLane || lanes > 0 && lane >= lanes {
				blocked = append(blocked, fmt.Sprint(level))
				dropped[level] = r.describe(l.from)
			}
		}
		if r.has("-v") {
			r.info("At node:%s from-port:%d out-port:%d", r.name(l.from.node), in, l.from.number)
		}
		if len(blocked) > 0 {
			r.warn("SLs:%s mapped to VL > %d at node:%s in-port:%d out-port:%d", strings.Join(blocked, ","), max(lanes-1, 0), r.name(l.from.node), in, l.from.number)
		}
	}
	for level := range 16 {
		if dropped[level] == "" {
			usable = append(usable, fmt.Sprint(level))
		}
	}
	switch place := dropped[r.level]; {
	case len(usable) == 0:
		r.fault("No SLs can be used. No communication from source to destination possible !")
	case r.level < 0:
		r.info("The following SLs can be used:%s", strings.Join(usable, " "))
	case place != "":
		r.fault("SL%d can not be used: the path is broken at %s", r.level, place)
	default:
		r.info("The provided Service Level: %d can be used", r.level)
	}
}

// settings compares the links with the width and the speed of the options.
func (r *run) settings(p *path) {
	for _, check := range []struct{ option, what, wanted string }{
		{"-lw", "width", strings.ToUpper(r.values["-lw"])}, {"-ls", "speed", speeds[r.values["-ls"]]},
	} {
		if check.wanted == "" {
			continue
		}
		r.title(fmt.Sprintf("Links With links %s != %s (as set by %s option)", check.what, check.wanted, check.option))
		unmatched := 0
		for _, l := range p.links {
			actual := mad.WidthActive.Text(l.from.info)
			if check.what == "speed" {
				if actual = mad.SpeedActive.Text(l.from.info); mad.ExtendedActive.Get(l.from.info) != 0 {
					actual = mad.ExtendedActive.Text(l.from.info)
				}
			}
			if actual != check.wanted {
				unmatched++
				r.fault("link with %s=%s found from: %s to: %s", check.what, actual, r.describe(l.from), r.describe(l.to))
			}
		}
		if unmatched == 0 {
			r.info("No unmatched Links (with %s != %s) were found", check.what, check.wanted)
		}
	}
}
