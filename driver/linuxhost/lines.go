package linuxhost

import (
	"fmt"
	"strings"
)

// Commands returns the equivalent command lines of a plan. Some need what the machine has beside the change: the VLAN of a virtual
// function, which ip sets together with its priority, and the device of a devlink parameter.
func (p Plan) Commands(m *Machine) []string {
	values := map[string]string{} // as the plan changes them
	lines := make([]string, 0, len(p))
	for n := range p {
		c := &p[n]
		i, ok := m.Interface(c.Interface)
		if !ok {
			i = &Interface{}
		}
		value := func(name string) string {
			if now, ok := values[c.Interface+" "+name]; ok {
				return now
			}
			s, _ := i.Setting(name)
			return s.Value
		}
		lines = append(lines, c.commandWith(value, i.Devlink))
		values[c.Interface+" "+c.Name] = c.New
	}
	return lines
}

// commandWith returns the command line of a change with the values of other settings of its interface, and its devlink device.
func (c *Change) commandWith(value func(name string) string, device string) string {
	group, rest, _ := strings.Cut(c.Name, ".")
	number, attribute, _ := strings.Cut(rest, ".")
	switch {
	case c.Registry != "":
	case group == "devlink", group == "devlink-init":
		mode := map[string]string{"devlink": "runtime", "devlink-init": "driverinit"}[group]
		return fmt.Sprintf("devlink dev param set %s name %s value %s cmode %s", quote(device), quote(rest), quote(c.New), mode)
	case group == "vf" && (attribute == "vlan" || attribute == "qos"):
		vlan, priority := value("vf."+number+".vlan"), value("vf."+number+".qos")
		if attribute == "vlan" {
			vlan = c.New
		} else {
			priority = c.New
		}
		return fmt.Sprintf("ip link set dev %s vf %s vlan %s qos %s", quote(c.Interface), number, quote(vlan), quote(priority))
	}
	return c.Command()
}
