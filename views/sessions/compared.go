package sessions

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/views/comparison"
	"cxdeck/views/exec"
)

// defaultRows is the maximum number of counters in a comparison without --count.
const defaultRows = 20

// periodJSON is one side of a comparison.
type periodJSON struct {
	Session int64     `json:"session"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
}

// counterJSON is a difference as JSON, without infinite and unknown numbers.
type counterJSON struct {
	Path            string   `json:"path"`
	Unit            string   `json:"unit"`
	PerSecond       bool     `json:"per_second"`
	Before          float64  `json:"before"`
	After           float64  `json:"after"`
	Change          float64  `json:"change"`
	Percent         *float64 `json:"percent,omitempty"`
	Deviations      *float64 `json:"deviations,omitempty"`
	DeviationBefore float64  `json:"deviation_before"`
	// Noise is left out if it was not measured.
	Noise       *float64 `json:"noise,omitempty"`
	BeyondNoise bool     `json:"beyond_noise"`
	// Alike is the number of further counters with the same values.
	Alike int `json:"alike,omitempty"`
}

// comparedChange is the change whose before and after is printed.
type comparedChange struct {
	Number             uint64    `json:"number"`
	Time               time.Time `json:"time"`
	Title              string    `json:"title"`
	InterruptedSeconds *float64  `json:"interrupted_seconds,omitempty"`
	NoisePeriods       int       `json:"noise_stretches"`
}

type keyJSON struct {
	Connection string    `json:"connection"`
	Key        string    `json:"key"`
	Stored     [2]string `json:"stored"`
	Effective  [2]string `json:"effective"`
}

type partJSON struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	First  string `json:"first,omitempty"`
	Second string `json:"second,omitempty"`
}

func finite(value float64) *float64 {
	if math.IsInf(value, 0) || math.IsNaN(value) {
		return nil
	}
	return &value
}

// rows returns the first counters, up to --count.
func (c *Call) rows(all []compare.Difference) []compare.Difference {
	if count := max(c.Count, 0); count > 0 && len(all) > count {
		return all[:count]
	} else if count == 0 && !c.JSON && len(all) > defaultRows {
		return all[:defaultRows]
	}
	return all
}

func (c *Call) print(found *comparison.Comparison) error {
	if c.JSON {
		return c.document(c.comparisonDocument(found))
	}
	fmt.Fprintf(c.Out, "Before: %s\nAfter:  %s\n", exec.Clean(found.First.String()), exec.Clean(found.Second.String())) //nolint:errcheck // Flush reports it
	if change := found.Change; change != nil {
		c.say("Change: %d, %s, %s", change.Entry.Sequence, wording.Stamp(change.Entry.Time), exec.Clean(change.Entry.Plan.Title))
		for _, line := range change.Method() {
			c.say("%s", exec.Clean(line))
		}
	}
	c.say("%s", exec.Clean(found.Sentence(c.InBytes)))
	for _, part := range []func(*comparison.Comparison) error{c.printCounters, c.printEvents, c.printHost} {
		if err := part(found); err != nil {
			return err
		}
	}
	return nil
}

func (c *Call) printCounters(found *comparison.Comparison) error {
	rows := c.rows(found.Counters)
	if len(rows) == 0 {
		return nil
	}
	w := newTable(c.Out)
	fmt.Fprintln(w, "\nCOUNTER\tBEFORE\tAFTER\tCHANGE\t%\tDEVIATIONS") //nolint:errcheck // Flush reports it
	for i := range rows {
		d := &rows[i]
		var remarks []string
		if !d.BeyondNoise() {
			remarks = append(remarks, "within its noise")
		}
		if d.Alike > 0 {
			remarks = append(remarks, fmt.Sprintf("and %d with the same values", d.Alike))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", exec.Clean(d.Series.Path()), d.Number(d.Before.Mean, c.InBytes), //nolint:errcheck // as above
			d.Number(d.After.Mean, c.InBytes), d.Number(d.Change, c.InBytes), d.Percentage(), d.Sigma(), strings.Join(remarks, ", "))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if rest := len(found.Counters) - len(rows); rest > 0 {
		c.say("%s more differ; --count %d lists all", strconv.Itoa(rest), len(found.Counters))
	}
	return nil
}

func (c *Call) printEvents(found *comparison.Comparison) error {
	first, second := "the first", "the second"
	if found.First.Session == found.Second.Session {
		first, second = "the time before", "the time after"
	}
	for _, side := range []struct {
		name   string
		events []comparison.EventCount
	}{{first, found.FirstEvents}, {second, found.SecondEvents}} {
		if len(side.events) == 0 {
			continue
		}
		c.say("\nEvents only in %s", side.name)
		w := newTable(c.Out)
		for _, event := range side.events {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", event.Count, event.Severity, exec.Clean(event.Adapter), exec.Clean(event.Message)) //nolint:errcheck // Flush reports it
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// printHost prints the differences in the registry and in the parts of the host.
func (c *Call) printHost(found *comparison.Comparison) error {
	if found.NoHost != "" {
		c.say("\nRegistry and host are not compared: %s", exec.Clean(found.NoHost))
	}
	if found.Host == nil {
		return nil
	}
	w := newTable(c.Out)
	if len(found.Host.Keys) > 0 {
		fmt.Fprintln(w, "\nCONNECTION\tKEY\tSTORED\t\tEFFECTIVE") //nolint:errcheck // Flush reports it
	}
	for i := range found.Host.Keys {
		k := &found.Host.Keys[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", exec.Clean(k.Connection), exec.Clean(k.Key), exec.Clean(changeText(k.Stored)), "", exec.Clean(changeText(k.Effective))) //nolint:errcheck // as above
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(found.Host.Parts) > 0 {
		fmt.Fprintln(w, "\nPART\tNAME\tFIRST\tSECOND") //nolint:errcheck // as above
	}
	for i := range found.Host.Parts {
		p := &found.Host.Parts[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Kind, exec.Clean(p.Name), exec.Clean(wording.OrDash(p.First)), exec.Clean(wording.OrDash(p.Second))) //nolint:errcheck // as above
	}
	return w.Flush()
}

// changeText formats a pair of values: "512 -> 1024", or one value if both are equal.
func changeText(values [2]string) string {
	if values[0] == values[1] {
		return values[0]
	}
	return values[0] + " -> " + values[1]
}

// comparisonDocument returns a comparison as JSON.
func (c *Call) comparisonDocument(found *comparison.Comparison) any {
	counters := []counterJSON{}
	rows := c.rows(found.Counters)
	for i := range rows {
		d := &rows[i]
		counter := counterJSON{
			d.Series.Path(), string(d.Series.Unit), d.Series.PerSecond() || d.Series.Kind == perf.Cumulative, d.Before.Mean, d.After.Mean,
			d.Change, finite(d.Percent), finite(d.Deviations), d.Before.Deviation, nil, d.BeyondNoise(), d.Alike,
		}
		if d.Periods > 0 {
			counter.Noise = finite(d.Noise)
		}
		counters = append(counters, counter)
	}
	var change *comparedChange
	if c := found.Change; c != nil {
		change = &comparedChange{Number: c.Entry.Sequence, Time: c.Entry.Time.UTC(), Title: c.Entry.Plan.Title, NoisePeriods: c.Periods}
		if c.Known {
			seconds := c.Interrupted.Seconds()
			change.InterruptedSeconds = &seconds
		}
	}
	var keys []keyJSON
	var parts []partJSON
	if found.Host != nil {
		for _, k := range found.Host.Keys {
			keys = append(keys, keyJSON(k))
		}
		for _, p := range found.Host.Parts {
			parts = append(parts, partJSON(p))
		}
	}
	side := func(s comparison.Period) periodJSON { return periodJSON{s.Session, s.From, s.To} }
	return struct {
		Schema       int                     `json:"schema"`
		First        periodJSON              `json:"first"`
		Second       periodJSON              `json:"second"`
		Change       *comparedChange         `json:"change,omitempty"`
		Sentence     string                  `json:"sentence"`
		Counters     []counterJSON           `json:"counters"`
		EventsFirst  []comparison.EventCount `json:"events_first,omitempty"`
		EventsSecond []comparison.EventCount `json:"events_second,omitempty"`
		Keys         []keyJSON               `json:"registry,omitempty"`
		Parts        []partJSON              `json:"host,omitempty"`
		NoHost       string                  `json:"no_host,omitempty"`
	}{
		schemaVersion, side(found.First), side(found.Second), change, found.Sentence(c.InBytes), counters, found.FirstEvents,
		found.SecondEvents, keys, parts, found.NoHost,
	}
}
