package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// guestNamed is the network adapter of a virtual machine that an argument names: VM/ADAPTER, or VM alone where it has one.
func guestNamed(c *exec.Call, name string) (*driver.View, *virtualization.VMAdapterView, error) {
	view, err := c.View()
	if err != nil {
		return nil, nil, err
	}
	vm, adapter, given := strings.Cut(name, "/")
	m, err := exec.FindVM(view, vm)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for i := range m.Adapters {
		names = append(names, m.Name+"/"+m.Adapters[i].Name)
	}
	switch {
	case given:
		if a := exec.FindVMAdapter(view, m.Name, adapter); a != nil {
			return view, a, nil
		}
		return nil, nil, fmt.Errorf("the virtual machine %s has no network adapter %q%s", m.Name, adapter,
			exec.Suggest(m.Name+"/"+adapter, names, "vm show "+exec.Quote(m.Name)+" lists them"))
	case len(m.Adapters) == 0:
		return nil, nil, fmt.Errorf("the virtual machine %s has no network adapter; Add-VMNetworkAdapter gives it one",
			m.Name)
	case len(m.Adapters) > 1:
		return nil, nil, fmt.Errorf("the virtual machine %s has %d network adapters; name one: %s", m.Name, len(m.Adapters),
			strings.Join(names, ", "))
	}
	return view, &m.Adapters[0], nil
}

// attach is a command that gives an adapter a virtual function, or takes it away.
func attach(weight int) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		_, a, err := guestNamed(c, c.Arguments[0])
		if err != nil {
			return exec.Answer{}, err
		}
		if (a.IovWeight > 0) == (weight > 0) {
			name := a.VM + "/" + a.Name
			if weight == 0 {
				return exec.NothingChanges("Detach the virtual function of "+name, []string{name + " asks for no virtual function"}), nil
			}
			return exec.NothingChanges("Attach a virtual function to "+name,
				[]string{name + " asks for a virtual function already" + because(a.Why)}), nil
		}
		return c.ApplyOne(driver.SetVMAdapter{VM: a.VM, Adapter: a.Name, IovWeight: &weight})
	}
}

// because adds a reason to a sentence, where there is one.
func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

func vfQuarantine(c *exec.Call) (exec.Answer, error) {
	_, a, err := guestNamed(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.Quarantine{VM: a.VM, Adapter: a.Name, Reason: strings.Join(c.Arguments[1:], " ")})
}

func vfRelease(c *exec.Call) (exec.Answer, error) {
	_, a, err := guestNamed(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.Quarantine{VM: a.VM, Adapter: a.Name})
}

// guestSetting is a setting of a network adapter that an operator can change. The table of them is the only place that
// knows their names.
type guestSetting struct {
	name, value, help string
	set               func(o *driver.SetVMAdapter, text string) error
}

func guestSettings() []guestSetting {
	number := func(into func(*driver.SetVMAdapter) **int) func(*driver.SetVMAdapter, string) error {
		return func(o *driver.SetVMAdapter, text string) error { return wholeText(into(o), text) }
	}
	return []guestSetting{
		{"mac", "ADDRESS", "static MAC address, or dynamic", func(o *driver.SetVMAdapter, text string) (err error) {
			o.MAC = new(description.MAC)
			if !strings.EqualFold(text, "dynamic") {
				*o.MAC, err = exec.ReadMAC(text)
			}
			return err
		}},
		{"vlan", "ID", "access VLAN, 0 for none", number(func(o *driver.SetVMAdapter) **int { return &o.VLAN })},
		{"iov-weight", "WEIGHT", "above 0 asks for a virtual function, 0 to 100",
			number(func(o *driver.SetVMAdapter) **int { return &o.IovWeight })},
		{"queue-pairs", "N", "IovQueuePairsRequested",
			number(func(o *driver.SetVMAdapter) **int { return &o.IovQueuePairs })},
		{"vmq-weight", "WEIGHT", "above 0 asks for a queue of its own, 0 to 100",
			number(func(o *driver.SetVMAdapter) **int { return &o.VmqWeight })},
		{"vmmq", "on|off", "several queues", func(o *driver.SetVMAdapter, text string) error {
			on, ok := exec.TruthWords()[strings.ToLower(text)]
			if o.VmmqEnabled = &on; !ok {
				return fmt.Errorf("vmmq is on or off, and not %q", text)
			}
			return nil
		}},
		{"vmmq-queue-pairs", "N", "how many at most",
			number(func(o *driver.SetVMAdapter) **int { return &o.VmmqQueuePairs })},
		{"rdma-weight", "WEIGHT", "above 0 allows RDMA, 0 to 100",
			number(func(o *driver.SetVMAdapter) **int { return &o.RdmaWeight })},
		{"subnet", "ID", "NVGRE network, 0 for none", func(o *driver.SetVMAdapter, text string) error {
			n, err := strconv.ParseUint(text, 10, 24)
			if err != nil {
				return fmt.Errorf("%q is no virtual subnet", text)
			}
			o.VirtualSubnet = new(uint32(n))
			return nil
		}},
		{"switch", "SWITCH", "what it is connected to, or none", func(o *driver.SetVMAdapter, text string) error {
			if strings.EqualFold(text, "none") {
				text = ""
			}
			o.Switch = &text
			return nil
		}},
	}
}

// guestHelp lists the settings for a help page.
func guestHelp() string {
	var parts []string
	for _, s := range guestSettings() {
		parts = append(parts, fmt.Sprintf("%s=%s (%s)", s.name, s.value, s.help))
	}
	return "Settings: " + strings.Join(parts, ", ") + "."
}

func vfSet(c *exec.Call) (exec.Answer, error) {
	view, a, err := guestNamed(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	o := driver.SetVMAdapter{VM: a.VM, Adapter: a.Name}
	var names []string
	for _, s := range guestSettings() {
		names = append(names, s.name)
	}
	for _, word := range c.Arguments[1:] {
		name, value, given := strings.Cut(word, "=")
		at := slices.Index(names, strings.ToLower(name))
		if !given || at < 0 {
			return exec.Answer{}, exec.Mistake("%q is no setting of a network adapter%s", word, exec.Suggest(name, names,
				"write NAME=VALUE; there are "+
					strings.Join(names, ", ")))
		}
		if err := guestSettings()[at].set(&o, value); err != nil {
			return exec.Answer{}, &exec.MistakeError{Text: err.Error()}
		}
	}
	if o.Switch != nil && *o.Switch != "" {
		s, err := exec.FindSwitch(view, *o.Switch)
		if err != nil {
			return exec.Answer{}, err
		}
		o.Switch = &s.Name
	}
	return c.ApplyOne(o)
}
