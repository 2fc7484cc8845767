package local

import (
	"math"
	"slices"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
)

// surveyEvery is the time between two readings of the settings and states of the machine.
const surveyEvery = 10 * time.Second

// survey reads settings and states beside the samples: a transceiver answers within tenths of a second.
type survey struct {
	ask    chan struct{}
	answer chan *linuxhost.Machine
	asked  time.Time
}

// startSurvey starts the reader; it ends when ask is closed.
func startSurvey(read func() *linuxhost.Machine, closed func()) *survey {
	v := &survey{ask: make(chan struct{}, 1), answer: make(chan *linuxhost.Machine, 1)}
	go func() {
		defer close(v.answer)
		defer closed()
		for range v.ask {
			v.answer <- read()
		}
	}()
	return v
}

// stop ends the reader and waits for it.
func (v *survey) stop() {
	close(v.ask)
	for range v.answer { // the reader may be about to answer
	}
}

// machineReader is what the survey reads of.
type machineReader interface {
	Machine() *linuxhost.Machine
	Close()
}

// takeSurvey asks for a reading when it is time, and takes one that is ready. It reports whether the inventory or the schema has
// changed. The first sample is not delayed by it.
func (s *source) takeSurvey() bool {
	if s.openMachine == nil || s.samples < 2 {
		return false
	}
	if s.survey == nil {
		reader := s.openMachine()
		s.survey = startSurvey(reader.Machine, reader.Close)
	}
	changed := false
	select {
	case m := <-s.survey.answer:
		changed = s.noteMachine(m)
	default:
	}
	if now := s.now(); s.survey.asked.IsZero() || now.Sub(s.survey.asked) >= surveyEvery {
		select {
		case s.survey.ask <- struct{}{}:
			s.survey.asked = now
		default: // the last reading is not finished
		}
	}
	return changed
}

// noteMachine takes a reading of the machine.
func (s *source) noteMachine(m *linuxhost.Machine) bool {
	s.machine = m
	changed := false
	for i := range m.Adapters {
		changed = s.noteAdapter(&m.Adapters[i]) || changed
	}
	if sheets := Sheets(m); !slices.EqualFunc(sheets, s.sheets, equalSheets) {
		s.sheets, changed = sheets, true
	}
	return changed
}

func equalSheets(a, b perf.Sheet) bool {
	return a.Topic == b.Topic && a.Title == b.Title && slices.Equal(a.Columns, b.Columns) && slices.EqualFunc(a.Rows, b.Rows, slices.Equal)
}

// hardwareSet has what sysfs counts and measures of an adapter.
const hardwareSet = "Network Interface Hardware"

// hardwareCounter is a counter of an adapter, with its counterpart in WinOF-2.
type hardwareCounter struct {
	name, counterpart string
	kind              perf.Kind
	unit              perf.Unit
}

var hardwareCounters = []hardwareCounter{
	{"PCI Correctable Errors", "", perf.Cumulative, "events"},
	{"PCI Non-Fatal Errors", "Mellanox WinOF-2 PCI Device Diagnostics|TX PCI non-fatal errors", perf.Cumulative, "events"},
	{"PCI Fatal Errors", "Mellanox WinOF-2 PCI Device Diagnostics|TX PCI fatal errors", perf.Cumulative, "events"},
	{"Health Errors", "", perf.Cumulative, "events"},
	{"Health Reporters In Error", "", perf.Gauge, ""},
	{"Temperature", "Mellanox WinOF-2 Device Diagnostics|Nic temperature in Celsius degrees unit", perf.Gauge, perf.Celsius},
}

// noteAdapter stores the errors and the temperature of an adapter, and adds their series. Both ports of a card have one sensor.
func (s *source) noteAdapter(a *linuxhost.Adapter) bool {
	at := slices.IndexFunc(s.interfaces, func(i *netInterface) bool { return i.present && i.hardware.function == a.Address })
	if at < 0 || a.Parent != "" || a.Errors == nil && len(a.Temperatures) == 0 && len(a.Reporters) == 0 {
		return false
	}
	i := s.interfaces[at]
	first := i.health == nil
	if first {
		i.health = make([]int64, len(hardwareCounters))
		i.healthCell = s.cells
		s.cells += len(hardwareCounters)
	}
	for n := range i.health {
		i.health[n] = perf.Missing
	}
	if a.Errors != nil {
		i.health[0], i.health[1], i.health[2] = int64(a.Errors.Correctable), int64(a.Errors.NonFatal), int64(a.Errors.Fatal)
	}
	if len(a.Reporters) > 0 {
		i.health[3], i.health[4] = reporterCounts(a.Reporters)
	}
	if len(a.Temperatures) > 0 {
		i.health[5] = int64(a.Temperatures[0].Celsius)
	}
	if !first {
		return false
	}
	for n, c := range hardwareCounters {
		if i.health[n] == perf.Missing {
			continue
		}
		s.series = append(s.series, perf.Series{Set: hardwareSet, Instance: i.instance, Counter: c.name, Kind: c.kind, Unit: c.unit, Cell: i.healthCell + n})
		if c.counterpart != "" && i.hardware.family() == "mlx5" {
			s.addCounterpart(i, c.counterpart, "", i.healthCell+n, 0)
		}
	}
	return true
}

// reporterCounts returns the errors that health reporters saw, and how many are in the state error.
func reporterCounts(list []linuxhost.Reporter) (errors, failed int64) {
	for _, r := range list {
		errors += int64(min(r.Errors, math.MaxInt32))
		if !r.Healthy {
			failed++
		}
	}
	return errors, failed
}

// kernelLog is the log of the kernel.
type kernelLog interface {
	Messages() []linuxhost.Message
	Close() error
}

// pastMessages is the maximum number of messages from before the start that become events.
const pastMessages = 200

// readKernelLog makes events of the messages of mlx4 and mlx5 drivers.
func (s *source) readKernelLog() {
	if s.kernel == nil {
		return
	}
	messages := s.kernel.Messages()
	if s.samples <= 2 && len(messages) > pastMessages {
		messages = messages[len(messages)-pastMessages:]
	}
	for _, m := range messages {
		severity := eventlog.Information
		switch {
		case m.Level <= 3:
			severity = eventlog.Error
		case m.Level == 4:
			severity = eventlog.Warning
		}
		adapter := m.Adapter
		for _, i := range s.interfaces {
			if i.present && i.hardware.function == m.Adapter && m.Adapter != "" {
				adapter = i.instance
			}
		}
		s.sequence++
		s.events = append(s.events, eventlog.Event{
			Sequence: s.sequence, Time: s.booted.Add(m.Since).UTC(), Source: m.Driver, Channel: "System", Severity: severity, Adapter: adapter, Message: m.Text,
		})
	}
}
