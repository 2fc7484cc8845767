package twin

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/twin"
	"cxdeck/driver/wording"
	"cxdeck/perf/fit"
	"cxdeck/views/exec"
)

// schema is the version of the JSON documents.
const schema = 1

// Row is a twin as JSON.
type Row struct {
	Schema   int       `json:"schema"`
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	Made     time.Time `json:"made"`
	Adapters int       `json:"adapters"`
	Ports    int       `json:"ports"`
	Flows    int       `json:"workloads"`
	Assumed  []string  `json:"assumed"`
	Unknown  []string  `json:"unknown"`
	Sources  []string  `json:"sources"`
	// Fit says how the workloads of a new twin follow the log; it is absent without a log.
	Fit *Fit `json:"fit,omitempty"`
}

// Fit is how the workloads of a twin follow a log.
type Fit struct {
	// Rows are the rows of the log, and Means the rows that the workloads follow: fewer for a long log, whose rows are averaged.
	Rows    int `json:"rows"`
	Means   int `json:"means"`
	Missing int `json:"missing"`
	// Compared is the time of the log that was compared with the lab, which ran Pace times as fast.
	Compared string     `json:"compared"`
	Pace     float64    `json:"pace"`
	Errors   []FitError `json:"errors"`
}

// How says what was done to a long log; it is empty for a short one.
func (f *Fit) How() (text string) {
	if f.Means < f.Rows {
		text = fmt.Sprintf(" as %d means", f.Means)
	}
	if f.Pace > 1 {
		text += fmt.Sprintf("; the lab ran %.1f times as fast as the log", f.Pace)
	}
	return text
}

// FitError is the mean absolute error of a group of counters, per second and as a share of the logged mean.
type FitError struct {
	Counters string  `json:"counters"`
	Logged   float64 `json:"logged"`
	Error    float64 `json:"error"`
	Share    float64 `json:"share"`
}

// FitOf returns a result as JSON; nil of none.
func FitOf(r *fit.Result) *Fit {
	if r == nil {
		return nil
	}
	f := &Fit{Rows: r.Read + 1, Means: r.Rows + 1, Missing: r.Missing, Compared: r.Time.Round(time.Second).String(), Pace: r.Pace, Errors: []FitError{}}
	for i := range r.Errors {
		e := &r.Errors[i]
		f.Errors = append(f.Errors, FitError{e.Group, e.Logged, e.Mean, e.Share()})
	}
	return f
}

// RowOf returns the row of a twin.
func RowOf(name string, d *description.Description) Row {
	r := Row{Schema: schema, Name: name, Host: d.Twin.Host, Made: d.Twin.Made, Adapters: len(d.Adapters), Flows: len(d.Flows),
		Assumed: orEmpty(d.Twin.Assumed), Unknown: orEmpty(d.Twin.Unknown), Sources: orEmpty(d.Twin.Sources)}
	for i := range d.Adapters {
		r.Ports += len(d.Adapters[i].Ports)
	}
	return r
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Summary returns a sentence about a new twin.
func (r *Row) Summary() string {
	return fmt.Sprintf("The twin %s of %s has %s with %s and %s; %s assumed, %s unknown or left out. cxdeck --lab %s opens it, cxdeck twin show %s lists what is assumed.",
		r.Name, exec.Clean(r.Host), wording.Count(r.Adapters, "adapter"), wording.Count(r.Ports, "port"), wording.Count(r.Flows, "workload"),
		wording.Count(len(r.Assumed), "fact"), wording.Count(len(r.Unknown), "value"), r.Name, r.Name)
}

// Show prints a twin with its sources, and with what is assumed and unknown.
func Show(w io.Writer, name string, d *description.Description) error {
	r := RowOf(name, d)
	var b strings.Builder
	fmt.Fprintf(&b, "Twin      %s\nHost      %s (%s)\nMade      %s\nAdapters  %d with %s\nWorkloads %d\n", r.Name, r.Host, d.Host.System, wording.Stamp(r.Made), r.Adapters, wording.Count(r.Ports, "port"), r.Flows)
	for i := range d.Adapters {
		a := &d.Adapters[i]
		fmt.Fprintf(&b, "\n%s at %s: firmware %s, driver %s\n", a.Name, a.PCI, a.Firmware, a.DriverVersion)
		for j := range a.Ports {
			fmt.Fprintf(&b, "  %s: %s, %d Gb/s, %s\n", a.Ports[j].Connection, a.Ports[j].Device, a.Ports[j].SpeedGbps, a.Ports[j].MAC)
		}
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"Made of", r.Sources}, {"Assumed", r.Assumed}, {"Unknown", r.Unknown}} {
		fmt.Fprintf(&b, "\n%s (%d)\n", part.title, len(part.lines))
		for _, line := range part.lines {
			b.WriteString("  " + line + "\n")
		}
	}
	for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if _, err := fmt.Fprintln(w, exec.Clean(line)); err != nil {
			return err
		}
	}
	return nil
}

// ShowComparison prints what arrived of the changes on a twin in a history.
func ShowComparison(w io.Writer, name, history string, c *twin.Comparison) error {
	lines := []string{fmt.Sprintf("The later export of %s: %d arrived, %d missing, %d other changes.", name, len(c.Arrived), len(c.Missing), len(c.Other))}
	if c.Whole() && len(c.Arrived) == 0 {
		lines = append(lines, fmt.Sprintf("Nothing was changed on the twin in the history %s, and nothing on the host.", history))
	} else if c.Whole() {
		lines = append(lines, "Everything that was changed on the twin is on the host, and nothing else changed.")
	}
	for _, part := range []struct {
		title string
		list  []twin.Difference
	}{{"Arrived", c.Arrived}, {"Missing", c.Missing}, {"Other changes", c.Other}} {
		if len(part.list) > 0 {
			lines = append(lines, "", part.title)
		}
		for _, d := range part.list {
			line := fmt.Sprintf("  %s: was %s, planned %s, is %s", d.What, orNone(d.Was), orNone(d.Planned), orNone(d.Is))
			if d.Was == d.Planned {
				line = fmt.Sprintf("  %s: was %s, is %s", d.What, orNone(d.Was), orNone(d.Is))
			}
			lines = append(lines, line)
		}
	}
	if len(c.NotCompared) > 0 {
		lines = append(lines, "", "Not compared, as no file has them: "+strings.Join(c.NotCompared, ", ")+".")
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, exec.Clean(line)); err != nil {
			return err
		}
	}
	return nil
}

func orNone(text string) string {
	if text == "" {
		return "absent"
	}
	return text
}
