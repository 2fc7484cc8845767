package qos

import (
	"fmt"
	"strings"

	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/views/browse"
)

// exchangeText says in a few words whose settings a port uses.
func exchangeText(q *qos.PortView) string {
	d := &q.DCBX
	switch {
	case !d.Exchanges():
		return "no DCBX"
	case d.HostAccepts:
		return "DCBX: settings of " + d.Neighbour.Name
	case d.NeighbourAccepts:
		return "DCBX: " + d.Neighbour.Name + " uses the adapter's settings"
	}
	return "DCBX: neither end is willing"
}

// writeExchange writes DCBX of the port: whose settings count, what is configured against what is operational, and the TLVs of
// the neighbour.
func (v *View) writeExchange() {
	p, q := &v.page, v.windows()
	d := &q.DCBX
	v.heading("DCBX")
	p.Text(wording.UpperFirst(d.Result(q.Connection))+".", muted)
	field := func(name, value string) {
		p.Add(browse.Line{Text: name, Style: muted, Value: value, ValueStyle: themes.Style{}})
	}
	if q.Acts && d.HostAccepts {
		field("PFC configured", pfcText(q.Configured))
		field("PFC operational", pfcText(q.Operational))
	}
	n := d.Neighbour
	if n == nil {
		return
	}
	field("Neighbour", n.Name+", "+n.Address.String())
	if !n.DCBX {
		return
	}
	willing := "not willing"
	if n.Willing {
		willing = "willing"
	}
	field("Neighbour is", willing)
	field("PFC received", pfcText(n.FlowControl))
	if n.Classes != nil {
		list := make([]string, len(n.Classes))
		for i, c := range n.Classes {
			list[i] = c.Priorities.Ranges() + " strict"
			if c.Algorithm == qos.ETS {
				list[i] = fmt.Sprintf("%s %d%%", c.Priorities.Ranges(), c.Bandwidth)
			}
		}
		field("ETS received", strings.Join(list, ", "))
	}
	for _, a := range n.Applications {
		field("Received for port "+fmt.Sprint(a.Port), fmt.Sprintf("priority %d", a.Priority))
	}
}

func pfcText(set qos.Priorities) string {
	if set == 0 {
		return "none"
	}
	return "on " + set.Ranges()
}
