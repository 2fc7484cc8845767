package driver

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"cxdeck/device"
	"cxdeck/device/firmware"
	"cxdeck/driver/hyperv"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
)

// Address space for cards, in MB: what there is below 4 GB, and what a function takes. The manuals give none of these;
// they say that 16 virtual functions fit into every server.
const (
	spaceBelow4G      = 2048
	functionSpaceMLX4 = 32
	functionSpaceMLX5 = 2
)

// iovSupport is what (Get-VmHost).IovSupport and IovSupportReasons say.
func (h *Host) iovSupport() (supported bool, reasons []string) {
	f := limits.Facts{Family: device.WinOF2, System: h.lab.Description().Host.System} // the same for both families
	b := h.virtual.BIOS
	m := hyperv.Machine{SRIOV: b.SRIOV, Virtualization: b.Virtualization}
	if why := limits.Check(limits.SRIOV, &f); len(why) > 0 {
		m.System = why[0]
	}
	return m.Support()
}

// space is the address space for cards in MB.
func (h *Host) space() int {
	described := h.lab.Description().Host.SpaceMB
	if described == 0 {
		described = 1 << 16
	}
	if !h.virtual.BIOS.Above4G {
		return min(described, spaceBelow4G)
	}
	return described
}

// functionSpace is the address space that the virtual functions in the firmware of a card take, in MB.
func (h *Host) functionSpace(card int) int {
	a := &h.lab.Description().Adapters[card]
	if a.Family == device.WinOF {
		return h.flashFunctions(card) * functionSpaceMLX4
	}
	return h.flashFunctions(card) * len(a.Ports) * functionSpaceMLX5
}

// hasSpace says whether the address space has room for the virtual functions of a card: cards get it in their order.
func (h *Host) hasSpace(card int) bool {
	used := 0
	for i := range card {
		if n := h.functionSpace(i); used+n <= h.space() {
			used += n
		}
	}
	return used+h.functionSpace(card) <= h.space()
}

// viewMachine is the computer now.
func (h *Host) viewMachine() MachineView {
	b := h.virtual.BIOS
	m := MachineView{SRIOV: b.SRIOV, Virtualization: b.Virtualization, Above4G: b.Above4G, Next: h.virtual.NextBIOS, Space: h.space()}
	for i := range h.virtual.Cards {
		if h.hasSpace(i) {
			m.Used += h.functionSpace(i)
		}
	}
	m.IovSupport, m.IovSupportReasons = h.iovSupport()
	return m
}

// viewFirmware are the settings in the flash of a card.
func (h *Host) viewFirmware(card int) []FirmwareView {
	family := h.lab.Description().Adapters[card].Family
	settings := firmware.Settings(family == device.WinOF)
	list := make([]FirmwareView, 0, len(settings))
	ports := len(h.lab.Description().Adapters[card].Ports)
	text := func(values map[string]uint32, name string) string {
		if n, ok := values[name]; ok {
			return fmt.Sprint(n)
		}
		return notSet
	}
	for _, s := range settings {
		if s.Port > ports {
			continue
		}
		one := FirmwareView{
			Name: s.Name, Current: text(h.virtual.Cards[card].Current, s.Name), Next: text(h.virtual.Cards[card].Next, s.Name),
			Default: fmt.Sprint(s.Usual), Low: s.Low, High: s.High, Tool: string(s.Tool), Shown: s.Shown,
		}
		if r, ok := registry.Keys(family).Find(s.Name, registry.Firmware); ok {
			one.Meaning = r.Summary
		}
		list = append(list, one)
	}
	return list
}

func (o SetBIOS) inverse(h *Host) (Operation, error) {
	if name := h.lab.Description().Host.Name; o.Host != name {
		return nil, fmt.Errorf("the host is called %q, and not %q", name, o.Host)
	}
	if o.SRIOV == nil && o.Virtualization == nil && o.Above4G == nil {
		return nil, errors.New("no switch of the BIOS is named")
	}
	next, back := h.virtual.NextBIOS, SetBIOS{Host: o.Host}
	for _, one := range []struct {
		want *bool
		now  bool
		old  **bool
	}{{o.SRIOV, next.SRIOV, &back.SRIOV}, {o.Virtualization, next.Virtualization, &back.Virtualization}, {o.Above4G, next.Above4G, &back.Above4G}} {
		if one.want != nil {
			*one.old = new(one.now)
		}
	}
	return back, nil
}

func (o SetBIOS) apply(h *Host) error {
	h.virtually(func(v *virtualization) {
		for _, one := range []struct {
			want *bool
			set  *bool
		}{{o.SRIOV, &v.NextBIOS.SRIOV}, {o.Virtualization, &v.NextBIOS.Virtualization}, {o.Above4G, &v.NextBIOS.Above4G}} {
			if one.want != nil {
				*one.set = *one.want
			}
		}
	})
	h.settleVirtual() // what adapters without a function are told speaks of the next start
	return nil
}

// UnknownSettingError is a setting that a card does not have in its firmware.
type UnknownSettingError struct{ Name string }

// Error says which, and what to do.
func (e *UnknownSettingError) Error() string {
	return fmt.Sprintf("the card has no setting %q in its firmware; query it for their names", e.Name)
}

// loadFirmware makes the settings in the flash of a card count.
func (h *Host) loadFirmware(card int) {
	h.virtually(func(v *virtualization) { v.Cards[card].Current = v.Cards[card].Next })
}

// bootWaits says whether a setting of the BIOS or of a card's firmware waits for a start of the computer.
func (h *Host) bootWaits() bool {
	v := h.virtual
	return v.BIOS != v.NextBIOS || slices.ContainsFunc(v.Cards, func(c cardFirmware) bool { return !maps.Equal(c.Current, c.Next) })
}

// boot makes all count that waits for a start of the computer.
func (h *Host) boot() {
	h.virtually(func(v *virtualization) {
		v.BIOS = v.NextBIOS
		for i := range v.Cards {
			v.Cards[i].Current = v.Cards[i].Next
		}
		v.Net = NetVirtualization{} // it is kept in memory alone: the manuals want it made anew after a start
	})
}

func (o SetFirmware) inverse(h *Host) (Operation, error) {
	card, err := h.adapter(o.Adapter)
	if err != nil {
		return nil, err
	}
	if len(o.Values) == 0 {
		return nil, errors.New("no setting is named")
	}
	a := &h.lab.Description().Adapters[card]
	back := SetFirmware{Adapter: o.Adapter}
	seen := map[string]bool{}
	for _, v := range o.Values {
		s, ok := firmware.Find(a.Family == device.WinOF, v.Name)
		if !ok {
			return nil, &UnknownSettingError{v.Name}
		}
		switch {
		case seen[v.Name]:
			return nil, fmt.Errorf("%s is named twice", v.Name)
		case s.Port > len(a.Ports):
			return nil, fmt.Errorf("%s is about port %d, and the card has %d", v.Name, s.Port, len(a.Ports))
		}
		seen[v.Name] = true
		if v.Value != "" {
			if _, err := s.Parse(v.Value); err != nil {
				return nil, err
			}
		}
		old := FirmwareValue{Name: v.Name}
		if n, set := h.virtual.Cards[card].Next[v.Name]; set {
			old.Value = fmt.Sprint(n)
		}
		back.Values = append(back.Values, old)
	}
	return back, nil
}

func (o SetFirmware) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	card, err := h.adapter(o.Adapter)
	if err != nil {
		return err
	}
	h.virtually(func(v *virtualization) {
		next := maps.Clone(v.Cards[card].Next)
		if next == nil {
			next = map[string]uint32{}
		}
		for _, one := range o.Values {
			delete(next, one.Name)
			s, _ := firmware.Find(h.lab.Description().Adapters[card].Family == device.WinOF, one.Name)
			if n, err := s.Parse(one.Value); err == nil && one.Value != "" {
				next[one.Name] = n
			}
		}
		v.Cards[card].Next = next
	})
	h.settleVirtual()
	return nil
}

// wrongType says whether the firmware of a port speaks another protocol than what it is cabled to (FAM-5).
func (h *Host) wrongType(port int) bool {
	d, card, index := h.lab.Port(port)
	name := firmware.LinkType1
	if index > 0 {
		name = firmware.LinkType2
	}
	n, set := h.flash(card, name)
	want := uint32(firmware.TypeEthernet)
	if d.Link == device.InfiniBand {
		want = firmware.TypeInfiniBand
	}
	return set && n != want
}
