package subnet

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/site"
	"cxdeck/driver/request"
)

// SetLink breaks a cable of the subnet, mends it, or makes it a bad one. Nil fields stay as they are.
type SetLink struct {
	// Port is one end: "IB1/12".
	Port string `json:"port"`
	// Unplugged takes the cable out.
	Unplugged *bool `json:"unplugged,omitempty"`
	// SymbolErrors is the number of symbol errors in a second that both ends count, at most 1,000,000.
	SymbolErrors *float64 `json:"symbol_errors,omitempty"`
}

// SetPort sets what a port may do, as ibportstate does. Nil fields stay as they are.
type SetPort struct {
	Port     string `json:"port"`
	Disabled *bool  `json:"disabled,omitempty"`
	// Widths and Speeds are what the port may train to, in the bits of the fabric: they count when the link trains again.
	Widths *infiniband.Widths `json:"widths,omitempty"`
	Speeds *infiniband.Speeds `json:"speeds,omitempty"`
	// Reset trains the link again.
	Reset bool `json:"reset,omitempty"`
	// Write is what a subnet manager outside of the lab sets in the node, as when its request arrives at the port.
	Write *mad.Write `json:"write,omitempty"`
}

func (SetLink) Kind() string       { return "set-subnet-link" }
func (SetPort) Kind() string       { return "set-subnet-port" }
func (o SetLink) Target() string   { return o.Port }
func (o SetPort) Target() string   { return o.Port }
func (SetLink) Commands() []string { return nil }
func (SetPort) Commands() []string { return nil }

func (o SetLink) Describe() string {
	var changes []string
	if o.Unplugged != nil {
		changes = append(changes, map[bool]string{true: "take out the cable at " + o.Port, false: "plug in the cable at " + o.Port}[*o.Unplugged])
	}
	if o.SymbolErrors != nil {
		changes = append(changes, fmt.Sprintf("let the cable at %s have %g symbol errors a second", o.Port, *o.SymbolErrors))
	}
	return strings.Join(changes, ", ")
}

func (o SetPort) Describe() string {
	var changes []string
	if o.Disabled != nil {
		changes = append(changes, map[bool]string{true: "disable", false: "enable"}[*o.Disabled])
	}
	if o.Widths != nil || o.Speeds != nil {
		changes = append(changes, "set the widths and speeds of")
	}
	if o.Reset {
		changes = append(changes, "reset")
	}
	if o.Write != nil {
		changes = append(changes, fmt.Sprintf("set the attribute %#x of", uint16(o.Write.Attribute)))
	}
	return strings.Join(changes, " and ") + " the port " + o.Port
}

func (o SetLink) Inverse(h Host) (Operation, error) {
	port, err := read(h, o.Port)
	switch {
	case err != nil:
		return nil, err
	case o.Unplugged == nil && o.SymbolErrors == nil:
		return nil, errors.New("a change of the cable is required")
	case port.Far == infiniband.Nowhere:
		return nil, fmt.Errorf("%s has no cable", o.Port)
	case o.SymbolErrors != nil && !(*o.SymbolErrors >= 0 && *o.SymbolErrors <= 1e6):
		return nil, errors.New("a cable has 0 to 1000000 symbol errors a second")
	}
	back := SetLink{Port: o.Port}
	if (o.Unplugged == nil || *o.Unplugged == port.Unplugged) && (o.SymbolErrors == nil || *o.SymbolErrors == port.SymbolErrors) {
		return nil, request.Unchanged("the cable is in that state already")
	}
	if o.Unplugged != nil {
		back.Unplugged = new(port.Unplugged)
	}
	if o.SymbolErrors != nil {
		back.SymbolErrors = new(port.SymbolErrors)
	}
	return back, nil
}

func (o SetLink) Apply(h Host) error {
	cable := -1
	err := h.Lab().ChangeSubnet(func(s *site.Site) error {
		at, err := Find(s.Fabric, o.Port)
		if err != nil {
			return err
		}
		near := s.Fabric.At(at)
		if o.SymbolErrors != nil {
			near.SymbolErrors, s.Fabric.At(near.Far).SymbolErrors = *o.SymbolErrors, *o.SymbolErrors
		}
		if o.Unplugged == nil {
			return nil
		}
		cable = own(s, at)
		s.Fabric.SetUnplugged(at, *o.Unplugged)
		s.Changed()
		return nil
	})
	if err != nil || cable < 0 {
		return err
	}
	if err := h.Lab().SetCable(cable, !*o.Unplugged); err != nil {
		return err
	}
	h.LinksChanged()
	return nil
}

func (o SetPort) Inverse(h Host) (Operation, error) {
	port, err := read(h, o.Port)
	switch {
	case err != nil:
		return nil, err
	case strings.HasSuffix(o.Port, "/0") && (o.Disabled != nil || o.Reset || o.Widths != nil || o.Speeds != nil):
		return nil, errors.New("the management port of a switch has no link")
	case o.Disabled == nil && o.Widths == nil && o.Speeds == nil && !o.Reset && o.Write == nil:
		return nil, errors.New("a change of the port is required")
	case o.Widths != nil && (*o.Widths == 0 || *o.Widths&^port.Supported.Widths != 0):
		return nil, fmt.Errorf("%s does not support this width", o.Port)
	case o.Speeds != nil && (*o.Speeds == 0 || *o.Speeds&^port.Supported.Speeds != 0):
		return nil, fmt.Errorf("%s does not support this speed", o.Port)
	}
	if o.Write != nil {
		return o.unwrite(h)
	}
	if !o.Reset && (o.Disabled == nil || *o.Disabled == (port.Physical == infiniband.Disabled)) &&
		(o.Widths == nil || *o.Widths == port.Enabled.Widths) && (o.Speeds == nil || *o.Speeds == port.Enabled.Speeds) {
		return nil, request.Unchanged("the port is in that state already")
	}
	back := SetPort{Port: o.Port, Reset: o.Reset}
	if o.Disabled != nil {
		back.Disabled = new(port.Physical == infiniband.Disabled)
	}
	if o.Widths != nil {
		back.Widths = new(port.Enabled.Widths)
	}
	if o.Speeds != nil {
		back.Speeds = new(port.Enabled.Speeds)
	}
	return back, nil
}

// unwrite returns what writes the former data of an attribute.
func (o SetPort) unwrite(h Host) (Operation, error) {
	back := SetPort{Port: o.Port, Write: &mad.Write{Attribute: o.Write.Attribute, Modifier: o.Write.Modifier}}
	err := h.Lab().ReadSubnet(func(s *site.Site) error {
		at, err := Find(s.Fabric, o.Port)
		if err != nil {
			return err
		}
		network := &mad.Network{Fabric: s.Fabric.Clone(), Managers: s.Managers, Profile: mad.Hardware()}
		port := network.At(at)
		back.Disabled, back.Reset = nil, o.Reset
		if o.Disabled != nil {
			back.Disabled = new(port.Physical == infiniband.Disabled)
		}
		if o.Widths != nil || o.Speeds != nil {
			back.Widths, back.Speeds = new(port.Enabled.Widths), new(port.Enabled.Speeds)
		}
		var status mad.Status
		if back.Write.Data, status = network.Get(at, o.Write.Attribute, o.Write.Modifier); status == mad.OK {
			status = network.Set(at, *o.Write)
		}
		if status != mad.OK {
			return fmt.Errorf("%s does not take the attribute %#x", o.Port, uint16(o.Write.Attribute))
		}
		if bytes.Equal(back.Write.Data, o.Write.Data) && o.Disabled == nil && o.Widths == nil && o.Speeds == nil && !o.Reset {
			return request.Unchanged("the node has these data already")
		}
		return nil
	})
	return back, err
}

func (o SetPort) Apply(h Host) error {
	return h.Lab().ChangeSubnet(func(s *site.Site) error {
		at, err := Find(s.Fabric, o.Port)
		if err != nil {
			return err
		}
		if o.Write != nil {
			network := &mad.Network{Fabric: s.Fabric, Managers: s.Managers, Profile: mad.Hardware()}
			if network.Set(at, *o.Write) != mad.OK {
				return fmt.Errorf("%s does not take the attribute %#x", o.Port, uint16(o.Write.Attribute))
			}
			s.Touched = true
			if o.Disabled == nil && o.Widths == nil && o.Speeds == nil && !o.Reset {
				return nil
			}
		}
		mode := s.Fabric.At(at).Enabled
		if o.Widths != nil {
			mode.Widths = *o.Widths
		}
		if o.Speeds != nil {
			mode.Speeds = *o.Speeds
		}
		s.Fabric.SetEnabled(at, mode)
		if o.Disabled != nil {
			s.Fabric.SetDisabled(at, *o.Disabled)
		}
		if o.Reset {
			s.Fabric.Reset(at)
		}
		s.Changed()
		return nil
	})
}
