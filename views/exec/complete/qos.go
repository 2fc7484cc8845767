package complete

import (
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/qos"
)

// qos returns the QoS of the host; it is empty without a host, and for a command that creates an object.
func (k *completer) qos() (v qos.View) {
	if k.createsObject() || !k.openHost() {
		return v
	}
	if err := k.host.ReadHost(k.ctx, func(h *driver.Host) error { v = h.QoS(); return nil }); err != nil {
		return qos.View{}
	}
	return v
}

// policies returns the QoS policies with their conditions; POLICY of Set-ExecutionPolicy is not a QoS policy.
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

// classes returns the traffic classes without [Default], which no command takes.
func (k *completer) classes([]string) (list []Candidate) {
	for _, c := range k.qos().Classes {
		if !c.Default {
			list = append(list, Candidate{c.Name, "traffic class"})
		}
	}
	return list
}
