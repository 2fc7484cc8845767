package host

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// guest is an adapter of a virtual machine as an argument: VM/ADAPTER, or VM alone if the machine has one adapter.
type guest struct{ *virtualization.VMAdapterView }

// Read finds the adapter.
func (g *guest) Read(c *exec.Call, text, _ string) error {
	var m *virtualization.VMView
	vm, adapter, found := strings.Cut(text, "/")
	if err := c.Parse(&m, vm, ""); err != nil {
		return err
	}
	var names []string
	for i := range m.Adapters {
		names = append(names, m.Name+"/"+m.Adapters[i].Name)
	}
	switch {
	case found:
		for i := range m.Adapters {
			if g.VMAdapterView = &m.Adapters[i]; strings.EqualFold(g.Name, adapter) {
				return nil
			}
		}
		return request.Errorf("the virtual machine %s has no network adapter %q%s", m.Name, adapter,
			exec.Suggest(m.Name+"/"+adapter, names, "vm show "+syntax.Quote(m.Name)+" lists them"))
	case len(m.Adapters) == 0:
		return fmt.Errorf("the virtual machine %s has no network adapter; Add-VMNetworkAdapter adds one",
			m.Name)
	case len(m.Adapters) > 1:
		return fmt.Errorf("the virtual machine %s has %d network adapters; name one: %s", m.Name, len(m.Adapters),
			strings.Join(names, ", "))
	}
	g.VMAdapterView = &m.Adapters[0]
	return nil
}

// attach returns the command vf attach, for a weight above 0, or vf detach, for weight 0.
func attach(weight int) func(*exec.Call) (exec.Answer, error) {
	return exec.Bound(func(c *exec.Call, in *struct{ Adapter guest }) (exec.Answer, error) {
		a := in.Adapter
		if (a.IovWeight > 0) == (weight > 0) {
			name := a.VM + "/" + a.Name
			if weight == 0 {
				return exec.NothingChanges("Detach the virtual function of "+name, []string{name + " requests no virtual function"}), nil
			}
			return exec.NothingChanges("Attach a virtual function to "+name,
				[]string{name + " requests a virtual function already" + withReason(a.Why)}), nil
		}
		return c.ApplyOne(virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, IovWeight: &weight})
	})
}

// withReason returns ": " and the reason, or nothing if why is empty.
func withReason(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

func vfQuarantine(c *exec.Call, in *struct {
	Adapter guest
	Reason  []string
}) (exec.Answer, error) {
	reason := strings.TrimSpace(strings.Join(in.Reason, " "))
	if reason == "" { // an empty reason would end the quarantine
		return exec.Answer{}, exec.Mistake("vf quarantine requires a reason; vf release ends a quarantine")
	}
	return c.ApplyOne(virtualization.Quarantine{VM: in.Adapter.VM, Adapter: in.Adapter.Name, Reason: reason})
}

func vfRelease(c *exec.Call, in *struct{ Adapter guest }) (exec.Answer, error) {
	return c.ApplyOne(virtualization.Quarantine{VM: in.Adapter.VM, Adapter: in.Adapter.Name})
}

// guestSetting is a setting of a virtual machine's adapter for vf set.
type guestSetting struct {
	name, value, help string
	set               func(o *virtualization.SetVMAdapter, text string) error
}

func guestSettings() []guestSetting {
	number := func(into func(*virtualization.SetVMAdapter) **int) func(*virtualization.SetVMAdapter, string) error {
		return func(o *virtualization.SetVMAdapter, text string) error { return exec.ParseInteger(into(o), text) }
	}
	return []guestSetting{
		{"mac", "ADDRESS", "static MAC address, or dynamic", func(o *virtualization.SetVMAdapter, text string) (err error) {
			o.MAC = new(description.MAC)
			if !strings.EqualFold(text, "dynamic") {
				*o.MAC, err = exec.ReadMAC(text)
			}
			return err
		}},
		{"vlan", "ID", "access VLAN, 0 for none", number(func(o *virtualization.SetVMAdapter) **int { return &o.VLAN })},
		{"iov-weight", "WEIGHT", "above 0 requests a virtual function, 0 to 100",
			number(func(o *virtualization.SetVMAdapter) **int { return &o.IovWeight })},
		{"queue-pairs", "N", "IovQueuePairsRequested",
			number(func(o *virtualization.SetVMAdapter) **int { return &o.IovQueuePairs })},
		{"vmq-weight", "WEIGHT", "above 0 requests a queue of its own, 0 to 100",
			number(func(o *virtualization.SetVMAdapter) **int { return &o.VmqWeight })},
		{"vmmq", "on|off", "several queues", func(o *virtualization.SetVMAdapter, text string) error {
			on, ok := exec.BooleanWords()[strings.ToLower(text)]
			if o.VmmqEnabled = &on; !ok {
				return request.Errorf("must be on or off, not %q", text)
			}
			return nil
		}},
		{"vmmq-queue-pairs", "N", "maximum number of queue pairs",
			number(func(o *virtualization.SetVMAdapter) **int { return &o.VmmqQueuePairs })},
		{"rdma-weight", "WEIGHT", "above 0 allows RDMA, 0 to 100",
			number(func(o *virtualization.SetVMAdapter) **int { return &o.RdmaWeight })},
		{"subnet", "ID", "NVGRE network, 0 for none", func(o *virtualization.SetVMAdapter, text string) error {
			n, err := strconv.ParseUint(text, 10, 24)
			if err != nil {
				return request.Errorf("invalid virtual subnet %q", text)
			}
			o.VirtualSubnet = new(uint32(n))
			return nil
		}},
		{"switch", "SWITCH", "the switch that it is connected to, or none", func(o *virtualization.SetVMAdapter, text string) error {
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

func vfSet(c *exec.Call, in *struct {
	Adapter  guest
	Settings []string
}) (exec.Answer, error) {
	o := virtualization.SetVMAdapter{VM: in.Adapter.VM, Adapter: in.Adapter.Name}
	var names []string
	for _, s := range guestSettings() {
		names = append(names, s.name)
	}
	for _, word := range in.Settings {
		name, value, found := strings.Cut(word, "=")
		if !found {
			return exec.Answer{}, exec.Mistake("invalid setting %q: write SETTING=VALUE, such as vlan=70", word)
		}
		name = strings.ReplaceAll(strings.ToLower(name), "_", "-") // JSON fields have underscores
		at := slices.Index(names, name)
		if at < 0 {
			return exec.Answer{}, exec.Mistake("a network adapter has no setting %q%s", name,
				exec.Suggest(name, names, "choose from "+strings.Join(names, ", ")))
		}
		if err := guestSettings()[at].set(&o, value); err != nil {
			return exec.Answer{}, exec.Mistake("%s: %v", names[at], err)
		}
	}
	if o.Switch != nil && *o.Switch != "" {
		var s *virtualization.SwitchView
		if err := c.Parse(&s, *o.Switch, ""); err != nil {
			return exec.Answer{}, err
		}
		o.Switch = &s.Name
	}
	return c.ApplyOne(o)
}
