package serve

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/prometheus"
	"cxdeck/perf/window"
	"cxdeck/views/deck"
)

// Live is the running source: a monitor.
type Live interface {
	Schema() *perf.Schema
	Inventory() *perf.Inventory
	Status() monitor.Status
	Health() *findings.Report
	Window() *window.Recent
}

// maxFindings is the maximum number of findings in a scrape: the worst come first.
const maxFindings = 200

// exposition writes the metrics of a source. Its methods may be called from any goroutine.
type exposition struct {
	live      Live
	selection Selection
	version   string

	mutex sync.Mutex
	// families are made of schema; left is the number of series above the limit.
	schema   *perf.Schema
	families *prometheus.Families
	count    int
	left     int
	column   perf.Column
}

// renew makes the families again after a change of the schema.
func (e *exposition) renew() {
	schema := e.live.Schema()
	if schema == e.schema {
		return
	}
	e.schema = schema
	var series []perf.Series
	series, e.left = e.selection.choose(schema)
	e.families = prometheus.NewFamilies(series, nil, false)
	e.count = e.families.Lines()
}

// size returns the number of served series and of the series above the limit.
func (e *exposition) size() (count, left int) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.renew()
	return e.count, e.left
}

// append appends all metrics. patterns choose among the served counters; nil chooses all.
func (e *exposition) append(text []byte, patterns []perf.Pattern) []byte {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.renew()
	text = e.appendOwn(text)
	if !e.live.Window().CopyNewest(0, &e.column) {
		return text
	}
	var keep func(*perf.Series) bool
	if len(patterns) > 0 {
		keep = func(s *perf.Series) bool { return matches(patterns, s) }
	}
	return e.families.AppendCells(text, &e.column, keep)
}

// Names of the metrics about the source and its ports, for the dashboard and the rules.
const (
	metricBuild    = "cxdeck_build_info"
	metricSource   = "cxdeck_source_info"
	metricUp       = "cxdeck_source_up"
	metricSampled  = "cxdeck_source_sample_age_seconds"
	metricPort     = "cxdeck_port_up"
	metricLine     = "cxdeck_port_line_rate_bytes_per_second"
	metricFinding  = "cxdeck_finding"
	metricFindings = "cxdeck_findings"
	metricSeries   = "cxdeck_served_series"
	metricLeft     = "cxdeck_dropped_series"
)

func (e *exposition) appendOwn(text []byte) []byte {
	status, inventory := e.live.Status(), e.live.Inventory()
	info := status.Info
	text = appendSample(appendGauge(text, metricBuild, "The version of cxdeck; always 1."), metricBuild, 1, prometheus.Label{Name: "version", Value: e.version})
	text = appendSample(appendGauge(text, metricSource, "The source of the counters: lab, local or a log, and the measured computer; always 1."), metricSource, 1,
		prometheus.Label{Name: "source", Value: string(info.Kind)}, prometheus.Label{Name: "name", Value: info.Name},
		prometheus.Label{Name: "host", Value: info.Host}, prometheus.Label{Name: "seed", Value: strconv.FormatUint(info.Seed, 10)})
	text = appendSample(appendGauge(text, metricUp, "1 while the source is read, 0 after it failed or ended."), metricUp, flag(status.Err == nil && !status.Ended))
	if age := sampleAge(&status); age >= 0 {
		text = appendSample(appendGauge(text, metricSampled, "Age of the newest sample, by the clock of the source."), metricSampled, age.Seconds())
	}
	text = appendSample(appendGauge(text, metricSeries, "Number of series that are served."), metricSeries, float64(e.count))
	text = appendSample(appendGauge(text, metricLeft, "Number of chosen series that are left out, because there are more than the limit."), metricLeft, float64(e.left))
	text = appendPorts(text, inventory)
	return appendFindings(text, e.live.Health())
}

// sampleAge returns the age of the newest sample of a machine that keeps the time of this one; -1 for other sources, and before the
// first sample.
func sampleAge(status *monitor.Status) time.Duration {
	if status.Samples == 0 || status.Info.Kind != perf.LocalSource {
		return -1
	}
	return max(time.Since(status.Now), 0)
}

func flag(set bool) float64 {
	if set {
		return 1
	}
	return 0
}

func appendGauge(text []byte, name, help string) []byte {
	return prometheus.AppendHelp(text, name, help, false)
}

func appendSample(text []byte, name string, value float64, labels ...prometheus.Label) []byte {
	text = append(append(text, name...), prometheus.FormatLabels(labels)...)
	return append(strconv.AppendFloat(append(text, ' '), value, 'g', -1, 64), '\n')
}

// appendPorts appends state and line rate of each port whose state is known.
func appendPorts(text []byte, inventory *perf.Inventory) []byte {
	if inventory == nil {
		return text
	}
	each := func(name, help string, value func(*perf.Node) (float64, bool)) {
		begun, seen := false, map[string]bool{}
		for i := range inventory.Nodes {
			n := &inventory.Nodes[i]
			number, ok := value(n)
			if n.Kind != perf.PortNode || !ok || seen[n.Name] {
				continue
			}
			seen[n.Name] = true
			if !begun {
				begun, text = true, appendGauge(text, name, help)
			}
			labels := []prometheus.Label{{Name: "device", Value: n.Name}}
			if p := n.Parent; p >= 0 && p < i {
				labels = append(labels, prometheus.Label{Name: "adapter", Value: inventory.Nodes[p].Name})
			}
			text = appendSample(text, name, number, labels...)
		}
	}
	each(metricPort, "1 while the port has a link and runs, 0 while it does not.", func(n *perf.Node) (float64, bool) {
		return flag(n.State == perf.StateUp || n.State == perf.StateRunning), n.State != perf.StateUnknown
	})
	each(metricLine, "Line rate of the port with its present link; absent without a link.", func(n *perf.Node) (float64, bool) {
		return float64(n.Speed) / 8, n.Speed > 0
	})
	return text
}

// appendFindings appends the findings of the rules, as diagnose lists them.
func appendFindings(text []byte, report *findings.Report) []byte {
	if report == nil || report.Checked.IsZero() {
		return text
	}
	text = appendGauge(text, metricFindings, "Number of findings by severity; docs/diagnose.md lists the rules.")
	for _, severity := range []eventlog.Severity{eventlog.Error, eventlog.Warning, eventlog.Information} {
		text = appendSample(text, metricFindings, float64(report.Count(severity)), prometheus.Label{Name: "severity", Value: severityWord(severity)})
	}
	if len(report.Findings) == 0 {
		return text
	}
	text = appendGauge(text, metricFinding, "1 for each thing that a rule finds wrong, with the rule and the object; the worst come first.")
	seen := map[string]bool{}
	for _, f := range report.Findings[:min(len(report.Findings), maxFindings)] {
		labels := []prometheus.Label{{Name: "rule", Value: f.Rule.ID}, {Name: "severity", Value: severityWord(f.Severity)}}
		if f.Subject != nil {
			labels = append(labels, prometheus.Label{Name: "device", Value: f.Subject.Name})
		}
		key := prometheus.FormatLabels(labels)
		if f.Item != nil {
			labels = append(labels, prometheus.Label{Name: "finding", Value: f.Title})
			key = prometheus.FormatLabels(labels)
		}
		if !seen[key] {
			seen[key] = true
			text = appendSample(text, metricFinding, 1, labels...)
		}
	}
	return text
}

func severityWord(s eventlog.Severity) string {
	switch s {
	case eventlog.Error:
		return "error"
	case eventlog.Warning:
		return "warning"
	default:
		return "info"
	}
}

// fault returns why the source gives no samples; nil while it does.
func (e *exposition) fault(now time.Time) error {
	status := e.live.Status()
	switch {
	case status.Err != nil:
		return status.Err
	case status.Ended:
		return fmt.Errorf("%s has ended", status.Info.Name)
	case status.Samples == 0:
		return fmt.Errorf("%s has no sample yet", status.Info.Name)
	case sampleAge(&status) > max(3*status.Interval, minStale):
		return fmt.Errorf("the newest sample of %s is %s old", status.Info.Name, deck.Length(now.Sub(status.Now).Round(time.Second)))
	}
	return nil
}

// minStale is the minimum age of a stale sample.
const minStale = 10 * time.Second
