package ports

import (
	"slices"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// Operations of ibportstate without a value, and operations with one: the greatest value, and the smallest.
var (
	portVerbs  = []string{"query", "enable", "reset", "disable", "down", "arm", "active", "on", "off"}
	portValues = []struct {
		name     string
		min, max uint64
		text     string
	}{
		{"speed", 0, 15, "speed value"}, {"espeed", 0, 31, "extended speed value"}, {"fdr10", 0, 1, "fdr10 speed value"},
		{"width", 0, 31, "width value"}, {"vls", 1, 5, "vls value"}, {"mtu", 1, 5, "mtu value"},
		{"lid", 1, infiniband.MaxLID, "lid value"}, {"smlid", 1, infiniband.MaxLID, "smlid value"}, {"lmc", 0, 7, "lmc value"},
		{"mkey", 0, 1<<64 - 1, "mkey"}, {"mkeylease", 0, 0xffff, "mkey lease time"}, {"mkeyprot", 0, 3, "mkey protection bit setting"},
	}
)

// portState is a run of ibportstate.
type portState struct {
	*subnet.Session
	route  mad.Route
	number int
	verb   string
	values map[string]uint64
	node   []byte
	info   []byte
	vendor []byte
	fast   bool // the node has extended speeds
}

func runPortstate(s *subnet.Session) error {
	words := s.Given.Operands
	if len(words) < 2 {
		return subnet.ErrUsage
	}
	r, err := s.Resolve(words[0])
	if err != nil {
		return err
	}
	p := &portState{Session: s, route: r, number: int(int32(subnet.Number(words[1]))), values: map[string]uint64{}}
	if err := p.operations(words[2:]); err != nil {
		return err
	}
	var ok bool
	if p.node, ok = s.Request(r, mad.NodeInfo, 0); !ok {
		return subnet.Failed("smp query nodeinfo failed")
	}
	isSwitch := mad.NodeType.Get(p.node) == subnet.KindSwitch
	for _, name := range []string{"mkey", "mkeylease", "mkeyprot"} {
		if _, set := p.values[name]; set && isSwitch && p.number != 0 {
			return subnet.Failed("Can't set M_Key fields on switch port != 0")
		}
	}
	changes := p.verb != "query" || len(p.values) > 0
	kind := "CA/RT"
	if isSwitch {
		kind = "Switch"
	}
	// The text stands before the request, as in the real program, whose answer may not come.
	if changes {
		kind = "Initial " + kind
	}
	s.Printf("%s PortInfo:\n", kind)
	if err := p.load(); err != nil {
		return err
	}
	p.show(p.route, p.number, p.info, p.fast, isSwitch)
	if subnet.HasVendorPortInfo(mad.DeviceID.Get(p.node)) {
		if p.vendor, err = p.showVendor(p.route, p.number); err != nil {
			return err
		}
	}
	if changes {
		return p.change(isSwitch)
	}
	if isSwitch && p.number != 0 && mad.State.Get(p.info) == uint64(infiniband.Active) {
		return p.peer()
	}
	return nil
}

// operations reads the operations and their values.
func (p *portState) operations(words []string) error {
	for i := 0; i < len(words); i++ {
		word := words[i]
		if slices.Contains(portVerbs, word) {
			if p.verb != "" {
				return subnet.Failed("%s only one of: query, enable, disable, reset, down, arm, active, can be specified", word)
			}
			p.verb = word
			continue
		}
		at := slices.IndexFunc(portValues, func(v struct {
			name     string
			min, max uint64
			text     string
		}) bool {
			return v.name == word
		})
		if at < 0 {
			return subnet.Failed("invalid operation: %s", word)
		}
		if i++; i >= len(words) {
			return subnet.Failed("%s requires an additional parameter", word)
		}
		v, kind := subnet.Number(words[i]), portValues[at]
		if (v < kind.min || v > kind.max) && (word != "width" || v != 255) {
			if word == "lid" || word == "smlid" {
				return subnet.Failed("invalid %s 0x%x", kind.text, v)
			}
			return subnet.Failed("invalid %s %d", kind.text, v)
		}
		p.values[word] = v
	}
	if p.verb == "" {
		p.verb = "query"
	}
	return nil
}

// load asks for the port.
func (p *portState) load() (err error) {
	p.info, p.fast, err = p.portOfNode(p.route, p.number, mad.NodeType.Get(p.node) == subnet.KindSwitch)
	return err
}

// portOfNode asks for a port, and whether the node has extended speeds.
func (p *portState) portOfNode(r mad.Route, number int, isSwitch bool) (data []byte, fast bool, err error) {
	data, ok := p.Request(r, mad.PortInfo, uint32(number))
	if !ok {
		return nil, false, subnet.Failed("smp query portinfo failed")
	}
	capabilities := data
	if isSwitch {
		if capabilities, ok = p.Request(r, mad.PortInfo, 0); !ok {
			return nil, false, subnet.Failed("smp query port 0 portinfo failed")
		}
	}
	return data, mad.CapMask.Get(capabilities)&mad.HasExtendedSpeeds != 0, nil
}

func (p *portState) show(r mad.Route, number int, data []byte, fast, isSwitch bool) {
	fields := []mad.Field{
		mad.State, mad.Physical, mad.LID, mad.SMLID, mad.LMC, mad.WidthSupported, mad.WidthEnabled, mad.WidthActive, mad.SpeedSupported, mad.SpeedEnabled, mad.SpeedActive,
	}
	if fast {
		fields = append(fields, mad.ExtendedSupported, mad.ExtendedEnabled, mad.ExtendedActive)
	}
	p.Printf("# Port info: %s port %d\n%s", r, number, mad.Print(fields, data))
	if !isSwitch || number == 0 {
		p.Printf("%s%s", mad.Line(mad.MKey.Name, p.Key(data)), mad.Print([]mad.Field{mad.LeasePeriod, mad.Protect}, data))
	}
}

func (p *portState) showVendor(r mad.Route, number int) ([]byte, error) {
	data, ok := p.Request(r, mad.VendorPortInfo, uint32(number))
	if !ok {
		return nil, subnet.Failed("smp query ext portinfo failed")
	}
	p.Printf("# MLNX ext Port info: %s port %d\n%s", r, number, mad.Print(mad.VendorPortFields, data))
	return data, nil
}

// peer asks for the port at the other end of the link, and says when the link runs slower than both ends are set to.
func (p *portState) peer() error {
	r := p.route.Extend(p.number, p.Local().LID)
	node, ok := p.Request(r, mad.NodeInfo, 0)
	if !ok {
		return subnet.Failed("smp query nodeinfo failed")
	}
	isSwitch, number := mad.NodeType.Get(node) == subnet.KindSwitch, int(mad.ArrivalPort.Get(node))
	p.Printf("Peer PortInfo:\n")
	data, fast, err := p.portOfNode(r, number, isSwitch)
	if err != nil {
		return err
	}
	p.show(r, number, data, fast, isSwitch)
	if subnet.HasVendorPortInfo(mad.DeviceID.Get(node)) {
		if _, err := p.showVendor(r, number); err != nil {
			return err
		}
	}
	p.validate(data, fast)
	return nil
}

// expectation is a value that a link should have when both ends are set to it.
type expectation struct {
	bit  uint64
	name string
}

// validate compares what the link runs with and what both ends are set to.
func (p *portState) validate(far []byte, fast bool) {
	check := func(function, what string, active uint64, both uint64, values []expectation) {
		for _, v := range values {
			if both&v.bit == 0 {
				continue
			}
			if active != v.bit {
				p.Warn(function, "Peer ports operating at active %s %d rather than %d (%s)", what, active, v.bit, v.name)
			}
			return
		}
	}
	// all is the value that stands for everything that the port supports.
	enabled := func(data []byte, enabled, supported mad.Field, all uint64) uint64 {
		if v := enabled.Get(data); v != all {
			return v
		}
		return supported.Get(data)
	}
	both := func(e, s mad.Field, all uint64) uint64 { return enabled(p.info, e, s, all) & enabled(far, e, s, all) }
	check("validate_width", "width", mad.WidthActive.Get(p.info), both(mad.WidthEnabled, mad.WidthSupported, 255),
		[]expectation{{8, "12x"}, {4, "8x"}, {2, "4x"}, {16, "2x"}, {1, "1x"}})
	check("validate_speed", "speed", mad.SpeedActive.Get(p.info), both(mad.SpeedEnabled, mad.SpeedSupported, 15),
		[]expectation{{4, "10.0 Gbps"}, {2, "5.0 Gbps"}, {1, "2.5 Gbps"}})
	if p.fast && fast {
		check("validate_extended_speed", "extended speed", mad.ExtendedActive.Get(p.info), both(mad.ExtendedEnabled, mad.ExtendedSupported, 31),
			[]expectation{{4, "53.125 Gbps"}, {2, "25.78125 Gbps"}, {1, "14.0625 Gbps"}})
	}
}

// change carries out the operation and shows the port again.
func (p *portState) change(isSwitch bool) error {
	at, ok := p.Arrive(p.From, p.route)
	if !ok {
		return subnet.Failed("smp set portinfo failed")
	}
	if p.verb == "on" && mad.Physical.Get(p.info) != uint64(infiniband.Disabled) {
		p.Printf("Port is already in enable state\n")
		return nil
	}
	place := infiniband.Place{Node: at.Node, Port: p.number}
	if !isSwitch {
		// An adapter sets only the port at which the request came.
		if p.number != 0 && p.number != at.Port {
			return subnet.Failed("smp set portinfo failed")
		}
		place.Port = at.Port
	}
	port := p.At(place)
	if p.verb == "disable" || p.verb == "off" {
		p.Printf("Disable may be irreversible\n")
	}
	if err := p.modes(place, port); err != nil {
		return err
	}
	switch p.verb {
	case "disable", "off":
		apply(p.Session, subnet.Change{Place: place, Verb: subnet.Disable})
	case "enable", "on":
		apply(p.Session, subnet.Change{Place: place, Verb: subnet.Enable})
	case "reset":
		apply(p.Session, subnet.Change{Place: place, Verb: subnet.Reset})
	case "down", "arm", "active":
		to := map[string]infiniband.State{"down": infiniband.Down, "arm": infiniband.Armed, "active": infiniband.Active}[p.verb]
		// A port goes from Initialize to Armed to Active, and in no other order.
		if port.Physical != infiniband.LinkUp || to > infiniband.Down && to != port.State+1 && to != port.State {
			return subnet.Failed("smp set portinfo failed")
		}
		apply(p.Session, subnet.Change{Place: place, Verb: subnet.SetState, To: to})
	}
	p.Printf("\nAfter PortInfo set:\n")
	if !p.reachable() {
		return nil
	}
	data, _, err := p.portOfNode(p.route, p.number, isSwitch)
	if err != nil {
		return err
	}
	p.show(p.route, p.number, data, p.fast, isSwitch)
	return nil
}

// reachable reports whether the node still answers: its own way may have gone with the port.
func (p *portState) reachable() bool {
	if _, ok := p.Arrive(p.From, p.route); ok {
		return true
	}
	p.show(p.route, p.number, p.info, p.fast, mad.NodeType.Get(p.node) == subnet.KindSwitch)
	return false
}

// modes sets widths and speeds, and the other values.
func (p *portState) modes(place infiniband.Place, port *infiniband.Port) error {
	mode, changed := port.Enabled, false
	if v, set := p.values["width"]; set && v != 0 {
		if mode.Widths = infiniband.Widths(v); v == 255 {
			mode.Widths = port.Supported.Widths
		}
		changed = true
	}
	const architecture = infiniband.Speeds(7) << infiniband.SDR
	if v, set := p.values["speed"]; set && v != 0 {
		speeds := infiniband.Speeds(v) << infiniband.SDR & architecture
		if v == 15 {
			speeds = port.Supported.Speeds & architecture
		}
		mode.Speeds = mode.Speeds&^architecture | speeds
		changed = true
	}
	const extended = infiniband.Speeds(15) << infiniband.FDR
	if v, set := p.values["espeed"]; set && v != 0 {
		speeds := infiniband.Speeds(v) << infiniband.FDR & extended
		switch v {
		case 30: // none
			speeds = 0
		case 31:
			speeds = port.Supported.Speeds & extended
		}
		mode.Speeds = mode.Speeds&^extended | speeds
		changed = true
	}
	if v, set := p.values["fdr10"]; set {
		mode.Speeds &^= 1 << infiniband.FDR10
		if v == 1 {
			mode.Speeds |= 1 << infiniband.FDR10
		}
		changed = true
	}
	if mode.Widths&^port.Supported.Widths != 0 || mode.Speeds&^port.Supported.Speeds != 0 {
		return subnet.Failed("smp set portinfo failed")
	}
	for _, name := range []string{"vls", "mtu", "lid", "smlid", "lmc", "mkey", "mkeylease", "mkeyprot"} {
		if _, set := p.values[name]; set {
			return subnet.Failed("%s belongs to the subnet manager here: its next sweep would write it again", name)
		}
	}
	if changed {
		apply(p.Session, subnet.Change{Place: place, Verb: subnet.SetMode, Mode: mode})
	}
	return nil
}

// apply makes a change in the network, and notes it.
func apply(s *subnet.Session, c subnet.Change) {
	s.Report(c)
	switch c.Verb {
	case subnet.Enable:
		s.SetDisabled(c.Place, false)
		s.Reset(c.Place)
	case subnet.Disable:
		s.SetDisabled(c.Place, true)
	case subnet.Reset:
		s.SetDisabled(c.Place, false)
		s.Reset(c.Place)
	case subnet.SetMode:
		s.SetEnabled(c.Place, c.Mode)
	case subnet.SetState:
		setState(s, c.Place, c.To)
	case subnet.Clear, subnet.ClearExtended, subnet.SetRole: // the programs that make them
	}
}

// setState sets the logical state of both ends of a link: down leads to Initialize.
func setState(s *subnet.Session, place infiniband.Place, to infiniband.State) {
	if to == infiniband.Down {
		s.At(place).State = infiniband.Initialize
		if far, up := s.Far(place); up {
			s.At(far).State = infiniband.Initialize
		}
		return
	}
	s.At(place).State = to
}
