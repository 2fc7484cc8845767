package virtualization

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/request"
)

// LoadFirmware brings the settings in the flash of a card into effect.
func (v *State) LoadFirmware(card int) { v.Cards[card].Current = v.Cards[card].Next }

// ImageSettings returns the fields of the ini file of the image in a card's flash that have a value.
func (v *State) ImageSettings(card int) map[string]uint32 {
	values := maps.Clone(v.Cards[card].Next)
	maps.DeleteFunc(values, func(name string, _ uint32) bool { return !isImageSetting(name) })
	return values
}

// SetImageSettings replaces the fields of the ini file of the image in a card's flash.
func (v Hypervisor) SetImageSettings(card int, values map[string]uint32) {
	next := map[string]uint32{}
	maps.Copy(next, v.Cards[card].Next)
	maps.DeleteFunc(next, func(name string, _ uint32) bool { return isImageSetting(name) })
	maps.Copy(next, values)
	v.Cards[card].Next = next
	v.Reallocate()
}

// isImageSetting reports whether a firmware setting is a field of the ini file of an image: only WinOF cards have such.
func isImageSetting(name string) bool {
	s, ok := firmware.Find(true, name)
	return ok && s.Tool == firmware.Image
}

// NeedsBoot reports whether a setting of the BIOS or of a card's firmware, or the role Hyper-V, waits for a boot of the computer.
func (v *State) NeedsBoot() bool {
	return v.BIOS != v.NextBIOS || v.NoRole != v.NextNoRole || slices.ContainsFunc(v.Cards, func(c CardFirmware) bool { return !maps.Equal(c.Current, c.Next) })
}

// Boot brings all settings into effect that wait for a boot of the computer.
func (v Hypervisor) Boot() {
	v.BIOS, v.NoRole = v.NextBIOS, v.NextNoRole
	for i := range v.Cards {
		v.LoadFirmware(i)
	}
	v.Net = NetVirtualization{} // kept only in memory: the manuals add the records again after a boot
}

// ClearHistories empties the histories of adapters, after the set-up of a host.
func (v Hypervisor) ClearHistories() {
	v.Each(func(_ AdapterName, _ *Machine, a *Adapter) { a.History = nil })
}

func (o SetBIOS) Inverse(v Hypervisor) (Operation, error) {
	if name := v.Lab().Description().Host.Name; o.Host != name {
		return nil, request.Errorf("the host's name is %q, not %q", name, o.Host)
	}
	if o.SRIOV == nil && o.Virtualization == nil && o.Above4G == nil {
		return nil, errors.New("a BIOS setting is required")
	}
	now, back := v.NextBIOS, SetBIOS{Host: o.Host}
	for _, setting := range []struct {
		to   *bool
		now  bool
		back **bool
	}{{o.SRIOV, now.SRIOV, &back.SRIOV}, {o.Virtualization, now.Virtualization, &back.Virtualization}, {o.Above4G, now.Above4G, &back.Above4G}} {
		if setting.to != nil {
			*setting.back = new(setting.now)
		}
	}
	return back, nil
}

func (o SetBIOS) Apply(v Hypervisor) error {
	next := &v.NextBIOS
	for _, setting := range []struct{ to, now *bool }{{o.SRIOV, &next.SRIOV}, {o.Virtualization, &next.Virtualization}, {o.Above4G, &next.Above4G}} {
		if setting.to != nil {
			*setting.now = *setting.to
		}
	}
	v.Reallocate() // the reasons of adapters without a function mention the next boot
	return nil
}

// UnknownSettingError is a setting that a card does not have in its firmware.
type UnknownSettingError struct{ Name string }

// Error names it and the remedy.
func (e *UnknownSettingError) Error() string {
	return fmt.Sprintf("the card has no setting %q in its firmware; firmware show prints the names", e.Name)
}

func (o SetFirmware) Inverse(v Hypervisor) (Operation, error) {
	card, err := v.Card(o.Adapter)
	if err != nil {
		return nil, err
	}
	if len(o.Values) == 0 {
		return nil, errors.New("a setting is required")
	}
	a := v.card(card)
	back := SetFirmware{Adapter: o.Adapter}
	seen := map[string]bool{}
	for _, to := range o.Values {
		s, ok := firmware.Find(a.Family == description.WinOF, to.Name)
		if !ok {
			return nil, &UnknownSettingError{to.Name}
		}
		switch {
		case seen[to.Name]:
			return nil, fmt.Errorf("%s is named twice", to.Name)
		case s.Port > len(a.Ports):
			return nil, fmt.Errorf("%s is for port %d, and the card has %d", to.Name, s.Port, len(a.Ports))
		}
		seen[to.Name] = true
		if to.Value != "" {
			if _, err := s.Parse(to.Value); err != nil {
				return nil, err
			}
		}
		old := FirmwareValue{Name: to.Name}
		if n, set := v.Cards[card].Next[to.Name]; set {
			old.Value = fmt.Sprint(n)
		}
		back.Values = append(back.Values, old)
	}
	return back, nil
}

func (o SetFirmware) Apply(v Hypervisor) error {
	card, err := v.Card(o.Adapter)
	if err != nil {
		return err
	}
	next := maps.Clone(v.Cards[card].Next)
	if next == nil {
		next = map[string]uint32{}
	}
	for _, to := range o.Values {
		delete(next, to.Name)
		s, _ := firmware.Find(v.card(card).Family == description.WinOF, to.Name)
		if n, err := s.Parse(to.Value); err == nil && to.Value != "" {
			next[to.Name] = n
		}
	}
	v.Cards[card].Next = next
	v.Reallocate()
	return nil
}
