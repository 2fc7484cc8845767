package qos

import (
	"fmt"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver/qos"
)

// dcbxRow is DCBX of an adapter as JSON.
type dcbxRow struct {
	Exchanges        bool   `json:"exchanges"`
	Why              string `json:"why,omitempty"`
	Willing          bool   `json:"willing"`
	Address          string `json:"address"`
	HostAccepts      bool   `json:"uses_remote_settings"`
	NeighbourAccepts bool   `json:"remote_uses_settings"`
}

// remoteRow is the neighbour of an adapter with its TLVs as JSON.
type remoteRow struct {
	Name         string                          `json:"name"`
	Address      string                          `json:"address"`
	DCBX         bool                            `json:"dcbx"`
	Willing      bool                            `json:"willing"`
	Classes      []classRow                      `json:"traffic_classes"`
	FlowControl  []int                           `json:"flow_control_priorities"`
	Applications []description.SwitchApplication `json:"applications"`
}

// rowOfDCBX returns DCBX of an adapter, and its neighbour, nil for none.
func rowOfDCBX(d *qos.DCBX) (row dcbxRow, remote *remoteRow) {
	row = dcbxRow{d.Exchanges(), d.Why, d.Willing, d.Address.String(), d.HostAccepts, d.NeighbourAccepts}
	n := d.Neighbour
	if n == nil {
		return row, nil
	}
	remote = &remoteRow{n.Name, n.Address.String(), n.DCBX, n.Willing, []classRow{}, n.FlowControl.List(), n.Applications}
	if remote.Applications == nil {
		remote.Applications = []description.SwitchApplication{}
	}
	for _, c := range n.Classes {
		remote.Classes = append(remote.Classes, classRow{c.Name, string(c.Algorithm), c.Bandwidth, c.Priorities.List()})
	}
	return row, remote
}

// dcbxText is Windows' word for support of DCBX.
func dcbxText(has bool) string {
	if has {
		return "IEEE"
	}
	return "None"
}

// flowControlText says for which priorities there is PFC, as Windows does.
func flowControlText(set qos.Priorities) string {
	switch {
	case set == qos.AllPriorities:
		return "All Priorities Enabled"
	case set == 0:
		return "All Priorities Disabled"
	case len(set.List()) == 1:
		return "Priority " + set.String() + " Enabled"
	}
	return "Priorities " + set.Ranges() + " Enabled"
}

// adapterLines writes a list of Windows: names on the left, and tables beside them.
type adapterLines func(name, format string, values ...any)

func (add adapterLines) classes(name string, classes []qos.ClassView) {
	add(name, "%s", "TC TSA    Bandwidth Priorities")
	add("", "%s", "-- ---    --------- ----------")
	for i, c := range classes {
		percent := shareText(c.Class)
		if percent != "" {
			percent += "%"
		}
		add("", "%2d %-6s %-9s %s", i, c.Algorithm, percent, c.Priorities.Ranges())
	}
}

func (add adapterLines) classifications(name string, rows [][3]string) {
	add(name, "%s", "Protocol  Port/Type Priority")
	add("", "%s", "--------  --------- --------")
	for _, row := range rows {
		add("", "%-9s %-9s %s", row[0], row[1], row[2])
	}
}

// remote writes the TLVs of a neighbour. What it does not send is left out, as Windows does.
func (add adapterLines) remote(n *qos.Neighbour) {
	if n == nil || !n.DCBX {
		return
	}
	if n.Classes != nil {
		add.classes("RemoteTrafficClasses", n.Classes)
	}
	add("RemoteFlowControl", "%s", flowControlText(n.FlowControl))
	if n.Applications != nil {
		add.classifications("RemoteClassifications", applicationRows(n.Applications))
	}
}

// applicationRows are application priorities as classifications: a port is of TCP or UDP, and of NetworkDirect.
func applicationRows(list []description.SwitchApplication) (rows [][3]string) {
	for _, a := range list {
		priority, port := strconv.Itoa(a.Priority), strconv.Itoa(a.Port)
		rows = append(rows, [3]string{"TCP/UDP", port, priority}, [3]string{"NetDirect", port, priority})
	}
	return rows
}

// operationalClassifications returns the rules that classify the traffic of an adapter: application priorities of its neighbour before
// policies of the host.
func operationalClassifications(v *qos.View, port *qos.PortView) [][3]string {
	list := classifications(v)
	if !port.DCBX.HostAccepts || port.DCBX.Neighbour.Applications == nil {
		return list
	}
	rows, taken := applicationRows(port.DCBX.Neighbour.Applications), map[string]bool{}
	for _, r := range rows {
		taken[fmt.Sprint(r[:2])] = true
	}
	for _, r := range list[1:] {
		if !taken[fmt.Sprint(r[:2])] {
			rows = append(rows, r)
		}
	}
	return append(list[:1:1], rows...)
}
