package netdirect

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/device/measurement"
	"cxdeck/driver"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/views/exec"
)

// threadRow is the result of a thread of NTttcp as JSON.
type threadRow struct {
	Thread    int     `json:"thread"`
	Kilobytes float64 `json:"kilobytes_per_second"`
	Bytes     float64 `json:"bytes_per_completion"`
}

// streamReport is the result of NTttcp. Megabytes and kilobytes are of powers of 1024, as the tool prints them.
type streamReport struct {
	Connection string      `json:"connection"`
	Local      string      `json:"local"`
	Peer       string      `json:"peer"`
	Loopback   bool        `json:"loopback"`
	Priority   *int        `json:"priority,omitempty"`
	Threads    []threadRow `json:"threads"`
	Seconds    float64     `json:"seconds"`
	Megabytes  float64     `json:"megabytes"`
	Frame      float64     `json:"bytes_per_frame"`
	Throughput float64     `json:"megabytes_per_second"`
	Bits       float64     `json:"bits_per_second"`
	Buffers    float64     `json:"buffers"`
	Rate       float64     `json:"buffers_per_second"`
	Sent       uint64      `json:"packets_sent"`
	Received   uint64      `json:"packets_received"`
	Retransmit uint64      `json:"retransmits"`
	Interrupts float64     `json:"interrupts_per_second"`
	Processor  float64     `json:"processor_percent"`
	// Expected is what the line allows, in bits per second.
	Expected float64  `json:"expected_bits_per_second,omitempty"`
	Healthy  bool     `json:"healthy"`
	Causes   []string `json:"causes"`

	lines  []line
	own    float64 // bytes on the cable
	offers float64 // what threads and receive buffers offer, in bits per second
	window bool
	loads  []float64 // of the processors
	direct int       // 1 for sending
	sends  bool      // large sends are on
}

// addThreads adds equal threads that moved a number of buffers together.
func (r *streamReport) addThreads(first, threads int, buffers float64, length int) {
	for i := range threads {
		r.Threads = append(r.Threads, threadRow{first + i, buffers / float64(threads) * float64(length) / 1024 / r.Seconds, float64(length)})
	}
	r.Buffers += buffers
}

// sum fills the totals.
func (r *streamReport) sum(length int) {
	r.Rate = r.Buffers / r.Seconds
	r.Megabytes, r.Throughput, r.Bits = r.Buffers*float64(length)/(1<<20), r.Rate*float64(length)/(1<<20), r.Rate*float64(length)*8
}

// fill reads the results of the running tests.
func (r *streamReport) fill(h *driver.Host, o *streamOptions, groups []streamGroup) {
	g := &groups[0]
	r.Connection, r.Local, r.Peer, r.Causes = g.connection, g.local.String(), g.peer.String(), []string{}
	if g.priority >= 0 {
		r.Priority = &g.priority
	}
	if r.window = o.window > 0; o.sends {
		r.direct = 1
	}
	lab := h.Lab()
	ports := map[int]bool{}
	for i := range groups {
		start := groups[i].start(i, o)
		test, _ := lab.Test(stack.TestName(start.Tool, start.Connection))
		path := lab.TestPath(groups[i].port, start.Priority >= 0)
		segments := test.On(&path)
		r.addThreads(len(r.Threads), groups[i].threads, test.Results[0].Messages, o.length)
		r.Frame = float64(segments.Payload)
		bits := float64(o.length) * 8
		r.own += test.Results[0].Messages * float64(o.length) / float64(segments.Payload) * float64(segments.Payload+segments.Around+segments.Frame)
		r.offers += test.Offered(&path, o.length) * bits
		if ports[groups[i].port] {
			continue
		}
		ports[groups[i].port] = true
		l := lineOf(h, groups[i].port, start.Priority)
		l.subnet = subnet.WhySlow(lab, &test)
		r.lines = append(r.lines, l)
		r.sends = lab.Settings(groups[i].port).LargeSendIPv4
		full := measurement.Test{Local: start.Local, Sockets: true, IPoIB: test.IPoIB, Streams: measurement.MaxStreams}
		best := path
		if l.rate > 0 {
			best.Line *= float64(l.full) / float64(l.rate)
		}
		r.Expected += full.Rate(&best, measurement.MaxSize) * measurement.MaxSize * 8
	}
	r.sum(o.length)
}

// The processor time of a program that copies (ours, as in the model of the lab).
const callTime = 2e-6

// count adds the counters, and why the run was slow.
func (r *streamReport) count(o *streamOptions, before, after *streamCounts) {
	r.Sent, r.Received = after.sent-min(after.sent, before.sent), after.received-min(after.received, before.received)
	r.Interrupts = delta(after.interrupts, before.interrupts) / r.Seconds
	lost := uint64(delta(after.lost, before.lost))
	if o.receives {
		r.Retransmit = lost
	}
	busy := r.Buffers * (callTime + float64(o.length)/copyRate)
	for i := range after.busy {
		work := delta(after.busy[i], before.busy[i]) / 1e6
		r.loads = append(r.loads, work/r.Seconds)
		busy += work
	}
	r.Processor = min(100, 100*busy/r.Seconds/float64(len(after.busy)))
	if r.Healthy = r.Bits >= healthyShare*r.Expected; !r.Healthy {
		r.explain(delta(after.bytes, before.bytes)-r.own, lost)
	}
}

// busyProcessor is the load of a processor that explains a slow run.
const busyProcessor = 0.9

// explain says why a run stayed below its line.
func (r *streamReport) explain(others float64, lost uint64) {
	add := func(format string, args ...any) { r.Causes = append(r.Causes, fmt.Sprintf(format, args...)) }
	for i := range r.lines {
		l := &r.lines[i]
		if l.generation < l.bestGeneration || l.lanes < l.bestLanes {
			add("the card is in a PCI Express %d slot of %d lanes, and can use generation %d with %d lanes", l.generation, l.lanes, l.bestGeneration, l.bestLanes)
		}
		if l.rate < l.full {
			add("the link runs at %d of %d Gb/s", l.rate, l.full)
		}
		if l.subnet != "" {
			add("%s", l.subnet)
		}
		if l.limit > 0 {
			add("the traffic class is limited to %d Mbit/s", l.limit)
		}
	}
	if r.offers < healthyShare*r.Expected {
		what := "use more threads (-m) or longer buffers (-l)"
		if r.window {
			what = "use more threads (-m), or leave out -rb so that the receive buffer grows"
		}
		add("the threads move at most %.1f Gb/s: %s", r.offers/1e9, what)
	}
	for i, load := range r.loads {
		if load >= busyProcessor {
			add("processor %d was busy for %.0f%% of the time with packets: more queues of RSS, longer frames or offloads make it faster", i, 100*min(1, load))
			break
		}
	}
	if !r.sends && r.direct == 1 {
		add("large sends are off, and the processors cut the segments")
	}
	if others := others * 8 / r.Seconds; others > muchTraffic*r.Expected {
		add("other traffic of the port has about %.1f Gb/s", others/1e9)
	}
	if lost > 0 && r.direct == 0 {
		add("the port dropped %d frames", lost)
	}
}

// write prints the report as NTttcp does.
func (r *streamReport) write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Copyright Version 5.28\nNetwork activity progressing...\n\n\nThread  Time(s) Throughput(KB/s) Avg B / Compl\n======  ======= ================ =============\n")
	for i := range r.Threads {
		if i >= maxShown {
			fmt.Fprintf(&b, "and %d more\n", len(r.Threads)-maxShown)
			break
		}
		fmt.Fprintf(&b, "%6d %8.3f %16.3f %13.3f\n", r.Threads[i].Thread, r.Seconds, r.Threads[i].Kilobytes, r.Threads[i].Bytes)
	}
	b.WriteString("\n\n#####  Totals:  #####\n\n\n   Bytes(MEG)    realtime(s) Avg Frame Size Throughput(MB/s)\n================ =========== ============== ================\n")
	fmt.Fprintf(&b, "%16.6f %11.3f %14.3f %16.3f\n", r.Megabytes, r.Seconds, r.Frame, r.Throughput)
	b.WriteString("\n\nThroughput(Buffers/s)       Buffers Intr(count/s)\n===================== ============= =============\n")
	fmt.Fprintf(&b, "%21.3f %13.3f %13.3f\n", r.Rate, r.Buffers, r.Interrupts)
	b.WriteString("\n\nPackets Sent Packets Received Retransmits Errors Avg. CPU %\n============ ================ =========== ====== ==========\n")
	fmt.Fprintf(&b, "%12d %16d %11d %6d %10.3f\n\n", r.Sent, r.Received, r.Retransmit, 0, r.Processor)
	switch {
	case r.Loopback:
		b.WriteString("The data stayed in Windows: no counter of an adapter has it.\n")
	default:
		class := "untagged"
		if r.Priority != nil {
			class = fmt.Sprintf("priority %d", *r.Priority)
		}
		fmt.Fprintf(&b, "%s (%s) and %s, %s: %.1f Gb/s. The line allows %.1f Gb/s: %.0f%% of it was measured.\n", r.Local, r.Connection, r.Peer, class, r.Bits/1e9, r.Expected/1e9,
			100*r.Bits/max(1, r.Expected))
	}
	if !r.Healthy && len(r.Causes) == 0 {
		b.WriteString("The cause is not visible at this host: look at the peer and its switch port.\n")
	}
	for _, cause := range r.Causes {
		fmt.Fprintf(&b, "Cause: %s.\n", cause)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// streamHelp lists the options of NTttcp.
func streamHelp() exec.Answer {
	lines := []string{
		"-s | -r                  send, or receive", "-m THREADS,CPU,ADDRESS   threads, their processor or *, and the address of the receiver; several mappings",
		"-l BYTES                 length of a buffer, also with K or M (64K)", "-n COUNT                 number of buffers of a thread (20K)", "-t SECONDS               run for a time instead",
		"-wu SECONDS, -cd SECONDS warm-up and cool-down", "-p PORT                  first port (5001)", "-a COUNT                 outstanding buffers of a thread (2)",
		"-rb BYTES                receive buffer; it grows as needed without -rb", "-6                       IPv6",
	}
	return exec.Answer{
		Result: struct {
			Options []string `json:"options"`
		}{lines},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "NTttcp -s|-r -m THREADS,CPU,ADDRESS [options]\n  %s\n", strings.Join(lines, "\n  "))
			return err
		},
	}
}
