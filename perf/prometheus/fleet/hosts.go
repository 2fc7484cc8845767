package fleet

import (
	"context"
	"slices"
	"strings"
	"time"

	"cxdeck/perf"
)

// identity are the labels that identify a target in one Prometheus.
var identity = []string{"job", "instance", "host", "hostname", "nodename"}

// hostLabels are the labels that name a host, the first one first; without them the address does.
var hostLabels = []string{"host", "hostname", "nodename"}

// clusters tells hosts of the same name apart: Thanos and Mimir answer for several Prometheus, each of which may scrape a localhost:9100.
// Their series differ in labels of the Prometheus, such as the cluster.
type clusters struct {
	// labels are the labels whose values differ between targets of one job and name; shared are the names.
	labels []string
	shared map[string]bool
}

// isReplica reports whether a label tells apart only which of several equal Prometheus has scraped a target.
func isReplica(name string) bool { return strings.Contains(name, "replica") }

// targetName returns the name of a target's host by its labels, before hosts of the same name are told apart; empty if it has none.
func targetName(labels []label) string {
	for _, given := range hostLabels {
		if value := find(labels, given); len(value) > 0 {
			return perf.CleanText(string(value), perf.NameLimit)
		}
	}
	name := string(find(labels, "instance"))
	for _, port := range []string{":9100", ":9756"} { // the ports of node_exporter and cxdeck serve: two views of one host
		name = strings.TrimSuffix(name, port)
	}
	return perf.CleanText(name, perf.NameLimit)
}

// compare compares a target with the first one of its job and name; it reports whether a label is new that tells hosts apart.
func (c *clusters) compare(first, labels []label, name string) (grown bool) {
	differ := func(one, other []label) {
		for _, l := range one {
			label := string(l.name)
			if isReplica(label) || label == "instance" || label == "__name__" || slices.Contains(hostLabels, label) || string(find(other, label)) == string(l.value) {
				continue
			}
			if !slices.Contains(c.labels, label) {
				c.labels = append(c.labels, label)
				slices.Sort(c.labels)
				grown = true
			}
			if !c.shared[name] {
				c.shared[name], grown = true, true
			}
		}
	}
	differ(first, labels)
	differ(labels, first)
	return grown
}

// suffix returns what distinguishes a host from others of the same name: " (eu-west)"; empty if its name is its own.
func (c *clusters) suffix(labels []label, name string) string {
	if !c.shared[name] {
		return ""
	}
	var values []string
	for _, label := range c.labels {
		if value := find(labels, label); len(value) > 0 {
			values = append(values, perf.CleanText(string(value), perf.NameLimit))
		}
	}
	if len(values) == 0 {
		return ""
	}
	return " (" + strings.Join(values, ", ") + ")"
}

// readUp asks which targets were scraped; when hosts must newly be told apart, the table begins anew, and it asks once more.
func (s *Source) readUp(ctx context.Context, at time.Time, visit func(labels []label, up bool)) error {
	for again := true; again; {
		again = false
		first := map[string][]label{} // by job and name
		if err := s.client.query(ctx, "up", at, func(labels []label, value float64) {
			name := targetName(labels)
			key := string(find(labels, "job")) + "\x00" + name
			if other, known := first[key]; known {
				again = s.clusters.compare(other, labels, name) || again
			} else {
				first[key] = cloneLabels(labels)
			}
			if !again {
				visit(labels, value == 1)
			}
		}); err != nil {
			return err
		}
		if again {
			s.forget()
		}
	}
	return nil
}

// forget removes all hosts and series, because their names change.
func (s *Source) forget() {
	clear(s.targets)
	clear(s.hosts)
	clear(s.places)
	clear(s.parts)
	s.series, s.cells, s.selectors, s.left, s.changed = nil, nil, nil, 0, true
}

// cloneLabels copies labels, which are valid only while an answer is read.
func cloneLabels(labels []label) []label {
	list := make([]label, len(labels))
	for i, l := range labels {
		list[i] = label{slices.Clone(l.name), slices.Clone(l.value)}
	}
	return list
}
