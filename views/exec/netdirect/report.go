package netdirect

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/device/measurement"
	"cxdeck/device/wire"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// row is the result of one size.
type row struct {
	Pair       int   `json:"queue_pair"`
	Bytes      int   `json:"message_bytes"`
	Iterations int64 `json:"iterations"`
	// Rate is in messages per second; the rates of data are payload, without headers.
	Rate         float64  `json:"messages_per_second"`
	BitsASecond  float64  `json:"bits_per_second"`
	Gigabits     float64  `json:"gigabits_of_2_30"`
	Megabytes    float64  `json:"megabytes_of_2_20"`
	Microseconds *float64 `json:"latency_microseconds,omitempty"`
	Processor    float64  `json:"processor_percent"`
}

// report is the result of a test.
type report struct {
	Tool       string `json:"tool"`
	Connection string `json:"connection"`
	Local      string `json:"local"`
	Peer       string `json:"peer"`
	Loopback   bool   `json:"loopback"`
	Priority   *int   `json:"priority,omitempty"`
	Rows       []row  `json:"rows"`
	// Expected is what slot and link allow for the last size, in bits per second; 0 for a latency test.
	Expected float64  `json:"expected_bits_per_second,omitempty"`
	Healthy  bool     `json:"healthy"`
	Causes   []string `json:"causes"`
}

// eventShare is the part of a processor that one message by event costs, in seconds; a program that polls keeps a processor busy.
const eventShare = 2e-6

// report returns what a test measured.
func (t *test) report(e *ends, o *options, m *measured) exec.Answer {
	r := report{Tool: t.name, Connection: e.connection, Local: e.local.String(), Peer: e.peer.String(), Loopback: e.loopback(), Healthy: true, Causes: []string{}, Rows: []row{}}
	if e.priority >= 0 {
		r.Priority = &e.priority
	}
	for i, size := range m.Sizes {
		result := &m.Results[i]
		if result.Steps == 0 {
			continue
		}
		seconds := float64(result.Steps) * stack.StepSeconds
		rate := result.Messages / seconds
		line := row{Bytes: size, Iterations: int64(result.Messages + 0.5), Rate: rate, BitsASecond: rate * float64(size) * 8,
			Gigabits: wire.Gigabits(result.Messages*float64(size), seconds), Megabytes: rate * float64(size) / (1 << 20), Processor: 100}
		if o.seconds == 0 && (o.counted || len(m.Sizes) == 1) && line.Iterations > 0 {
			line.Iterations = int64(o.iterations) // the lab measured the rate over some steps; the tool sends this number
		}
		if o.events {
			line.Processor = min(100, 100*rate*eventShare)
		}
		if t.latency {
			line.Microseconds = new(1e6 * result.Delay / float64(result.Steps))
		}
		r.Rows = append(r.Rows, line)
	}
	if !t.latency && len(r.Rows) > 0 {
		last := &r.Rows[len(r.Rows)-1]
		r.Expected = expected(m, last.Bytes)
		if r.Healthy = last.BitsASecond >= healthyShare*r.Expected; !r.Healthy {
			r.Causes = append(r.Causes, m.causes(float64(m.Steps)*stack.StepSeconds*float64(len(m.Sizes)))...)
		}
	}
	return exec.Answer{Result: r, Text: func(w io.Writer) error { return r.write(w, e) }}
}

// healthyShare is the part of what slot and link allow below which a report says why (PERF-2).
const healthyShare = 0.95

// expected returns what card and port allow for messages of a size, in bits per second: in loopback the documented figure of the slot that the card
// can use (PERF-2), else the lower of the payload on the line at its full rate and that slot (PERF-8).
func expected(m *measured, size int) float64 {
	best := measuredPath(m)
	best.Slot = wire.PCIeUsable(m.line.bestGeneration, m.line.bestLanes, m.line.packet)
	if best.Card = wire.LoopbackRate(m.line.bestGeneration, m.line.bestLanes); best.Card == 0 {
		best.Card = best.Slot
	}
	alone := m.Test
	return min(alone.Rate(&best, size)*float64(size)*8, best.Slot*8)
}

// measuredPath returns the path with the line at the full rate of the port, and with the payload that a long frame carries.
func measuredPath(m *measured) (best measurement.Path) {
	best = m.path
	if m.line.rate > 0 {
		best.Line *= float64(m.line.full) / float64(m.line.rate)
	}
	best.Payload = max(best.Payload, smallPayload)
	return best
}

// write prints the report as the tools do, one line for each size, and why a test is slow.
func (r *report) write(w io.Writer, e *ends) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Tool, e.describe())
	switch {
	case len(r.Rows) > 0 && r.Rows[0].Microseconds != nil:
		fmt.Fprintf(&b, "%-4s %-9s %-12s %-14s %s\n", "#qp", "#bytes", "#iterations", "Latency [us]", "CPU Util.")
	case r.Loopback:
		fmt.Fprintf(&b, "%-4s %-9s %-12s %-10s %-10s %s\n", "#qp", "#bytes", "#iterations", "MR [Mmps]", "MB/s", "CPU Util.")
	default:
		fmt.Fprintf(&b, "%-4s %-9s %-12s %-10s %-10s %s\n", "#qp", "#bytes", "#iterations", "MR [Mmps]", "Gb/s", "CPU Util.")
	}
	for _, line := range r.Rows {
		fmt.Fprintf(&b, "%-4d %-9d %-12d ", line.Pair, line.Bytes, line.Iterations)
		switch {
		case line.Microseconds != nil:
			fmt.Fprintf(&b, "%-14.3f ", *line.Microseconds)
		case r.Loopback:
			fmt.Fprintf(&b, "%-10.3f %-10.1f ", line.Rate/1e6, line.Megabytes)
		default:
			fmt.Fprintf(&b, "%-10.3f %-10.3f ", line.Rate/1e6, line.Gigabits)
		}
		fmt.Fprintf(&b, "%.2f\n", line.Processor)
	}
	r.writeVerdict(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeVerdict says what slot and link allow, and why the test stayed below it.
func (r *report) writeVerdict(b *strings.Builder) {
	if r.Expected == 0 {
		return
	}
	got, allowed, unit := r.Rows[len(r.Rows)-1].Gigabits, r.Expected/(1<<30), "Gb/s"
	if r.Loopback {
		got, allowed, unit = r.Rows[len(r.Rows)-1].Megabytes, r.Expected/8/(1<<20), "MB/s"
	}
	fmt.Fprintf(b, "Card and link allow %.1f %s: %.0f%% of it was measured.\n", allowed, unit, 100*got/allowed)
	if r.Healthy {
		return
	}
	if len(r.Causes) == 0 {
		b.WriteString("The cause is not visible at this host: look at the peer and its switch port.\n")
		return
	}
	for _, cause := range r.Causes {
		fmt.Fprintf(b, "Cause: %s.\n", cause)
	}
}

// help lists the options.
func (t *test) help() exec.Answer {
	lines := []string{
		"-S ADDRESS  run as the server at an address of this host", "-C ADDRESS  run as the client of the server at an address",
		"-s BYTES    length of a message, 1 to 4194304 (65536)", "-a          all lengths from 1 byte to 4 MB, in powers of two",
		"-n COUNT    number of messages (100000)", "-D SECONDS  run for a time instead", "-p PORT     NetDirect port, for which QoS policies give a priority (6830)",
	}
	if t.events {
		lines = append(lines, "-e          wait for completions by event instead of polling (client, with -D)")
	}
	return exec.Answer{
		Result: struct {
			Options []string `json:"options"`
		}{lines},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s -S ADDRESS | -C ADDRESS [options]\n  %s\n", t.name, strings.Join(lines, "\n  "))
			return err
		},
	}
}
