package exec

import "strings"

// adapterFields are those of a card; name is the field that it stands in.
func adapterFields(name string) []Field {
	fields := []Field{{name, "a list with a row for each card"}}
	if name == "adapter" {
		fields[0].Meaning = "the card"
	}
	for _, f := range []Field{
		{"name, family, driver, package, driver_version, firmware, psid", "as Windows and the card give them"},
		{"vendor_id, device_id, subvendor_id, subsystem_id, revision", "of its PCI configuration space, hexadecimal digits"},
		{"node_guid", "of the card"},
		{"limits", "how many features of the manuals its versions do not allow: " +
			"adapter show has it; left out when there are none, and by adapter list"},
		{"pci, numa_node, pcie_generation, pcie_lanes", "where it is plugged in"},
		{"burnt_virtual_functions", "how many its firmware was burnt with; left out where there is none, or none is known"},
		{"state", "running, stopped, restarting or failed: the worst of its ports"},
		{"ports", "a list"},
		{"ports.connection, ports.device, ports.mac", "names of the port"},
		{"ports.guid", "of the port"},
		{"ports.pci_function, ports.instance_id", "the PCI function that it belongs to, and the name that Windows gives " +
			"that"},
		{"ports.interface_guid", "of the network interface, in braces"},
		{"ports.class_index, ports.class_key", "nn of the driver's class key, and the registry key that it makes"},
		{"ports.link", "ethernet or infiniband"},
		{"ports.state", "of its driver"},
		{"ports.code", "the device manager's code of a driver that failed; left out when it did not"},
		{"ports.cabled, ports.up", "whether the cable is in, and whether there is a link"},
		{"ports.rate_bits_per_second", "line rate, also while there is no link"},
		{"ports.pending", "which change waits for a restart; left out when none does"},
		{"ports.subnet", "DOWN, INIT or ACTIVE: the state of an InfiniBand port in its subnet; left out for Ethernet"},
		{"ports.management", "true when the operator's own session goes through it; left out when it does not"},
		{"ports.switch_port", "what it is cabled to"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// virtualFields are those of the adapters that are on others; what says what they stand for.
func virtualFields(what string) []Field {
	fields := []Field{{"virtual", what + "; left out without any"}}
	for _, f := range []Field{
		{"name, kind", "its name, and team, vlan or ipoib"}, {"on", "a list: the connections, or the team, that it is on"},
		{"device, guid", "what the device manager calls it, and its GUID in braces"}, {"up", "whether it has a link"},
		{"why", "why it has none"},
	} {
		f = f.under("virtual")
		f.Meaning += "; left out without any"
		fields = append(fields, f)
	}
	return fields
}

// changeFields are those of a change that was applied just now; more are those that it has beside the usual ones.
func changeFields(more ...Field) []Field {
	return append([]Field{{"change", "what was done; sequence 0 and no operations when nothing changes"}},
		entryFields("change", more...)...)
}

// triedFields are those of a change that -WhatIf may have tried alone.
func triedFields() []Field {
	return changeFields(Field{"what_if", "true when it was only tried on a copy of the host; left out when it was done"})
}

// entryFields are those of an entry of the journal.
func entryFields(name string, more ...Field) []Field {
	var fields []Field
	for _, f := range append([]Field{
		{"sequence", "its number in the journal"},
		{"time", "the host's time, RFC 3339, UTC"},
		{"title", "what it is for"},
		{"operations", "a list: kind, target, and what it does"},
		{"commands", "what would be typed on a real host; left out when nothing is"},
		{"unreceived", "a list of the traffic that finds no receiver afterwards, as plan show has it; left out without any"},
		{"by, run", "who made it, such as console or exec, and in which run of cxdeck; left out when that was not noted"},
		{"unchanged", "a list of steps that would change nothing, with the reason; left out when there are none"},
		{"waits", "a list of what values of it wait for: until, as applies of a key, keys and connections; left out when none " +
			"waits"},
	}, more...) {
		fields = append(fields, f.under(name))
	}
	return fields
}

// keyFields are those of a registry key.
func keyFields(name string) []Field {
	fields := []Field{{name, "the key"}}
	if name == "keys" {
		fields[0].Meaning = "a list"
	}
	for _, f := range []Field{
		{"key, scope, type", "its name, whose it is, and REG_DWORD or REG_SZ"},
		{"stored, effective, default", "numbers or texts; null for none"},
		{"least, most, unit", "its range on this port; left out where the manuals give none"},
		{"applies", "when a stored value counts: dynamic, adapter-restart, driver-reload, reboot or new-vm"},
		{"pending", "true when what is stored does not count yet; left out when it does"},
		{"why", "why what is stored does not count as it is; left out when it does"},
	} {
		fields = append(fields, f.under(name))
	}
	if name == "keys" {
		return fields
	}
	return append(fields,
		Field{"choices", "a list: value and label; left out when no value has a meaning of its own"}.under(name),
		Field{"path", "where it is; left out when it is nowhere in the registry"}.under(name),
		Field{"summary", "what it is for"}.under(name))
}

// sceneFields are those of a scene.
func sceneFields(name string) []Field {
	var fields []Field
	for _, f := range []Field{
		{"name, title", "what it is called by"}, {"story, look_for", "what happens, and what is to be seen"},
		{"connection", "where it is set, or shows best; left out when nowhere"},
		{"counters, events", "lists: paths of counters that move, and keys of events that are written"},
	} {
		fields = append(fields, f.under(name))
	}
	return fields
}

// under is a field within another; it may be several names with commas between them.
func (f Field) under(name string) Field {
	return Field{name + "." + strings.ReplaceAll(f.Name, ", ", ", "+name+"."), f.Meaning}
}
