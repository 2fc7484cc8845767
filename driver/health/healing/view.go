package healing

import (
	"fmt"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/health"
)

// View is the state of self-healing at a port.
type View struct {
	// Sensors are the sensors of the port, Restarts the number of restarts by self-healing.
	Sensors  []SensorView `json:"sensors"`
	Restarts int          `json:"restarts"`
	// Interval is the interval of the checks in seconds, Checks the number of checks without progress.
	Interval int `json:"interval_seconds"`
	Checks   int `json:"checks"`
	// NextCheck is the time until the next check, in seconds.
	NextCheck float64 `json:"next_check_seconds"`
}

// SensorView is the state of a sensor.
type SensorView struct {
	Name string `json:"name"`
	// Mask is its bit, 0 where the manual gives none; Event the number of its event.
	Mask  health.Sensor `json:"mask,omitempty"`
	Event int           `json:"event"`
	// Resets and Dumps report what the registry lets it do.
	Resets bool `json:"resets"`
	Dumps  bool `json:"dumps"`
	// State is "no error", "no progress, check 2 of 4" or "error reported".
	State string `json:"state"`
}

// sensorNames are the sensors in the order of the manual.
var sensorNames = []struct {
	word, name string
	event      int
}{
	{"hw-send", "Hardware send stall", 30009}, {"sw-receive", "Software receive stall", 30011},
	{"receive-error", "Receive completion error", 30021}, {"send-error", "Send completion error", 30022},
	{"sw-send", "Software send stall", 30029}, {"", "VF channel error", 30013},
}

// View returns the state of a port.
func (s Set) View(port int) View {
	p, now := &s.Ports[port], s.Lab().Elapsed()
	resets, dumps := s.masks(port)
	v := View{Restarts: p.Restarts, Interval: int(s.running(port) / time.Second), Checks: int(s.limit(port, &Fault{}))}
	if s.Running(port) {
		v.NextCheck = (s.nextCheck(port, now) - now).Seconds()
	}
	for _, known := range sensorNames {
		sensor := sensors[known.word]
		view := SensorView{Name: known.name, Mask: sensor, Event: known.event, State: "no error"}
		if sensor != 0 {
			view.Resets = health.Resets(sensor, resets, false, !p.Has(queueHeadOff))
			view.Dumps = health.Dumps(sensor, dumps)
			if p.Reported&sensor != 0 {
				view.State = "error reported"
			}
		}
		for i := range p.Faults {
			a := &p.Faults[i]
			f := Find(a.Name)
			switch {
			case a.Function != nil && f.When == AtOnce && known.word == "", a.Function == nil && f.Sensor == known.word && f.When == AtOnce && known.word != "":
				view.State = "error reported"
			case a.Function == nil && f.Sensor == known.word && f.When == AtCheck:
				view.State = fmt.Sprintf("no progress, check %d of %d", a.Count, s.limit(port, f))
			}
		}
		if sensor == health.HardwareSend && p.HeldChecks > 0 {
			view.State = fmt.Sprintf("no progress, check %d of %d", p.HeldChecks, s.limit(port, Find(sendHang)))
		}
		v.Sensors = append(v.Sensors, view)
	}
	return v
}

// The status of an adapter for programs of Network Direct (ND-2), spelled as in the manual.
const (
	NDUp       = "0"
	NDDown     = "ND_ADAPTER_FLAG_ADAPTER_IS_DOWN"
	NDDisabled = "ND_ADAPTER_FLAG_ADAPTER_RDMA_DISBALED"
)

// NDStatus returns the status of a port's adapter that a Network Direct program reads; without says why Windows uses no RDMA there.
func (s Set) NDStatus(port int, without string) string {
	switch {
	case !s.Running(port) || !s.Lab().State(port).Up:
		return NDDown
	case without != "" || s.Ports[port].Has("old-filter-driver"):
		return NDDisabled
	}
	return NDUp
}

// CommandStat is the statistics of a firmware command, or of a request of Windows.
type CommandStat struct {
	Name   string `json:"name"`
	Count  uint64 `json:"count"`
	Failed uint64 `json:"failed"`
	// Average and Max are times, in the unit of the statistics.
	Average float64 `json:"average"`
	Max     float64 `json:"max"`
}

// Commands returns the statistics of the firmware commands of a WinOF card, with times in milliseconds. The manual shows them only in
// a figure: commands and times are the lab's.
func (s Set) Commands(card int) (list []CommandStat) {
	seconds, starts, failures, rings, functions := uint64(s.Lab().Elapsed()/time.Second), uint64(0), uint64(0), uint64(0), uint64(0)
	for _, port := range s.portsOf(card) {
		p := &s.Ports[port]
		starts += 1 + uint64(p.Restarts)
		failures += uint64(p.Failures)
		rings += uint64(s.Lab().Rings(port))
		functions += uint64(s.Lab().VirtualFunctions(port))
	}
	slow := 0.0
	for _, port := range s.portsOf(card) {
		if s.Ports[port].Has("command-times-out") {
			slow = 60_000
		}
	}
	return []CommandStat{
		{"QUERY_FW", 1, 0, 0.2, 0.3}, {"RUN_FW", 1, 0, 12, 12}, {"QUERY_DEV_CAP", 1, 0, 0.3, 0.4}, {"INIT_HCA", 1, 0, 24, 24},
		{"INIT_PORT", starts, 0, 3.1, 4.2}, {"SW2HW_EQ", starts * rings, 0, 0.4, 0.9}, {"SW2HW_CQ", 2 * starts * rings, 0, 0.4, 0.9},
		{"RST2INIT_QP", 2*starts*rings + functions, 0, 0.3, 0.7}, {"QUERY_PORT", starts + seconds, 0, 0.2, 0.6},
		{"DUMP_ETH_STATS", seconds + failures, failures, 0.3, max(0.9, slow)},
	}
}

// Requests returns the statistics of the requests of Windows (OIDs) to a port, with times in microseconds. The manual shows them only in a
// figure: requests and times are the lab's; they take longer on slower processors.
func (s Set) Requests(port int) (list []CommandStat) {
	p := &s.Ports[port]
	seconds, starts, slow := uint64(s.Lab().Elapsed()/time.Second), 1+uint64(p.Restarts), 1/s.Lab().ProcessorSpeed(port)
	failed := uint64(0)
	if p.Has("request-hang") {
		failed = 1
	}
	list = []CommandStat{
		{"OID_GEN_STATISTICS", seconds + failed, failed, 18 * slow, 95 * slow}, {"OID_GEN_CURRENT_PACKET_FILTER", 2 * starts, 0, 210 * slow, 480 * slow},
		{"OID_GEN_CURRENT_LOOKAHEAD", starts, 0, 3 * slow, 3 * slow}, {"OID_GEN_LINK_PARAMETERS", starts, 0, 6 * slow, 6 * slow},
	}
	if d, _, _ := s.Lab().Port(port); d.Link == description.Ethernet {
		list = append(list, CommandStat{"OID_802_3_MULTICAST_LIST", 3 * starts, 0, 160 * slow, 390 * slow},
			CommandStat{"OID_GEN_RECEIVE_SCALE_PARAMETERS", starts, 0, 940 * slow, 1210 * slow})
	}
	return list
}
