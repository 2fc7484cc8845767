package exec

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/tuning"
)

// tuningRow is what perf_tuning did, as JSON.
type tuningRow struct {
	Scenario    string          `json:"scenario"`
	Connections []tunedRow      `json:"connections"`
	Log         tuningLog       `json:"log"`
	Change      *entryRow       `json:"change,omitempty"`
	scenario    tuning.Scenario // what was asked for
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

// tuningOptions are what perf_tuning was called with.
type tuningOptions struct {
	scenario tuning.Scenario
	names    [2]string
	numbers  [2]*int // the first processor, and how many
}

// readTuning reads the options of perf_tuning.
func readTuning(words []string) (o tuningOptions, err error) {
	for i := 0; i < len(words); i++ {
		word := strings.ToLower(words[i])
		if s, ok := tuning.Find(word); ok && strings.HasPrefix(word, "-") {
			if o.scenario.Name != "" {
				return o, mistake("perf_tuning takes one of %s, and not %s and %s", tuningFlags(), o.scenario.Flag, word)
			}
			o.scenario = s
			continue
		}
		at := map[string]int{"-c1": 0, "-c2": 1, "-b": 2, "-n": 3}
		place, known := at[word]
		switch {
		case !known:
			return o, mistake("perf_tuning does not know %q; help perf_tuning explains it", words[i])
		case i+1 == len(words):
			return o, mistake("%s needs a value: perf_tuning %s", word, tuningSynopsis)
		}
		i++
		if place < len(o.names) {
			o.names[place] = words[i]
			continue
		}
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 0 || n > 4096 {
			return o, mistake("%q is no number of processors or of a processor", words[i])
		}
		o.numbers[place-len(o.names)] = &n
	}
	switch {
	case o.scenario.Name == "":
		return o, mistake("perf_tuning needs one of %s", tuningFlags())
	case o.names[0] == "":
		return o, mistake("perf_tuning needs -c1 with the name of a connection")
	case strings.EqualFold(o.names[0], o.names[1]):
		return o, mistake("-c1 and -c2 name the same connection")
	}
	return o, nil
}

const tuningSynopsis = "-s|-st|-d|-f|-m|-r -c1 NAME [-c2 NAME] [-b PROCESSOR -n NUMBER]"

// tuningFlags are the flags of the scenarios.
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

func perfTuning(c *call) (answer, error) {
	o, err := readTuning(c.arguments)
	if err != nil {
		return answer{}, err
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	request := tuning.Request{Scenario: o.scenario, NDIS: view.NDIS(), Base: o.numbers[0], Number: o.numbers[1]}
	var names []string
	for _, name := range o.names {
		if name == "" {
			continue
		}
		card, port, err := findAdapter(view, name)
		if err == nil && port < 0 {
			_, err = connection(view, name)
		}
		if err != nil {
			return answer{}, err
		}
		a := &view.Adapters[card]
		if a.Description.Family != device.WinOF {
			return answer{}, fmt.Errorf("perf_tuning knows nothing of %s, whose driver is %s", a.Ports[port].Description.Connection, a.Driver)
		}
		request.Connections = append(request.Connections, view.Tuning(a, &a.Ports[port]))
		names = append(names, a.Ports[port].Description.Connection)
	}
	if most := view.Processors(); request.Base != nil && request.Number != nil && *request.Base+*request.Number > most {
		return answer{}, fmt.Errorf("the host has %d processors: -b and -n name some that it has not", most)
	}
	tuned, err := tuning.Tune(request)
	if err != nil {
		return answer{}, &MistakeError{err.Error()}
	}
	return c.tune(names, o.scenario, tuned, view.Now)
}

// tune stores what a tuning gives connections, and tells the values that there were before, as the tool's log does.
func (c *call) tune(names []string, scenario tuning.Scenario, tuned []tuning.Tuned, now time.Time) (answer, error) {
	row := tuningRow{Scenario: scenario.Name, Connections: []tunedRow{}, scenario: scenario}
	plan := driver.Plan{Title: scenario.Title(names)}
	old := make([]map[string]string, len(tuned))
	err := c.host.Look(c.ctx, func(h *driver.Host) error {
		for i := range tuned {
			one := tunedRow{Connection: names[i], Restored: tuned[i].Restored, Settings: []tunedValue{}, Absent: []string{}}
			old[i] = map[string]string{}
			for _, s := range tuned[i].All() {
				k, ok := keyOn(h, names[i], "", s.Key)
				if !ok { // IPoIB does without some
					one.Absent = append(one.Absent, s.Key)
					continue
				}
				value := registry.NumberValue(uint32(s.Value))
				if old[i][s.Key] = signed(k.Stored); k.Stored != value {
					plan.Operations = append(plan.Operations, driver.SetValue{Connection: names[i], Key: k.Row.Name, Value: strconv.FormatInt(s.Value, 10)})
				}
				before := plain(k.Stored)
				if n, ok := before.(uint32); ok {
					before = int32(n)
				}
				one.Settings = append(one.Settings, tunedValue{k.Row.Name, s.Value, before})
			}
			row.Connections = append(row.Connections, one)
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	row.Log = tuningLog{tuning.LogPath, tuning.Log(now.UTC(), scenario, names, tuned, func(i int, key string) string { return old[i][key] })}
	if len(plan.Operations) == 0 {
		return answer{}, fmt.Errorf("nothing is to be changed: all values of %s are stored already", scenario.Name)
	}
	entry, err := c.do(plan)
	if err != nil {
		return answer{}, err
	}
	row.Change = &entry
	return answer{result: row, text: row.write}, nil
}

// signed is a value as the tool writes it: -1 for automatic.
func signed(v registry.Value) string {
	if v.Type() == registry.Number {
		return strconv.FormatInt(int64(int32(v.Number())), 10)
	}
	return v.String()
}

// write writes what was tuned.
func (r *tuningRow) write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s: done. %s\n", Clean(r.Change.Title), r.scenario.About); err != nil {
		return err
	}
	t := newTable(w, "CONNECTION", "KEY", "BEFORE", "NOW")
	for _, one := range r.Connections {
		for _, s := range one.Settings {
			before := "-"
			if s.Before != nil {
				before = fmt.Sprint(s.Before)
			}
			t.row(one.Connection, s.Key, before, strconv.FormatInt(s.Value, 10))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, one := range r.Connections {
		if len(one.Absent) > 0 {
			fmt.Fprintf(w, "%s does not have %s.\n", Clean(one.Connection), strings.Join(one.Absent, ", ")) //nolint:errcheck // the next tells
		}
	}
	_, err := fmt.Fprintf(w, "On a real host the values before stand in %s. They count after a restart of the adapter.\n", r.Log.Path)
	return err
}
