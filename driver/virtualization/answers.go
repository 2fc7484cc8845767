package virtualization

import "cxdeck/device/setup"

// Answers are the results of adapters' requests for virtual functions. The undo of a change carries them, so that each adapter
// gets the same answer, even where a limit that was lowered since would refuse a new request.
type Answers struct {
	// Waiting are the adapters that request a virtual function and have none.
	Waiting []AdapterName `json:"waiting,omitempty"`
	// Attached are the functions of the others.
	Attached []Attachment `json:"attached,omitempty"`
}

// Attachment is a virtual function that an adapter of a virtual machine had.
type Attachment struct {
	VM       string `json:"vm"`
	Adapter  string `json:"adapter"`
	Function int    `json:"function"`
}

// answers returns the answers of the chosen adapters.
func (v *State) answers(chosen func(AdapterName, *Adapter) bool) (list Answers) {
	v.Each(func(name AdapterName, _ *Machine, a *Adapter) {
		if a.Requested && chosen(name, a) {
			list.add(name, a)
		}
	})
	return list
}

// answersOf returns the answers of one adapter of a machine, or of all its adapters for nil.
func (m *Machine) answersOf(adapter *Adapter) (list Answers) {
	for i := range m.Adapters {
		if a := &m.Adapters[i]; a.Requested && (adapter == nil || a == adapter) {
			list.add(AdapterName{m.Name, a.Name}, a)
		}
	}
	return list
}

func (n *Answers) add(name AdapterName, a *Adapter) {
	if a.Function == setup.NoFunction {
		n.Waiting = append(n.Waiting, name)
	} else {
		n.Attached = append(n.Attached, Attachment{name.VM, name.Adapter, a.Function})
	}
}

// restoreFunctions marks adapters as waiting again, and collects the virtual functions of the others in had. It skips adapters
// that no longer exist.
func (n *Answers) restoreFunctions(v *State, had map[*Adapter]int) {
	for _, name := range n.Waiting {
		if a, err := v.FindAdapter(name); err == nil {
			a.Requested = true
		}
	}
	for _, attachment := range n.Attached {
		if a, err := v.FindAdapter(AdapterName{attachment.VM, attachment.Adapter}); err == nil {
			had[a] = attachment.Function
		}
	}
}

// addRecord adds the answer that the adapter of a record had.
func (n *Answers) addRecord(machine string, r *VMAdapterRecord) {
	switch {
	case r.Waits:
		n.Waiting = append(n.Waiting, AdapterName{machine, r.Name})
	case r.Attached:
		n.Attached = append(n.Attached, Attachment{machine, r.Name, r.Claim - 1})
	}
}
