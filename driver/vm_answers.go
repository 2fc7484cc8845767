package driver

import "cxdeck/device"

// Answers are what adapters were told when they asked for virtual functions. A change that takes another one back carries
// them, so that each adapter is told the same again: also where limits have been lowered that it would come up against
// if it asked anew.
type Answers struct {
	// Waiting are those that get no virtual function though they ask for one.
	Waiting []AdapterName `json:"waiting,omitempty"`
	// Attached are those that had one.
	Attached []Attachment `json:"attached,omitempty"`
}

// Attachment is a virtual function that an adapter of a virtual machine had.
type Attachment struct {
	VM       string `json:"vm"`
	Adapter  string `json:"adapter"`
	Function int    `json:"function"`
}

// answers are those that adapters have now, of those that are meant.
func (v *virtualization) answers(meant func(AdapterName, *vmAdapter) bool) (now Answers) {
	v.each(func(name AdapterName, _ *vm, a *vmAdapter) {
		if a.Wanted && meant(name, a) {
			now.add(name, a)
		}
	})
	return now
}

// answersOf are those of a machine, or of one adapter of it.
func (m *vm) answersOf(one *vmAdapter) (now Answers) {
	for i := range m.Adapters {
		if a := &m.Adapters[i]; a.Wanted && (one == nil || a == one) {
			now.add(AdapterName{m.Name, a.Name}, a)
		}
	}
	return now
}

func (n *Answers) add(name AdapterName, a *vmAdapter) {
	if a.Function == device.NoFunction {
		n.Waiting = append(n.Waiting, name)
	} else {
		n.Attached = append(n.Attached, Attachment{name.VM, name.Adapter, a.Function})
	}
}

// recall has adapters wait that did, and collects the virtual functions that others had. Who is no longer there is left
// out.
func (n *Answers) recall(v *virtualization, had map[*vmAdapter]int) {
	for _, name := range n.Waiting {
		if a, err := v.adapter(name); err == nil {
			a.Wanted = true
		}
	}
	for _, one := range n.Attached {
		if a, err := v.adapter(AdapterName{one.VM, one.Adapter}); err == nil {
			had[a] = one.Function
		}
	}
}

// remember is what a record says of the answer that its adapter had.
func (n *Answers) remember(machine string, r *VMAdapterRecord) {
	switch {
	case r.Waits:
		n.Waiting = append(n.Waiting, AdapterName{machine, r.Name})
	case r.Attached:
		n.Attached = append(n.Attached, Attachment{machine, r.Name, r.Claim - 1})
	}
}
