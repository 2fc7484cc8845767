package local

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
)

// Sheets writes the settings and states of a machine as tables, by topic. Tables without rows are left out.
func Sheets(m *linuxhost.Machine) []perf.Sheet {
	var list []perf.Sheet
	for _, sheet := range []perf.Sheet{
		adapterSheet(m), healthSheet(m), interfaceSheet(m), moduleSheet(m), rdmaSheet(m), offloadSheet(m), parameterSheet(m), unreadSheet(m),
		functionPortSheet(m), functionSheet(m), prioritySheet(m), appSheet(m), bondSheet(m), vlanSheet(m),
	} {
		if len(sheet.Rows) > 0 {
			list = append(list, sheet)
		}
	}
	return list
}

func adapterSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Adapters", Columns: []string{
		"ADDRESS", "DEVICE", "DRIVER", "FIRMWARE", "BOARD", "PCIE", "NUMA", "TEMPERATURE", "PCI ERRORS"}}
	for i := range m.Adapters {
		a := &m.Adapters[i]
		name := adapterNames[a.Device]
		if a.Vendor != "15b3" || name == "" {
			name = a.Vendor + ":" + a.Device
		}
		firmware := a.Firmware
		if a.Stored != "" {
			firmware += ", " + a.Stored + " after a reset"
		}
		s.Rows = append(s.Rows, []string{
			a.Address, name, join(" ", a.Driver, a.Version), firmware, a.Board, linkText(a), a.Node, temperatures(a.Temperatures), errorsText(a.Errors)})
	}
	return s
}

// linkText writes the link, and the best one if it is better.
func linkText(a *linuxhost.Adapter) string {
	link := func(speed, width string) string {
		speed, _, _ = strings.Cut(speed, " ")
		if width == "" || width == "0" || speed == "" {
			return ""
		}
		return speed + " GT/s x" + width
	}
	now, best := link(a.Speed, a.Width), link(a.BestSpeed, a.BestWidth)
	if now == "" || best == "" || now == best {
		return now
	}
	return now + " of " + best
}

func temperatures(list []linuxhost.Temperature) string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = fmt.Sprintf("%s %.0f °C", t.Sensor, t.Celsius)
		if t.Limit > 0 {
			words[i] += fmt.Sprintf(" of %.0f", t.Limit)
		}
	}
	return strings.Join(words, ", ")
}

func errorsText(e *linuxhost.PCIErrors) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%d correctable, %d non-fatal, %d fatal", e.Correctable, e.NonFatal, e.Fatal)
}

func healthSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Health of the drivers and the firmware (devlink)", Columns: []string{
		"ADDRESS", "REPORTER", "STATE", "ERRORS", "RECOVERIES", "GRACE", "RECOVERS", "WHAT TO DO"}}
	for i := range m.Adapters {
		for _, r := range m.Adapters[i].Reporters {
			state, recovers, fix := "healthy", "by itself", ""
			if !r.Healthy {
				state, fix = "error", "devlink health recover "+cmp.Or(r.Handle, "pci/"+m.Adapters[i].Address)+" reporter "+r.Name
			}
			if !r.AutoRecover {
				recovers = "by hand"
			}
			s.Rows = append(s.Rows, []string{cmp.Or(strings.TrimPrefix(r.Handle, "pci/"), m.Adapters[i].Address), r.Name, state, number(r.Errors), number(r.Recoveries), r.Grace.String(), recovers, fix})
		}
	}
	return s
}

// values writes the values of settings as "rx/tx", with "-" for one that is absent; empty when all are.
func values(i *linuxhost.Interface, names ...string) string {
	words, some := make([]string, len(names)), false
	for n, name := range names {
		words[n] = "-"
		if setting, ok := i.Setting(name); ok {
			words[n], some = setting.Value, true
			if setting.Limit != "" && (strings.HasPrefix(name, "ring.") || strings.HasPrefix(name, "channels.")) {
				words[n] += " of " + setting.Limit
			}
		}
	}
	if !some {
		return ""
	}
	return strings.Join(words, " / ")
}

func interfaceSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Interfaces", Columns: []string{
		"INTERFACE", "KIND", "STATE", "MTU", "RINGS RX/TX", "CHANNELS", "PAUSE RX/TX", "COALESCING RX/TX", "ADAPTIVE RX/TX", "FEC"}}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		kind, state := i.Kind, "down"
		if kind == "" {
			kind = i.Adapter
		}
		if i.Up {
			state = "up"
		}
		if cause := fact(i, "link down"); cause != "" {
			state += ", no link: " + cause
		}
		channels := values(i, "channels.combined")
		if split := values(i, "channels.rx", "channels.tx"); channels == "" {
			channels = split
		}
		coalescing := values(i, "coalesce.rx-usecs", "coalesce.tx-usecs")
		if coalescing != "" {
			coalescing += " µs"
		}
		s.Rows = append(s.Rows, []string{i.Name, kind, state, values(i, "mtu"), values(i, "ring.rx", "ring.tx"), channels,
			values(i, "pause.rx", "pause.tx"), coalescing, values(i, "coalesce.adaptive-rx", "coalesce.adaptive-tx"), fact(i, "FEC")})
	}
	return s
}

// fact returns a fact of an interface; empty without it.
func fact(i *linuxhost.Interface, name string) string {
	for _, f := range i.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func moduleSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Transceivers", Columns: []string{"INTERFACE", "KIND", "VENDOR", "PART", "SERIAL", "TEMPERATURE"}}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		if kind := fact(i, "module"); kind != "" {
			s.Rows = append(s.Rows, []string{i.Name, kind, fact(i, "module vendor"), fact(i, "module part"), fact(i, "module serial"), fact(i, "module temperature")})
		}
	}
	return s
}

func rdmaSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "RDMA ports", Columns: []string{
		"DEVICE", "PORT", "INTERFACE", "STATE", "PHYSICAL", "RATE", "LINK LAYER", "FIRMWARE", "BOARD"}}
	for _, p := range m.RDMA {
		s.Rows = append(s.Rows, []string{p.Device, strconv.Itoa(p.Port), p.Interface, p.State, p.Physical, p.Rate, p.Layer, p.Firmware, p.Board})
	}
	return s
}

func offloadSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Offloads that can be changed", Columns: []string{"INTERFACE", "ON", "OFF"}}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		var on, off []string
		for _, setting := range i.Group("offload") {
			name := strings.TrimPrefix(setting.Name, "offload.")
			if setting.Value == "on" {
				on = append(on, name)
			} else {
				off = append(off, name)
			}
		}
		if i.Adapter != "" && len(on)+len(off) > 0 {
			s.Rows = append(s.Rows, []string{i.Name, strings.Join(on, " "), strings.Join(off, " ")})
		}
	}
	return s
}

func parameterSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Parameters (devlink)", Columns: []string{"ADDRESS", "PARAMETER", "VALUE"}}
	for i := range m.Adapters {
		for _, p := range m.Adapters[i].Parameters {
			s.Rows = append(s.Rows, []string{m.Adapters[i].Address, p.Name, p.Value})
		}
	}
	return s
}

func unreadSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.HostTopic, Title: "Not read", Columns: []string{"WHAT AND WHY"}}
	for _, text := range m.Unread {
		s.Rows = append(s.Rows, []string{text})
	}
	return s
}

func functionPortSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.FunctionsTopic, Title: "Ports with virtual functions", Columns: []string{"INTERFACE", "ADDRESS", "FUNCTIONS", "EMBEDDED SWITCH"}}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		if setting, ok := i.Setting("vfs"); ok {
			s.Rows = append(s.Rows, []string{i.Name, i.Adapter, setting.Value + " of " + setting.Limit, switchMode(m, i.Adapter)})
		}
	}
	return s
}

func switchMode(m *linuxhost.Machine, address string) string {
	for i := range m.Adapters {
		if m.Adapters[i].Address == address {
			return m.Adapters[i].Switch
		}
	}
	return ""
}

func functionSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.FunctionsTopic, Title: "Virtual functions", Columns: []string{
		"PORT", "VF", "HERE", "MAC", "VLAN", "PRIORITY", "LINK", "SPOOF CHECK", "TRUST", "RATE MB/S", "RECEIVED", "SENT", "DROPPED"}}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		for _, f := range i.Functions {
			row := []string{i.Name, strconv.Itoa(f.Number), join(" ", f.Interface, f.Adapter), f.Address}
			if f.Address != "" {
				rate := "unlimited"
				if f.MaxRate > 0 || f.MinRate > 0 {
					rate = fmt.Sprintf("%d to %d", f.MinRate, f.MaxRate)
				}
				row = append(row, strconv.Itoa(f.VLAN), strconv.Itoa(f.Priority), f.Link, yesNo(f.Spoof), yesNo(f.Trust), rate,
					number(f.ReceivedPackets), number(f.SentPackets), number(f.ReceivedDropped+f.SentDropped))
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

func prioritySheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.QoSTopic, Title: "Priorities (DCB)", Columns: []string{
		"INTERFACE", "PRIORITY", "PFC", "CLASS", "SELECTION", "BANDWIDTH", "BUFFER", "PAUSE SENT", "PAUSE RECEIVED"}}
	at := func(list []int, n int) string {
		if n < len(list) {
			return strconv.Itoa(list[n])
		}
		return ""
	}
	for n := range m.Interfaces {
		i, d := &m.Interfaces[n], m.Interfaces[n].DCB
		if d == nil {
			continue
		}
		on := make([]bool, 8)
		for _, priority := range d.PFC {
			on[priority&7] = true
		}
		for priority := range 8 {
			row := []string{i.Name, strconv.Itoa(priority), yesNo(on[priority]), at(d.Class, priority), "", "", "", "", ""}
			if priority < len(d.Class) {
				if class := d.Class[priority]; class >= 0 && class < len(d.Kind) {
					row[4], row[5] = d.Kind[class], at(d.Share, class)+"%"
				}
			}
			if priority < len(d.Buffer) {
				if buffer := d.Buffer[priority]; buffer >= 0 && buffer < len(d.Sizes) {
					row[6] = fmt.Sprintf("%d: %d bytes", buffer, d.Sizes[buffer])
				}
			}
			if priority < len(d.Requests) && priority < len(d.Indicated) {
				row[7], row[8] = number(d.Requests[priority]), number(d.Indicated[priority])
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

func appSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.QoSTopic, Title: "Traffic by priority (DCB applications)", Columns: []string{"INTERFACE", "SELECTOR", "VALUE", "PRIORITY"}}
	for n := range m.Interfaces {
		if d := m.Interfaces[n].DCB; d != nil {
			for _, app := range d.Apps {
				s.Rows = append(s.Rows, []string{m.Interfaces[n].Name, app.Selector, strconv.Itoa(app.Protocol), strconv.Itoa(app.Priority)})
			}
		}
	}
	return s
}

func bondSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.TeamsTopic, Title: "Bonds", Columns: []string{"BOND", "MODE", "MIIMON", "ACTIVE", "HASH", "MEMBER", "STATE", "LINK", "FAILURES"}}
	for n := range m.Interfaces {
		i := &m.Interfaces[n]
		if i.Kind != "bond" {
			continue
		}
		row := []string{i.Name, values(i, "bond.mode"), values(i, "bond.miimon"), values(i, "bond.active_slave"), values(i, "bond.xmit_hash_policy")}
		if len(i.Members) == 0 {
			s.Rows = append(s.Rows, append(row, "none"))
		}
		for _, member := range i.Members {
			s.Rows = append(s.Rows, append(row[:5:5], member.Name, member.State, member.Link, member.Failures))
		}
	}
	return s
}

func vlanSheet(m *linuxhost.Machine) perf.Sheet {
	s := perf.Sheet{Topic: perf.TeamsTopic, Title: "VLANs", Columns: []string{"INTERFACE", "VLAN", "ON"}}
	for n := range m.Interfaces {
		if i := &m.Interfaces[n]; i.Kind == "vlan" {
			s.Rows = append(s.Rows, []string{i.Name, strconv.Itoa(i.VLAN), i.Below})
		}
	}
	return s
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// join joins the words that are not empty.
func join(separator string, words ...string) string {
	var some []string
	for _, word := range words {
		if word != "" {
			some = append(some, word)
		}
	}
	return strings.Join(some, separator)
}
