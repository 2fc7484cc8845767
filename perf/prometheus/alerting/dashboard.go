package alerting

import (
	"encoding/json"

	"cxdeck/driver/health/findings"
)

// panel is a panel of the dashboard: facts, or queries.
type panel struct {
	title string
	// facts are facts of the findings; their counters make the queries.
	facts []string
	// queries are queries by their legends.
	queries []query
	// unit is Grafana's word.
	unit string
	kind string
	wide bool
}

type query struct{ expr, legend string }

const (
	selector   = `{job=~"$job", instance=~"$instance", device=~"$device"}`
	ofInstance = `{job=~"$job", instance=~"$instance"}`
	perPort    = "{{instance}} {{device}}"
)

// panels are the panels in reading order: what is wrong, traffic, losses, pauses, errors, RDMA.
var panels = []panel{
	{title: "Findings", kind: "table", wide: true, queries: []query{{`sort_desc(sum by (instance, severity, rule, device) (cxdeck_finding` + selector + `))`, ""}}},
	{title: "Hosts with errors", kind: "stat", queries: []query{{`count(cxdeck_findings{job=~"$job", instance=~"$instance", severity="error"} > 0) or vector(0)`, "hosts"}}},
	{title: "Ports without a link", kind: "stat", queries: []query{{`count(cxdeck_port_up` + selector + ` == 0) or vector(0)`, "ports"}}},
	{title: "Received", unit: "Bps", queries: []query{{`rate(cxdeck_port_received_bytes_total` + selector + `[$__rate_interval])`, perPort}}},
	{title: "Sent", unit: "Bps", queries: []query{{`rate(cxdeck_port_sent_bytes_total` + selector + `[$__rate_interval])`, perPort}}},
	{title: "Use of the line, the busier direction", unit: "percentunit", queries: []query{
		{`rate(cxdeck_port_received_bytes_total` + selector + `[$__rate_interval]) / on (job, instance, device) cxdeck_port_line_rate_bytes_per_second`, perPort + " received"},
		{`rate(cxdeck_port_sent_bytes_total` + selector + `[$__rate_interval]) / on (job, instance, device) cxdeck_port_line_rate_bytes_per_second`, perPort + " sent"},
	}},
	{title: "Dropped by ports", unit: "pps", queries: []query{{`rate(cxdeck_port_discarded_packets_total` + selector + `[$__rate_interval])`, perPort}}},
	{title: "Receive drops: full buffer, no descriptor", unit: "pps", facts: []string{"buffer_drops", "no_wqe"}},
	{title: "Discarded on send", unit: "pps", facts: []string{"tx_discards"}},
	{title: "Paused by the far end, pausing it", unit: "percentunit", facts: []string{"paused", "pausing"}},
	{title: "Damaged frames and errors", unit: "pps", facts: []string{"damaged", "rx_errors", "tx_errors"}},
	{title: "ECN marks and congestion notifications", unit: "cps", facts: []string{"ecn_marked", "cnps_handled", "cnps_sent"}},
	{title: "RDMA: out of order, time-outs, no receive posted", unit: "cps", facts: []string{"out_of_order", "rdma_timeouts", "rnr"}},
	{title: "PCI Express: waits and drops", unit: "cps", facts: []string{"pci_waits", "pci_drops"}},
	{title: "Temperature of the chip", unit: "celsius", facts: []string{"temperature"}},
	{title: "Series served and dropped", kind: "", queries: []query{{"cxdeck_served_series" + ofInstance, "{{instance}} served"}, {"cxdeck_dropped_series" + ofInstance, "{{instance}} dropped"}}},
}

// queriesOf returns the queries of a panel.
func queriesOf(p *panel) []query {
	list := p.queries
	for _, name := range p.facts {
		at, known := findings.Catalogue().Find(name)
		if !known {
			continue // a test finds it
		}
		fact := &findings.Catalogue().Facts[at]
		list = append(list, query{expression(fact, selector, "$__rate_interval"), perPort + " " + fact.Meaning})
	}
	return list
}

// object is a JSON object.
type object map[string]any

// Dashboard returns the dashboard as JSON for Grafana's import.
func Dashboard() ([]byte, error) {
	source := object{"type": "prometheus", "uid": "${datasource}"}
	var list []object
	x, y := 0, 0
	for i := range panels {
		p := &panels[i]
		width := 12
		if p.wide {
			width = 24
		}
		if x+width > 24 {
			x, y = 0, y+8
		}
		var targets []object
		for n, q := range queriesOf(p) {
			target := object{"refId": string(rune('A' + n)), "datasource": source, "expr": q.expr, "legendFormat": q.legend}
			if p.kind == "table" {
				target["format"], target["instant"] = "table", true
			}
			targets = append(targets, target)
		}
		kind := p.kind
		if kind == "" {
			kind = "timeseries"
		}
		list = append(list, object{
			"id": i + 1, "type": kind, "title": p.title, "datasource": source, "targets": targets,
			"gridPos":     object{"x": x, "y": y, "w": width, "h": 8},
			"fieldConfig": object{"defaults": object{"unit": p.unit, "min": 0}, "overrides": []any{}},
			"options":     object{},
		})
		x += width
	}
	variable := func(name, label, from string) object {
		return object{
			"name": name, "label": label, "type": "query", "datasource": source, "multi": true, "includeAll": true, "allValue": ".*", "refresh": 2, "sort": 1,
			"query": from, "definition": from, "current": object{"text": "All", "value": "$__all"},
		}
	}
	return json.MarshalIndent(object{
		"title": "ConnectX adapters", "uid": "cxdeck", "schemaVersion": 39, "tags": []string{"cxdeck"}, "editable": true, "refresh": "30s",
		"time": object{"from": "now-1h", "to": "now"}, "timezone": "browser", "panels": list,
		"templating": object{"list": []object{
			{"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "current": object{}},
			variable("job", "Job", "label_values(cxdeck_source_up, job)"),
			variable("instance", "Host", `label_values(cxdeck_source_up{job=~"$job"}, instance)`),
			variable("device", "Port", `label_values(cxdeck_port_up{job=~"$job", instance=~"$instance"}, device)`),
		}},
	}, "", " ")
}
