package exec

import (
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/qos"
)

// qos returns the quality of service of the host; it has nothing without a host, and where a command names something new.
func (k *completer) qos() (v qos.View) {
	if k.makes() || !k.openHost() {
		return v
	}
	if err := k.host.Look(k.ctx, func(h *driver.Host) error { v = h.QoS(); return nil }); err != nil {
		return qos.View{}
	}
	return v
}

// policies returns the QoS policies, with what they match. Windows has other policies, too.
func (k *completer) policies([]string) (list []Candidate) {
	if !strings.HasSuffix(k.command.Name, "-NetQosPolicy") {
		return nil
	}
	v := k.qos()
	for i := range v.Policies {
		list = append(list, Candidate{v.Policies[i].Name, v.Policies[i].Summary()})
	}
	return list
}

// classes returns the traffic classes that have a name of their own.
func (k *completer) classes([]string) (list []Candidate) {
	for _, c := range k.qos().Classes {
		if !c.Default {
			list = append(list, Candidate{c.Name, "traffic class"})
		}
	}
	return list
}
