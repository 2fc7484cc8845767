package virtualization

import (
	"fmt"
	"maps"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
)

// PortFlash returns the effective value of a port's setting in the flash of its card. The name omits the port number: LLDP_NB_DCBX
// for LLDP_NB_DCBX_P2. A setting that was never set has its default.
func (v Hypervisor) PortFlash(port int, name string) uint32 {
	_, card, index := v.Lab().Port(port)
	full := fmt.Sprintf("%s_P%d", name, index+1)
	if n, set := v.flashSetting(card, full); set {
		return n
	}
	s, _ := firmware.Find(v.card(card).Family == description.WinOF, full)
	return s.Usual
}

// ReloadPort applies the flash settings of a port that its driver reads when it starts: LLDP and DCBX. Other settings take effect
// at the next boot of the host or reset of the card.
func (v Hypervisor) ReloadPort(port int) {
	_, card, index := v.Lab().Port(port)
	flash := &v.Cards[card]
	var changed map[string]uint32 // the two maps may be one
	for _, s := range firmware.Settings(v.card(card).Family == description.WinOF) {
		next, set := flash.Next[s.Name]
		now, was := flash.Current[s.Name]
		if !s.WithDriver || s.Port != index+1 || set == was && next == now {
			continue
		}
		if changed == nil {
			if changed = maps.Clone(flash.Current); changed == nil {
				changed = map[string]uint32{}
			}
		}
		if delete(changed, s.Name); set {
			changed[s.Name] = next
		}
	}
	if changed != nil {
		flash.Current = changed
	}
}
