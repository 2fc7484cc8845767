package sriov

import (
	"fmt"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/ui/widget"
)

// numVFsField asks how many functions Windows may use of a port.
func (*View) numVFsField(p *driver.PortView) widget.WizardField {
	return widget.WizardField{ID: fieldNumVFs, Kind: widget.WizardNumber, Low: 0, High: hyperv.MaxPerPort,
		Required: true, Hint: "Windows begins with 32", Initial: typed(strconv.Itoa(p.SRIOV.NumVFs))}
}

// driverFields ask what the driver makes of the functions in the flash.
func (v *View) driverFields(p *driver.PortView, card *driver.AdapterView,
	values widget.WizardValues) []widget.WizardField {
	s := &p.SRIOV
	fields := []widget.WizardField{}
	if card.Description.Family == description.WinOF {
		mode := widget.WizardField{ID: fieldMode, Kind: widget.WizardOneOf, Initial: typed(strconv.Itoa(s.Mode)),
			Choices: []widget.WizardChoice{
				{ID: "0", Label: "0 auto_port1", Text: "port 1 has all, port 2 no RoCE"},
				{ID: "1", Label: "1 auto_port2", Text: "port 2 has all, port 1 no RoCE"},
				{ID: "2", Label: "2 manual", Text: "a count for each port"},
			}}
		fields = append(fields, mode)
		if at := values.Text(fieldMode); at == "2" || at == "" && s.Mode == hyperv.Manual {
			for _, one := range []struct {
				id string
				n  int
			}{{fieldPort1, s.Port1VFs}, {fieldPort2, s.Port2VFs}} {
				fields = append(fields, widget.WizardField{ID: one.id, Kind: widget.WizardNumber, Low: 0,
					High: hyperv.MaxPerCard, Required: true, Initial: typed(strconv.Itoa(one.n))})
			}
		}
	} else {
		f := toggle(keySRIOV, true)
		if !v.policies[p.Description.Connection].known[keySRIOV] {
			f.Disabled = "its driver has SR-IOV without the key"
		}
		fields = append(fields, f)
	}
	return append(fields, v.numVFsField(p), widget.WizardField{ID: "formula", Label: "Result",
		Kind: widget.WizardFacts, Facts: v.formula(p, values)})
}

// formula is the rule by which functions are shared out, with the numbers of the answers in it (IOV-1 to IOV-4).
func (v *View) formula(p *driver.PortView, values widget.WizardValues) (facts []widget.WizardFact) {
	s, card := &p.SRIOV, v.scene.cards[p.Port]
	burnt := s.Burnt
	if n, ok := values.Number(fieldBurnt); ok {
		burnt = n
	}
	numVFs, ok := values.Number(fieldNumVFs)
	if !ok {
		numVFs = s.NumVFs
	}
	if card.Description.Family != description.WinOF {
		n := hyperv.PerPort(true, burnt, numVFs, s.Limit)
		return []widget.WizardFact{{Mark: widget.WizardGood, Label: p.Description.Connection, Word: countVFs(n),
			Text: fmt.Sprintf("minimum of %d in the firmware, NumVFs %d and %d of the driver", burnt, numVFs,
				s.Limit)}}
	}
	c := hyperv.Card{Permit: true, Mode: s.Mode, Ports: [2]int{s.Port1VFs, s.Port2VFs}, Burnt: burnt}
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
		if sum := c.Ports[0] + c.Ports[1]; c.Mode == hyperv.Manual && sum > burnt {
			text = fmt.Sprintf("%d x %d / (%d + %d) = %d, rounded down; NumVFs %d", c.Ports[i], burnt, c.Ports[0],
				c.Ports[1], bus[i], c.Interface[i])
		}
		f := widget.WizardFact{Mark: widget.WizardGood, Label: card.Ports[i].Description.Connection,
			Word: countVFs(available[i]), Text: text}
		if available[i] == 0 {
			f.Mark = widget.WizardDown
		}
		facts = append(facts, f)
	}
	return facts
}
