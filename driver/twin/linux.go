package twin

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/registry/regfile"
	"cxdeck/driver/wording"
)

// bundleSchema is the version of the bundle of a Linux machine.
const bundleSchema = 1

// Bundle is the document of a Linux machine that cxdeck twin collect writes.
type Bundle struct {
	Schema    int                `json:"cxdeck_bundle"`
	Collected time.Time          `json:"collected"`
	Machine   *linuxhost.Machine `json:"machine"`
	// Samples are a short log of the counters that workloads follow; nil if none were taken.
	Samples *Samples `json:"samples,omitempty"`
}

// Samples are counts at several times, under the names of the counters of Windows.
type Samples struct {
	Times    []time.Time `json:"times"`
	Counters []Counts    `json:"counters"`
}

// Counts are the counts of one counter.
type Counts struct {
	// Path is \Set(Instance)\Counter.
	Path string `json:"path"`
	// Increases has one number for each sample: the increase since the last known count, -1 if the count is unknown or was reset. The
	// first number is 0 if the count is known.
	Increases []int64 `json:"increases"`
}

// Limits of the samples of a bundle.
const (
	MaxSamples         = 3600
	maxSampledCounters = 4096
)

// check returns why samples are damaged.
func (s *Samples) check() error {
	switch {
	case s == nil:
		return nil
	case len(s.Times) > MaxSamples || len(s.Counters) > maxSampledCounters:
		return fmt.Errorf("the bundle has more than %d samples of %d counters", MaxSamples, maxSampledCounters)
	}
	for i := 1; i < len(s.Times); i++ {
		if !s.Times[i].After(s.Times[i-1]) {
			return errors.New("the samples of the bundle are not in the order of their times")
		}
	}
	for i := range s.Counters {
		if c := &s.Counters[i]; len(c.Increases) != len(s.Times) {
			return fmt.Errorf("the bundle has %d values of %s, and %d samples", len(c.Increases), cleanTo(c.Path, 100), len(s.Times))
		}
	}
	return nil
}

// NewBundle returns the bundle of a machine, without serial numbers.
func NewBundle(m *linuxhost.Machine, now time.Time) *Bundle {
	copied := *m
	copied.Adapters = slices.Clone(m.Adapters)
	for i := range copied.Adapters {
		copied.Adapters[i].Serial = ""
	}
	return &Bundle{Schema: bundleSchema, Collected: now.UTC().Truncate(time.Second), Machine: &copied}
}

// linuxPort is what a Linux machine says of a port beyond what Windows says.
type linuxPort struct {
	functions int
	down      bool
	lossless  []int
}

// addLinux takes the bundle of a Linux machine: what it has in common with Windows is read as the cmdlets of Windows would say it.
func (f *Facts) addLinux(text string) (what string, err error) {
	var bundle Bundle
	if err := json.Unmarshal([]byte(text), &bundle); err != nil {
		return "", errors.New("the bundle of a Linux machine is damaged: its values have other types than cxdeck twin collect writes")
	}
	m := bundle.Machine
	switch {
	case bundle.Schema != bundleSchema:
		return "", fmt.Errorf("the bundle has format %d, and this program reads format %d", bundle.Schema, bundleSchema)
	case m == nil:
		return "", errors.New("the bundle has no machine")
	case f.kernel != "" || f.linux != nil:
		return "", errors.New("it is a second bundle; a twin is made of one machine")
	case len(m.Interfaces) > maxRows || len(m.Adapters) > maxRows || len(m.RDMA) > maxRows:
		return "", fmt.Errorf("the bundle has more than %d objects", maxRows)
	}
	if err := bundle.Samples.check(); err != nil {
		return "", err
	}
	if bundle.Samples != nil {
		f.samples = append(f.samples, bundle.Samples)
	}
	f.linux, f.kernel = map[string]linuxPort{}, clean(m.Kernel)
	f.name(m.Name)
	numbers := map[string]int{}
	for i := range m.Adapters {
		if a := &m.Adapters[i]; a.Parent == "" && isLinuxAdapter(a) {
			f.addLinuxAdapter(m, a, numbers)
		}
	}
	f.addBonds(m)
	for _, line := range m.Unread[:min(len(m.Unread), 100)] {
		f.unknown = append(f.unknown, cleanTo("not collected: "+line, 300))
	}
	return "the bundle of a Linux machine", nil
}

func isLinuxAdapter(a *linuxhost.Adapter) bool {
	return strings.EqualFold(a.Vendor, "15b3") || strings.HasPrefix(a.Driver, "mlx4_") || strings.HasPrefix(a.Driver, "mlx5_")
}

// addLinuxAdapter adds the ports of a PCI function. numbers counts the ports of each product, as Windows numbers their descriptions.
func (f *Facts) addLinuxAdapter(m *linuxhost.Machine, a *linuxhost.Adapter, numbers map[string]int) {
	id, err := strconv.ParseUint(strings.TrimPrefix(a.Device, "0x"), 16, 16)
	if err != nil {
		f.leaveOut("the PCI function %s: its device id %q is unknown", clean(a.Address), clean(a.Device))
		return
	}
	kind, known := productOf(int(id), "")
	if !known {
		f.leaveOut("the PCI function %s: its device id %04x is no ConnectX adapter", clean(a.Address), id)
		return
	}
	for i := range m.Interfaces {
		n := &m.Interfaces[i]
		if n.Adapter != a.Address || n.Kind != "" || n.Name == "" {
			continue
		}
		var rdma linuxhost.RDMAPort
		for _, port := range m.RDMA {
			if port.Adapter == a.Address && (port.Interface == n.Name || port.Interface == "") {
				rdma = port
				break
			}
		}
		infiniBand := strings.EqualFold(rdma.Layer, "InfiniBand") || len(n.Address) > len("00:00:00:00:00:00")
		device := "Mellanox " + kind.name + map[bool]string{true: " IPoIB", false: ""}[infiniBand] + " Adapter"
		if numbers[device]++; numbers[device] > 1 {
			device += fmt.Sprintf(" #%d", numbers[device])
		}
		name := clean(n.Name)
		r := row{"name": name, "interfacedescription": device, "macaddress": n.Address}
		if gbps, _, ok := strings.Cut(rdma.Rate, " Gb/sec"); ok {
			r["speed"] = gbps + " Gbps"
		}
		f.adapters = append(f.adapters, r)
		f.hardware = append(f.hardware, linuxSlot(name, a))
		card := cardText{connection: name, psid: clean(cmp.Or(a.Board, rdma.Board)), firmware: clean(cmp.Or(a.Firmware, rdma.Firmware)), deviceID: int(id), nodeGUID: readGUID(rdma.GUID)}
		if version, _, ok := strings.Cut(card.firmware, " "); ok { // ethtool adds the PSID in brackets
			card.firmware = version
		}
		if infiniBand {
			card.link = "infiniband"
		}
		f.cards = append(f.cards, card)
		f.linux[name] = f.linuxPortOf(n)
		f.addLinuxSettings(n, name, kind.family)
	}
}

// linuxSlot returns the place of a PCI function as Get-NetAdapterHardwareInfo says it. Only the first PCI domain has a place in Windows.
func linuxSlot(name string, a *linuxhost.Adapter) row {
	r := row{"name": name, "pcielinkspeed": strings.TrimSuffix(a.Speed, " PCIe"), "pcielinkwidth": a.Width}
	if node, err := strconv.Atoi(a.Node); err == nil && node >= 0 {
		r["numanode"] = strconv.Itoa(node)
	}
	var address description.PCIAddress
	if rest, ok := strings.CutPrefix(a.Address, "0000:"); ok && address.UnmarshalText([]byte(rest)) == nil {
		r["bus"], r["device"], r["function"] = strconv.Itoa(int(address.Bus)), strconv.Itoa(int(address.Device)), strconv.Itoa(int(address.Function))
	}
	return r
}

// linuxPortOf returns what has no counterpart in the cmdlets of Windows.
func (f *Facts) linuxPortOf(n *linuxhost.Interface) (p linuxPort) {
	p.down, p.functions = !n.Up, len(n.Functions)
	if s, ok := n.Setting("vfs"); ok {
		if count, err := strconv.Atoi(s.Value); err == nil {
			p.functions = count
		}
	}
	p.functions = max(0, min(p.functions, 127))
	for _, v := range n.Functions[:min(len(n.Functions), 127)] {
		if v.VLAN != 0 || v.MinRate != 0 || v.MaxRate != 0 || v.Trust {
			f.leaveOut("the VLAN, rates and trust of VF %d of %s: Windows keeps them with a virtual machine", v.Number, clean(n.Name))
		}
	}
	if n.DCB == nil {
		return p
	}
	for _, priority := range n.DCB.PFC {
		if priority >= 0 && priority < 8 && !slices.Contains(p.lossless, priority) {
			p.lossless = append(p.lossless, priority)
		}
	}
	slices.Sort(p.lossless)
	if len(f.flowControl) == 0 { // Windows has one setting for all adapters
		for priority := range 8 {
			f.flowControl = append(f.flowControl, row{"priority": strconv.Itoa(priority), "enabled": strconv.FormatBool(slices.Contains(p.lossless, priority))})
		}
		f.dcbx = append(f.dcbx, row{"willing": strconv.FormatBool(n.DCB.Willing)})
		f.addLinuxClasses(n.DCB)
	}
	for _, app := range n.DCB.Apps[:min(len(n.DCB.Apps), 64)] {
		f.leaveOut("the rule %s %d with priority %d of %s: Windows has QoS policies instead", clean(app.Selector), app.Protocol, app.Priority, clean(n.Name))
	}
	return p
}

// addLinuxClasses adds the traffic classes of Linux except the one of priority 0, which is the default class of Windows.
func (f *Facts) addLinuxClasses(d *linuxhost.DCB) {
	if len(d.Class) != 8 {
		return
	}
	for class := range 8 {
		var members []any
		for priority, of := range d.Class {
			if of == class {
				members = append(members, strconv.Itoa(priority))
			}
		}
		if len(members) == 0 || class == d.Class[0] || class >= len(d.Share) || class >= len(d.Kind) {
			continue
		}
		r := row{"name": fmt.Sprintf("tc%d", class), "algorithm": "Strict", "priority": members}
		if strings.EqualFold(d.Kind[class], "ets") {
			r["algorithm"], r["bandwidth"] = "ETS", strconv.Itoa(d.Share[class])
		}
		f.classes = append(f.classes, r)
	}
}

// addLinuxSettings adds the settings of an interface that Windows has as registry values. A value out of the range of Windows becomes the
// nearest one.
func (f *Facts) addLinuxSettings(n *linuxhost.Interface, name string, family description.Family) {
	add := func(key string, value int) {
		f.properties = append(f.properties, row{"name": name, "registrykeyword": key, "registryvalue": strconv.Itoa(value)})
	}
	number := func(setting string) (int, bool) {
		s, ok := n.Setting(setting)
		value, err := strconv.Atoi(s.Value)
		return value, ok && err == nil && value > 0
	}
	isOn := func(setting string) (on, ok bool) {
		s, ok := n.Setting(setting)
		return s.Value == "on", ok
	}
	const header, least, most = 14, 256, 4096
	if mtu, ok := number("mtu"); ok && mtu+header >= 614 && mtu+header <= 9614 && len(n.Address) <= len("00:00:00:00:00:00") {
		add("*JumboPacket", mtu+header)
	}
	for setting, key := range map[string]string{"ring.rx": "*ReceiveBuffers", "ring.tx": "*TransmitBuffers"} {
		if length, ok := number(setting); ok {
			near := max(least, min(most, length))
			if add(key, near); near != length {
				f.notes = append(f.notes, fmt.Sprintf("%s: %s is %d, the nearest value of Windows to %d", name, key, near, length))
			}
		}
	}
	if queues, ok := number("channels.combined"); ok {
		limit := map[description.Family]int{description.WinOF: 64, description.WinOF2: 16}[family]
		near := 1
		for near*2 <= min(queues, limit) {
			near *= 2
		}
		if add("*NumRSSQueues", near); near != queues {
			f.notes = append(f.notes, fmt.Sprintf("%s: *NumRSSQueues is %d, the nearest value of Windows to %d", name, near, queues))
		}
	}
	receives, ok := isOn("pause.rx")
	sends, _ := isOn("pause.tx")
	if ok && (n.DCB == nil || len(n.DCB.PFC) == 0) {
		control := 0
		if receives {
			control++ // it obeys pause frames
		}
		if sends {
			control += 2
		}
		add("*FlowControl", control)
	}
	for setting, keys := range map[string][]string{"offload.tx-tcp-segmentation": {"*LsoV2IPv4"}, "offload.tx-tcp6-segmentation": {"*LsoV2IPv6"}, "offload.rx-lro": {"*RscIPv4", "*RscIPv6"}} {
		if on, ok := isOn(setting); ok {
			for _, key := range keys {
				add(key, map[bool]int{true: 1, false: 0}[on])
			}
		}
	}
	slices.SortStableFunc(f.properties, func(a, z row) int { return strings.Compare(a.text("registrykeyword"), z.text("registrykeyword")) })
}

// addBonds adds the bonds with their VLANs as teams.
func (f *Facts) addBonds(m *linuxhost.Machine) {
	for i := range m.Interfaces {
		n := &m.Interfaces[i]
		below, of := m.Interface(n.Below)
		switch {
		case n.Kind == "vlan" && of && below.Kind == "bond":
			f.teamNICs = append(f.teamNICs, row{"team": clean(below.Name), "name": clean(n.Name), "vlanid": strconv.Itoa(n.VLAN)})
		case n.Kind == "vlan":
			f.leaveOut("the VLAN %s with id %d on %s: the twin has VLANs on teams", clean(n.Name), n.VLAN, clean(n.Below))
		}
		if n.Kind != "bond" {
			continue
		}
		mode, _ := n.Setting("bond.mode")
		policy, _ := n.Setting("bond.xmit_hash_policy")
		r := row{"name": clean(n.Name), "teamingmode": "SwitchIndependent", "loadbalancingalgorithm": "TransportPorts"}
		switch mode.Value {
		case "802.3ad":
			r["teamingmode"] = "Lacp"
		case "balance-rr", "balance-xor", "broadcast":
			r["teamingmode"] = "Static"
		default:
		}
		switch policy.Value {
		case "layer2":
			r["loadbalancingalgorithm"] = "MacAddresses"
		case "layer2+3", "encap2+3":
			r["loadbalancingalgorithm"] = "IPAddresses"
		default:
		}
		var members []any
		for _, member := range n.Members {
			members = append(members, member.Name)
		}
		r["members"] = members
		f.teams = append(f.teams, r)
		f.notes = append(f.notes, fmt.Sprintf("the team %s: its mode is %s with %s, for the bond's %s with %s", clean(n.Name), r["teamingmode"], r["loadbalancingalgorithm"],
			clean(cmp.Or(mode.Value, "unknown mode")), clean(cmp.Or(policy.Value, "no policy"))))
	}
}

// takeLinux adds to a port what only Linux says of it.
func (b *build) takeLinux(port *description.Port) {
	p, ok := b.linux[port.Connection]
	if !ok {
		return
	}
	if p.down {
		b.assume(port.Connection, "its link is up; on the Linux machine it was down")
	}
	inTeam := slices.ContainsFunc(b.teams, func(r row) bool { return slices.Contains(r.list("members"), port.Connection) })
	switch {
	case p.functions > 0 && inTeam:
		b.leaveOut("%s of %s: in Windows a member of a team has no virtual switch", wording.Count(p.functions, "virtual function"), port.Connection)
	case p.functions > 0:
		port.VirtualFunctions = p.functions
		b.assume(port.Connection, "each of its %d virtual functions has a virtual machine", p.functions)
	}
	if len(p.lossless) > 0 && port.Link == description.Ethernet {
		port.FlowControl, port.Lossless = description.PriorityPause, p.lossless
	}
}

// assumeWindows says what of a Linux machine has only a meaning in Windows, and keeps the settings that both have as registry values.
func (b *build) assumeWindows() {
	if b.linux == nil {
		return
	}
	b.assume("the host", "it runs Windows with the adapters of the Linux machine (kernel %s); drivers, class keys, descriptions and other settings of Windows are a new installation's", b.kernel)
	for _, note := range b.notes {
		b.assumed = append(b.assumed, cleanTo(note, 300))
	}
	b.keys = slices.Clip(b.keys)
	for i := range b.d.Adapters {
		for j := range b.d.Adapters[i].Ports {
			port := &b.d.Adapters[i].Ports[j]
			key := regfile.Key{Path: networkClass + `\` + port.Class}
			for _, r := range b.properties {
				if _, isLinux := b.linux[port.Connection]; isLinux && r.text("name") == port.Connection {
					key.Values = append(key.Values, regfile.TextValue(r.text("registrykeyword"), r.text("registryvalue")))
				}
			}
			if len(key.Values) > 0 {
				b.keys = append(b.keys, key)
			}
		}
	}
}
