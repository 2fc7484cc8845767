package sriov

import (
	"cmp"
	"fmt"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/ui/widget/wizard"
)

// driverField completes a field of the driver step: how many of the functions in the flash the driver enables.
func (v *View) driverField(f *wizard.Field, p *driver.PortView, card *driver.AdapterView, values wizard.Values) bool {
	s, old := &p.SRIOV, card.Description.Family == description.WinOF
	manual := old && cmp.Or(values.Text(fieldMode), strconv.Itoa(s.Mode)) == strconv.Itoa(hyperv.Manual)
	switch f.ID {
	case fieldMode:
		f.Initial.Text = strconv.Itoa(s.Mode)
		return old
	case fieldPort1:
		f.High, f.Initial.Text = hyperv.MaxPerCard, strconv.Itoa(s.Port1VFs)
		return manual
	case fieldPort2:
		f.High, f.Initial.Text = hyperv.MaxPerCard, strconv.Itoa(s.Port2VFs)
		return manual
	case keySRIOV:
		if !v.policies[p.Description.Connection].known[keySRIOV] {
			f.Disabled = "its driver has SR-IOV without the key"
		}
		return !old
	case fieldNumVFs:
		f.High, f.Initial.Text = hyperv.MaxPerPort, strconv.Itoa(s.NumVFs)
	default:
		f.Facts = v.formula(p, values)
	}
	return true
}

// formula returns the rule that distributes functions over ports, with the numbers of the answers (IOV-1 to IOV-4).
func (v *View) formula(p *driver.PortView, values wizard.Values) (facts []wizard.Fact) {
	s, card := &p.SRIOV, v.scene.cards[p.Port]
	firmwareVFs := s.FirmwareVFs
	if n, ok := values.Number(fieldFirmwareVFs); ok {
		firmwareVFs = n
	}
	numVFs, ok := values.Number(fieldNumVFs)
	if !ok {
		numVFs = s.NumVFs
	}
	if card.Description.Family != description.WinOF {
		n := hyperv.PerPort(true, firmwareVFs, numVFs, s.Limit)
		return []wizard.Fact{{Mark: wizard.Good, Label: p.Description.Connection, Word: countVFs(n),
			Text: fmt.Sprintf("minimum of %d in the firmware, NumVFs %d and %d of the driver", firmwareVFs, numVFs,
				s.Limit)}}
	}
	c := hyperv.Card{Permit: true, Mode: s.Mode, Ports: [2]int{s.Port1VFs, s.Port2VFs}, FirmwareVFs: firmwareVFs}
	if mode, ok := values.Number(fieldMode); ok {
		c.Mode = mode
	}
	for i, id := range []string{fieldPort1, fieldPort2} {
		if n, ok := values.Number(id); ok {
			c.Ports[i] = n
		}
	}
	for i := range card.Ports {
		if c.Interface[i] = card.Ports[i].SRIOV.NumVFs; card.Ports[i].Port == p.Port {
			c.Interface[i] = numVFs
		}
		c.InfiniBand = c.InfiniBand || card.Ports[i].SRIOV.InfiniBand
	}
	bus, available := c.Allocate()
	for i := range card.Ports {
		text := fmt.Sprintf("minimum of %d from the bus driver and NumVFs %d", bus[i], c.Interface[i])
		if sum := c.Ports[0] + c.Ports[1]; c.Mode == hyperv.Manual && sum > firmwareVFs {
			text = fmt.Sprintf("%d x %d / (%d + %d) = %d, rounded down; NumVFs %d", c.Ports[i], firmwareVFs, c.Ports[0],
				c.Ports[1], bus[i], c.Interface[i])
		}
		f := wizard.Fact{Mark: wizard.Good, Label: card.Ports[i].Description.Connection,
			Word: countVFs(available[i]), Text: text}
		if available[i] == 0 {
			f.Mark = wizard.Down
		}
		facts = append(facts, f)
	}
	return facts
}
