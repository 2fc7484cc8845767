package fabric

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// SetFarEnd replaces the settings of the far end of a connection's path: of the switch port to which its peers are cabled, and of
// their adapters. Settings that are absent agree with the near end.
type SetFarEnd struct {
	Connection string       `json:"connection"`
	Settings   setup.FarEnd `json:"settings"`
}

func (SetFarEnd) Kind() string { return "set-far-end" }

func (o SetFarEnd) Target() string { return o.Connection }

// Commands is empty: the commands depend on the switch and on the operating system of the peers.
func (SetFarEnd) Commands() []string { return nil }

// Touches returns what it changes.
func (o SetFarEnd) Touches() []string { return []string{"the far end of " + o.Connection} }

func (o SetFarEnd) Describe() string {
	if o.Settings == (setup.FarEnd{}) {
		return "make the far end of " + o.Connection + " agree with the near end"
	}
	return fmt.Sprintf("set the far end of %s to %s", o.Connection, strings.Join(farEndWords(&o.Settings), ", "))
}

// farEndWords lists the settings of a far end that differ from the near one.
func farEndWords(f *setup.FarEnd) (list []string) {
	pauses := func(where string, mode *description.FlowControl, lossless *uint8) {
		if mode != nil {
			word, err := mode.MarshalText()
			if err != nil {
				word = []byte("unknown")
			}
			list = append(list, fmt.Sprintf("flow control %s %s", word, where))
		}
		if lossless != nil {
			list = append(list, fmt.Sprintf("lossless priorities %s %s", priorities(*lossless), where))
		}
	}
	const atSwitch, atPeers = "at the peers' switch port", "at the peers' adapters"
	pauses(atSwitch, f.FlowControl, f.Lossless)
	pauses(atPeers, f.AdapterFlowControl, f.AdapterLossless)
	if f.Trust != nil {
		list = append(list, "trust in "+f.Trust.String()+" "+atSwitch)
	}
	if f.AdapterTrust != nil {
		list = append(list, "trust in "+f.AdapterTrust.String()+" "+atPeers)
	}
	if f.AdapterWilling {
		list = append(list, "peers willing by DCBX")
	}
	if f.DSCP != nil {
		list = append(list, "DSCP of the peers' RDMA "+strings.Trim(fmt.Sprint(*f.DSCP), "[]"))
	}
	if f.Reacts != nil {
		list = append(list, "peers react to congestion on "+priorities(*f.Reacts))
	}
	if f.Notifies != nil {
		list = append(list, "peers notify of congestion on "+priorities(*f.Notifies))
	}
	if f.DropsCNPs {
		list = append(list, "CNPs dropped "+atSwitch)
	}
	if f.SlowPeer != "" {
		list = append(list, fmt.Sprintf("the peer %s takes %g%% of the line rate", f.SlowPeer, 100*f.Takes))
	}
	if f.Shares != "" {
		list = append(list, "peers share a switch port with the peers of "+f.Shares)
	}
	return list
}

func (o SetFarEnd) Inverse(s Set) (Operation, error) {
	port, err := s.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	return SetFarEnd{o.Connection, s.Lab().FarEndSettings(port)}, nil
}

func (o SetFarEnd) Apply(s Set) error {
	port, err := s.Port(o.Connection)
	if err != nil {
		return err
	}
	return s.Lab().SetFarEnd(port, o.Settings)
}
