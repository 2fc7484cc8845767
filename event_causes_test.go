package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
)

// eventCause says how an event, a sensor or a return code of the catalogue is raised: by lines of exec on a lab, or why it is not.
type eventCause struct {
	key string
	// lines raise it, and lab is the lab: see causeLabs.
	lines, lab string
	// why is the reason why nothing raises it.
	why string
}

// causeLabs are labs that a cause may need.
var causeLabs = map[string]func(d *description.Description){
	"": func(*description.Description) {},
	// the WinOF card has no InfiniBand port, as virtual functions and dropless mode need
	"ethernet": func(d *description.Description) {
		const gone = "Ethernet 4"
		for i := range d.Adapters {
			a := &d.Adapters[i]
			a.Ports = slices.DeleteFunc(a.Ports, func(p description.Port) bool { return p.Connection == gone })
			if a.Family == description.WinOF {
				a.Ports[0].FlowControl, a.Ports[0].Switch.FlowControl = description.GlobalPause, description.GlobalPause
				a.Ports[0].Lossless, a.Ports[0].Switch.Lossless = nil, nil
			}
		}
		d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == gone })
		d.Faults = slices.DeleteFunc(d.Faults, func(f description.Fault) bool { return f.Port == gone })
	},
	"old-firmware": func(d *description.Description) {
		for i := range d.Adapters {
			if a := &d.Adapters[i]; a.Family == description.WinOF {
				a.Firmware = "2.30.8000"
			}
		}
	},
}

var leftOpen = regexp.MustCompile(`\{[^}]*\}`)

// raise runs lines of exec on a new host, and returns its events.
func raise(t *testing.T, c *eventCause) []eventlog.Event {
	t.Helper()
	d := description.Default()
	causeLabs[c.lab](d)
	made, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(made))
	if err != nil {
		t.Fatal(err)
	}
	host := hosts.OnLab(source, nil, nil)
	var out bytes.Buffer
	runner := exec.Runner{
		Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Out: &out, Err: &out, Files: noFiles{},
	}
	for line := range strings.SplitSeq(c.lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if status := runner.Script(t.Context(), strings.NewReader(line)); status != exec.Done {
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			t.Fatalf("%s ends with status %d: %s", line, status, lines[len(lines)-1])
		}
	}
	var events []eventlog.Event
	if err := host.ReadHost(t.Context(), func(h *driver.Host) error { events = h.EventsAfter(0); return nil }); err != nil {
		t.Fatal(err)
	}
	return events
}

// TestEventsHaveACause raises every event, sensor and return code of the catalogue, with its values filled in, and prints the
// table; an entry without a cause has its reason. The rows of troubleshooting have rules of findings.
func TestEventsHaveACause(t *testing.T) {
	t.Parallel()
	var rows []string
	count := map[string]int{}
	var mutex sync.Mutex
	add := func(kind, row string) {
		mutex.Lock()
		defer mutex.Unlock()
		count[kind]++
		rows = append(rows, row)
	}
	troubles := map[string]string{}
	for _, r := range findings.Rules() {
		for _, key := range r.Trouble {
			troubles[key] = r.ID
		}
	}
	t.Run("table", func(t *testing.T) {
		for _, row := range eventlog.Catalogue().Rows {
			at := slices.IndexFunc(eventCauses, func(c eventCause) bool { return c.key == row.Key })
			switch {
			case row.Kind == eventlog.Troubleshooting && at < 0:
				rule := troubles[row.Key]
				if rule == "" {
					t.Errorf("no rule of findings is about %s", row.Key)
				}
				add("troubleshooting rows with a rule", fmt.Sprintf("%-36s rule %s", row.Key, rule))
			case at < 0:
				t.Errorf("nothing raises %s, and no reason says why", row.Key)
			case eventCauses[at].why != "":
				add("without a cause", fmt.Sprintf("%-36s NONE: %s", row.Key, eventCauses[at].why))
			default:
				c := &eventCauses[at]
				t.Run(row.Key, func(t *testing.T) {
					t.Parallel()
					events := raise(t, c)
					i := slices.IndexFunc(events, func(e eventlog.Event) bool { return e.Key == c.key })
					if i < 0 {
						t.Fatalf("%q does not raise it", c.lines)
					}
					e := &events[i]
					if open := leftOpen.FindString(e.Message); open != "" || strings.Contains(e.Message, "%!") {
						t.Errorf("the value %s is not filled in: %s", open, e.Message)
					}
					if e.ID != row.ID || e.Channel != row.Channel || e.Source != row.Source || e.Adapter == "" {
						t.Errorf("the event is %+v", e)
					}
					lines := strings.Fields(strings.TrimSpace(c.lines))
					add(string(row.Kind)+"s raised", fmt.Sprintf("%-36s %s", row.Key, strings.Join(lines[:min(12, len(lines))], " ")))
				})
			}
		}
	})
	slices.Sort(rows)
	t.Logf("%d records, %v:\n%s", len(eventlog.Catalogue().Rows), count, strings.Join(rows, "\n"))
	for _, c := range eventCauses {
		if _, ok := eventlog.Catalogue().Lookup(c.key); !ok || (c.why == "") == (c.lines == "") {
			t.Errorf("the row %s has no event, or neither lines nor a reason", c.key)
		}
	}
}

// TestCauseOfAnEventMatters checks that a host on which nothing happens has no event but its start.
func TestCauseOfAnEventMatters(t *testing.T) {
	t.Parallel()
	for _, e := range raise(t, &eventCause{lines: "advance 1m"}) {
		if e.Severity == eventlog.Error {
			t.Errorf("%s: %s", e.Key, e.Message)
		}
	}
}
