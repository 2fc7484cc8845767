package opensm

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"cxdeck/device/description"
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

// add appends lines to what waits to be written.
func (s Set) add(i *Instance, lines []string) {
	stamp := s.Lab().Now().UTC().Format("Jan 02 15:04:05 000000")
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

// logSweep writes what -v adds for a sweep or a poll.
func (s Set) logSweep(i *Instance, o *Options, was Role) {
	if o.Verbose == 0 || i.Role != was || i.Role == NotActive {
		return
	}
	lines := []string{"osm_state_mgr_process: Received signal OSM_SIGNAL_SWEEP"}
	for n := range o.Verbose * len(s.InfiniBand()) {
		lines = append(lines, fmt.Sprintf("osm_sweep: node %d has not changed", n+1))
	}
	s.add(i, lines)
	if strings.Count(i.Pending, "\n") > maxLines || s.Lab().Elapsed()%flushed < poll {
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
	text := i.Pending
	i.Pending = ""
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
