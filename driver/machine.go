package driver

import (
	"errors"
	"fmt"
	"maps"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/virtualization"
)

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
	h.changeVirtual(func(v virtualization.Hypervisor) {
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
		s, ok := firmware.Find(a.Family == description.WinOF, v.Name)
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
	h.changeVirtual(func(v virtualization.Hypervisor) {
		next := maps.Clone(v.Cards[card].Next)
		if next == nil {
			next = map[string]uint32{}
		}
		for _, one := range o.Values {
			delete(next, one.Name)
			s, _ := firmware.Find(h.lab.Description().Adapters[card].Family == description.WinOF, one.Name)
			if n, err := s.Parse(one.Value); err == nil && one.Value != "" {
				next[one.Name] = n
			}
		}
		v.Cards[card].Next = next
	})
	h.settleVirtual()
	return nil
}
