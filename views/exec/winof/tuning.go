package winof

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry/tuning"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
	"cxdeck/views/exec/registrykey"
)

// tuningRow is the result of perf_tuning as JSON.
type tuningRow struct {
	Scenario    string         `json:"scenario"`
	Connections []tunedRow     `json:"connections"`
	Log         tuningLog      `json:"log"`
	Change      *exec.EntryRow `json:"change,omitempty"`
	scenario    tuning.Scenario
}

type tunedRow struct {
	Connection string       `json:"connection"`
	Restored   bool         `json:"restored"`
	Settings   []tunedValue `json:"settings"`
	Absent     []string     `json:"absent"`
}

type tunedValue struct {
	Key    string `json:"key"`
	Value  int64  `json:"value"`
	Before any    `json:"before"`
}

type tuningLog struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// tuningOptions has the parsed options of perf_tuning.
type tuningOptions struct {
	scenario tuning.Scenario
	names    [2]string
	numbers  [2]*int // of -b, the first processor, and -n, the number of processors; nil without the option
	draft    bool
}

// readTuning parses the options of perf_tuning.
func readTuning(words []string) (o tuningOptions, err error) {
	for i := 0; i < len(words); i++ {
		word := strings.ToLower(words[i])
		if s, ok := tuning.Find(word); ok && strings.HasPrefix(word, "-") {
			if o.scenario.Name != "" {
				return o, exec.Mistake("perf_tuning takes one of %s, not both %s and %s", tuningFlags(), o.scenario.Flag, word)
			}
			o.scenario = s
			continue
		}
		if word == "--draft" {
			o.draft = true
			continue
		}
		at := map[string]int{"-c1": 0, "-c2": 1, "-b": 2, "-n": 3}
		place, known := at[word]
		switch {
		case !known:
			return o, exec.Mistake("perf_tuning does not support %q; help perf_tuning explains it", words[i])
		case i+1 == len(words):
			return o, exec.Mistake("%s requires a value: perf_tuning %s", word, tuningSynopsis)
		}
		i++
		if place < len(o.names) {
			o.names[place] = words[i]
			continue
		}
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 0 || n > 4096 {
			return o, exec.Mistake("invalid processor or number of processors %q", words[i])
		}
		o.numbers[place-len(o.names)] = &n
	}
	switch {
	case o.scenario.Name == "":
		return o, exec.Mistake("perf_tuning requires one of %s", tuningFlags())
	case o.names[0] == "":
		return o, exec.Mistake("perf_tuning requires -c1 with the name of a connection")
	case strings.EqualFold(o.names[0], o.names[1]):
		return o, exec.Mistake("-c1 and -c2 name the same connection")
	}
	return o, nil
}

const tuningSynopsis = "-s|-st|-d|-f|-m|-r -c1 NAME [-c2 NAME] [-b PROCESSOR -n NUMBER] [--draft]"

// tuningFlags lists the flags of the scenarios.
func tuningFlags() string {
	var flags []string
	for _, s := range tuning.Scenarios() {
		if s.Flag != "" {
			flags = append(flags, s.Flag)
		}
	}
	return strings.Join(flags, ", ")
}

// tuningHelp lists the scenarios for a help page.
func tuningHelp() string {
	var parts []string
	for _, s := range tuning.Scenarios() {
		if s.Flag != "" {
			parts = append(parts, fmt.Sprintf("%s %s (%s)", s.Flag, s.Name, strings.TrimSuffix(s.About, ".")))
		}
	}
	return "Scenarios: " + strings.Join(parts, ", ") + "."
}

func perfTuning(c *exec.Call) (exec.Answer, error) {
	o, err := readTuning(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	var names []string
	for _, name := range o.names {
		if name == "" {
			continue
		}
		card, port, err := exec.FindAdapter(view, name)
		if err == nil && port < 0 {
			_, err = exec.Connection(view, name)
		}
		if err != nil {
			return exec.Answer{}, err
		}
		a := &view.Adapters[card]
		if a.Description.Family != description.WinOF {
			return exec.Answer{}, fmt.Errorf("perf_tuning does not support %s, whose driver is %s",
				a.Ports[port].Description.Connection, a.Driver)
		}
		names = append(names, a.Ports[port].Description.Connection)
	}
	var plan driver.Plan
	var tuned tuning.Tuning
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		plan, tuned, err = h.Tune(o.scenario, o.numbers[0], o.numbers[1], names...)
		return err
	})
	var rejected *tuning.RejectedError
	if errors.As(err, &rejected) {
		return exec.Answer{}, &exec.MistakeError{Text: err.Error()}
	} else if err != nil {
		return exec.Answer{}, err
	}
	if o.draft {
		c.Flags = map[string]string{"draft": "yes"} // tools parse their own options, so no flag is set
		return drafts.Answer(c, plan)
	}
	return applyTuning(c, plan, &tuned, view.Now)
}

// applyTuning stores the values of a tuning, and reports the previous values, as the tool's log does.
func applyTuning(c *exec.Call, plan driver.Plan, t *tuning.Tuning, now time.Time) (exec.Answer, error) {
	row := tuningRow{Scenario: t.Scenario.Name, Connections: []tunedRow{}, scenario: t.Scenario}
	for i := range t.Connections {
		connection := &t.Connections[i]
		tuned := tunedRow{Connection: connection.Connection, Restored: connection.Restored, Settings: []tunedValue{},
			Absent: append([]string{}, connection.Absent...)}
		for _, s := range connection.Settings {
			before := registrykey.JSONValue(s.Before)
			if n, ok := before.(uint32); ok {
				before = int32(n)
			}
			tuned.Settings = append(tuned.Settings, tunedValue{s.Row.Name, s.Value, before})
		}
		row.Connections = append(row.Connections, tuned)
	}
	row.Log = tuningLog{tuning.LogPath, t.Log(now)}
	if len(plan.Operations) == 0 {
		return exec.NothingChanges(plan.Title, []string{"all values of " + t.Scenario.Name + " are stored already"}), nil
	}
	entry, err := c.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	row.Change = &entry
	return exec.Answer{Result: row, Text: row.write}, nil
}

// write writes the tuned keys with their previous and new values.
func (r *tuningRow) write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s: done. %s\n", exec.Clean(r.Change.Title), r.scenario.About); err != nil {
		return err
	}
	t := exec.NewTextTable(w, "CONNECTION", "KEY", "BEFORE", "NOW")
	for _, connection := range r.Connections {
		for _, s := range connection.Settings {
			before := "-"
			if s.Before != nil {
				before = fmt.Sprint(s.Before)
			}
			t.Row(connection.Connection, s.Key, before, strconv.FormatInt(s.Value, 10))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, connection := range r.Connections {
		if len(connection.Absent) > 0 {
			absent := strings.Join(connection.Absent, ", ")
			fmt.Fprintf(w, "%s does not have %s.\n", exec.Clean(connection.Connection), absent) //nolint:errcheck // the next write returns it
		}
	}
	_, err := fmt.Fprintf(w, "On a real host the previous values are logged in %s. The new values take effect after a restart of the adapter.\n",
		r.Log.Path)
	return err
}
