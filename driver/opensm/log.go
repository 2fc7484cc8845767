package opensm

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	managers "cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/site"
)

// The quota of a log without a limit of its own, and the part that waits to be written. Logs of the lab are smaller than real ones.
const (
	quota      = 2 << 20
	maxPending = 64 << 10
	// flushed is the time between two writes of the lines that only -v adds.
	flushed = time.Minute
)

func hex(g description.GUID) string { return fmt.Sprintf("%016x", uint64(g)) }

// log appends lines to the log of an instance. They are in the file at once.
func (s Set) log(i *Instance, lines ...string) {
	o := i.options()
	s.add(i, lines)
	s.flush(i, &o)
}

// stampLayout is the form of the time in front of a line.
const stampLayout = "Jan 02 15:04:05 000000"

// add appends lines to what waits to be written.
func (s Set) add(i *Instance, lines []string) {
	stamp := s.Lab().Now().UTC().Format(stampLayout)
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "%s [%04X] 0x80 -> %s\n", stamp, i.PID&0xffff, line)
	}
	if i.Host != "" && len(i.Pending)+text.Len() > maxPending {
		i.Pending = "" // it begins again
	}
	if len(i.Pending)+text.Len() <= maxPending {
		i.Pending += text.String()
	}
}

// logTraps writes the traps that came since the instance looked: the master receives them.
func (s Set) logTraps(i *Instance, was Role) {
	var lines []string
	_ = s.Lab().ReadSubnet(func(subnet *site.Site) error {
		for k := range subnet.Notices {
			n := &subnet.Notices[k]
			if n.Serial <= i.Trap {
				continue
			}
			i.Trap = n.Serial
			if i.Role != Master || was != Master {
				continue
			}
			if lines = append(lines, n.LogLines()...); n.Trap.Sweeps() {
				lines = append(lines, subnetUp)
			}
		}
		return nil
	})
	if len(lines) > 0 {
		s.log(i, lines...)
	}
}

// logSweep writes what -v adds for a sweep or a poll.
func (s Set) logSweep(i *Instance, o *Options, m *managers.Manager, was Role) {
	if m == nil || m.Next == i.Sweep {
		return
	}
	if i.Sweep = m.Next; o.Verbose == 0 || i.Role != was {
		return
	}
	lines := []string{"osm_state_mgr_process: Received signal OSM_SIGNAL_SWEEP"}
	for n := range o.Verbose * len(s.InfiniBand()) {
		lines = append(lines, fmt.Sprintf("osm_sweep: node %d has not changed", n+1))
	}
	s.add(i, lines)
	if strings.Count(i.Pending, "\n") > maxLines || s.Lab().Elapsed()%flushed < managers.PollEvery {
		s.flush(i, o)
	}
}

// maxLines is the number of waiting lines that are written without waiting longer.
const maxLines = 200

// flush writes the waiting lines. A log that reaches its limit begins again; without a limit it ends at the quota of the disk.
func (s Set) flush(i *Instance, o *Options) {
	if i.Host != "" {
		return // the text is the log of the other host
	}
	text := s.waiting(i, o)
	if o.Log == "stdout" || text == "" {
		return
	}
	data := s.ReadFile(o.Log)
	switch limit := o.LogLimit << 20; {
	case limit > 0 && len(data)+len(text) > min(limit, quota):
		data = nil
	case len(data)+len(text) > quota:
		return
	}
	_ = s.WriteFile(o.Log, append(bytes.Clone(data), text...)) // the disk is full: OpenSM runs on without its log
}

// waiting takes the waiting lines of an instance, and of the others that write the same log, in the order of their times.
func (s Set) waiting(i *Instance, o *Options) string {
	text := i.Pending
	i.Pending = ""
	if o.Log == "stdout" {
		return text
	}
	shared := false
	for _, other := range s.Instances {
		if theirs := other.options(); other.PID != i.PID && other.Host == "" && other.Pending != "" && strings.EqualFold(theirs.Log, o.Log) {
			text, shared = other.Pending+text, true
			other.Pending = ""
			s.replace(other)
		}
	}
	if !shared {
		return text
	}
	now := s.Lab().Now().UTC()
	type stamped struct {
		at   time.Time
		text string
	}
	var lines []stamped
	for line := range strings.Lines(text) {
		at, _ := time.Parse("2006 "+stampLayout, fmt.Sprintf("%d %.*s", now.Year(), len(stampLayout), line))
		if at.After(now) { // the line waits since last year
			at = at.AddDate(-1, 0, 0)
		}
		lines = append(lines, stamped{at, line})
	}
	slices.SortStableFunc(lines, func(a, b stamped) int { return a.at.Compare(b.at) })
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line.text)
	}
	return b.String()
}
