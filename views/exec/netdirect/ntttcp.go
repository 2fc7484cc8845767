package netdirect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/measurement"
	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// ntttcp implements NTttcp: streams of TCP between this host and a peer.
func ntttcp(c *exec.Call) (exec.Answer, error) {
	if asksHelp(c.Arguments) || len(c.Arguments) == 0 {
		return streamHelp(), nil
	}
	o, err := readStreams(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	groups, err := findStreams(c, &o)
	if err != nil {
		return exec.Answer{}, err
	}
	if groups[0].loopback() {
		return runInWindows(c, &o, groups)
	}
	r, err := runStreams(c, &o, groups)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Result: r, Text: r.write}, nil
}

// streamGroup is a mapping with the path of its streams.
type streamGroup struct {
	ends
	mapping
}

// findStreams finds the path of each mapping.
func findStreams(c *exec.Call, o *streamOptions) (groups []streamGroup, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, m := range o.mappings {
			e, err := locate(h, m.receiver)
			switch {
			case err != nil:
				return err
			case m.processor >= h.View().Processors():
				return request.Errorf("the host has no processor %d: they are 0 to %d", m.processor, h.View().Processors()-1)
			case o.receives && !e.loopback():
				return request.Errorf("%s is no address of this host: a receiver waits at an address of its own", m.receiver)
			case o.receives:
				if e.peer, err = exec.FirstPeer(h, e.connection, e.local); err != nil {
					return err
				}
			}
			if why := h.Stack().WhyNoStreams(e.port); why != "" && !e.loopback() {
				return request.Errorf("NTttcp can't connect: %s", why)
			}
			program := qos.Program{Name: "ntttcp.exe", PeerPort: o.port}
			if o.receives {
				program = qos.Program{Name: "ntttcp.exe", LocalPort: o.port}
			}
			e.priority, e.dscp = h.Classify(e.port, program)
			groups = append(groups, streamGroup{e, m})
		}
		return nil
	})
	if err == nil && slices.ContainsFunc(groups, func(g streamGroup) bool { return g.loopback() != groups[0].loopback() }) {
		err = request.Errorf("NTttcp runs either in loopback or with peers, not with both at once")
	}
	return groups, err
}

// start returns the test of a group.
func (g *streamGroup) start(number int, o *streamOptions) stack.StartTest {
	tool := "NTttcp"
	if number > 0 {
		tool = fmt.Sprintf("NTttcp_%d", number+1)
	}
	processors := 0
	if g.processor >= 0 {
		processors = 1
	}
	return stack.StartTest{
		Tool: tool, Connection: g.connection, Local: g.local, Peer: g.peer, Verb: measurement.Send, Receives: o.receives, Priority: g.priority, DSCP: g.dscp,
		Sockets: true, Streams: g.threads, Window: o.window, Processors: processors, Sizes: []int{o.length},
	}
}

// streamCounts are the counts of a port and of the processors around a run.
type streamCounts struct {
	received, sent, lost, interrupts, bytes uint64
	busy                                    []uint64 // microseconds, by processor
}

func streamCountsOf(h *driver.Host, ports []int) (c streamCounts) {
	lab := h.Lab()
	cells := lab.Counters()
	for _, port := range ports {
		at := func(which counter.Port) uint64 { return cells[counter.Cell(port, which)] }
		c.received += at(counter.ReceivedPackets)
		c.sent += at(counter.SentPackets)
		c.lost += at(counter.Discarded) + at(counter.NoDescriptor)
		c.interrupts += at(counter.Interrupts)
		c.bytes += at(counter.ReceivedBytes) + at(counter.SentBytes)
	}
	for processor := range h.View().Processors() {
		c.busy = append(c.busy, cells[lab.ProcessorCell(processor, counter.ProcessorBusy)])
	}
	return c
}

// runStreams runs the streams to their end: a warm-up, the measured time, and a cool-down.
func runStreams(c *exec.Call, o *streamOptions, groups []streamGroup) (*streamReport, error) {
	var ports []int
	for i := range groups {
		if !slices.Contains(ports, groups[i].port) {
			ports = append(ports, groups[i].port)
		}
	}
	seconds, err := o.runTime(c, groups)
	if err != nil {
		return nil, err
	}
	if o.warmUp > 0 { // is not measured
		plan, end := streamPlans(o, groups, float64(o.warmUp))
		if _, err := c.Host.Apply(c.Ctx, plan); err != nil {
			return nil, err
		}
		waited := exec.Wait(c.Ctx, c.Host, time.Duration(o.warmUp)*time.Second)
		if _, ended := c.Host.Apply(context.WithoutCancel(c.Ctx), end); waited != nil || ended != nil {
			return nil, errors.Join(waited, ended)
		}
	}
	plan, end := streamPlans(o, groups, seconds)
	r := &streamReport{Seconds: seconds}
	var first, last streamCounts
	look := func(into *streamCounts) error {
		return c.Host.ReadHost(context.WithoutCancel(c.Ctx), func(h *driver.Host) error {
			*into = streamCountsOf(h, ports)
			return nil
		})
	}
	if err := look(&first); err != nil {
		return nil, err
	}
	if _, err := c.Host.Apply(c.Ctx, plan); err != nil {
		return nil, err
	}
	waited := exec.Wait(c.Ctx, c.Host, time.Duration(seconds*float64(time.Second)))
	read := c.Host.ReadHost(context.WithoutCancel(c.Ctx), func(h *driver.Host) error {
		last = streamCountsOf(h, ports)
		r.fill(h, o, groups)
		return nil
	})
	_, ended := c.Host.Apply(context.WithoutCancel(c.Ctx), end)
	if err := errors.Join(waited, read, ended); err != nil {
		return nil, err
	}
	r.count(o, &first, &last)
	return r, exec.Wait(c.Ctx, c.Host, time.Duration(o.coolDown)*time.Second)
}

// runTime returns the measured time in seconds: -t, or as long as the buffers take on an idle path.
func (o *streamOptions) runTime(c *exec.Call, groups []streamGroup) (seconds float64, err error) {
	if o.seconds > 0 {
		return float64(o.seconds), nil
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for i := range groups {
			start := groups[i].start(i, o)
			path := h.Lab().TestPath(groups[i].port, start.Priority >= 0)
			alone := measurement.Test{Local: start.Local, Sockets: true, Streams: start.Streams, Processors: start.Processors, Window: start.Window}
			seconds = max(seconds, float64(o.buffers*start.Streams)/alone.Offered(&path, o.length))
		}
		return nil
	})
	return math.Ceil(20*min(max(seconds, minSeconds), maxSeconds)) / 20, err
}

// streamPlans returns the plans that begin and end the streams of a run.
func streamPlans(o *streamOptions, groups []streamGroup, seconds float64) (begin, end driver.Plan) {
	begin, end = driver.Plan{Title: "Run NTttcp on " + groups[0].connection}, driver.Plan{Title: "End NTttcp on " + groups[0].connection}
	for i := range groups {
		start := groups[i].start(i, o)
		start.Seconds = seconds
		begin.Operations = append(begin.Operations, start)
		end.Operations = append(end.Operations, stack.EndTest{Tool: start.Tool, Connection: start.Connection})
	}
	return begin, end
}

// The rates of TCP between programs of one host (ours): Windows copies the data twice, and no adapter takes part.
const (
	loopbackCopies = 2
	loopbackCall   = 4e-6 // seconds for each buffer at both ends
	copyRate       = 8e9  // bytes per second of a thread
)

// runInWindows runs NTttcp in loopback, which never reaches an adapter: the receiver must wait in the background.
func runInWindows(c *exec.Call, o *streamOptions, groups []streamGroup) (exec.Answer, error) {
	server := stack.TestServer{Tool: "NTttcp", Address: groups[0].receiver}
	if err := findServer(c, server); err != nil {
		return exec.Answer{}, err
	}
	r := &streamReport{Connection: groups[0].connection, Local: groups[0].local.String(), Peer: groups[0].peer.String(), Loopback: true, Healthy: true, Causes: []string{}}
	threads := 0
	processors := map[int]bool{}
	for i := range groups {
		threads += groups[i].threads
		processors[groups[i].processor] = true
	}
	var all int
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		all = h.View().Processors()
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	running := min(threads, all/loopbackCopies)
	if !processors[-1] {
		running = min(running, len(processors))
	}
	rate := float64(max(1, running)) / (loopbackCall + loopbackCopies*float64(o.length)/copyRate) // buffers per second
	r.Seconds = float64(o.seconds)
	if o.seconds == 0 {
		r.Seconds = math.Ceil(20*float64(o.buffers*threads)/rate) / 20
	}
	r.Seconds = min(max(r.Seconds, minSeconds), maxSeconds)
	r.addThreads(0, threads, rate*r.Seconds, o.length)
	r.sum(o.length)
	r.Processor = 100 * float64(min(all, loopbackCopies*running)) / float64(all)
	if err := exec.Wait(c.Ctx, c.Host, time.Duration(r.Seconds*float64(time.Second))); err != nil {
		return exec.Answer{}, err
	}
	if _, err := c.Host.Apply(c.Ctx, driver.Plan{Title: "End the receiver of NTttcp at " + server.Address.String(), Operations: []driver.Operation{stack.StopServer{Server: server}}}); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Result: r, Text: r.write}, nil
}
