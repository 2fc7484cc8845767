package netdirect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/device/measurement"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/views/exec"
)

// The time of a size, in seconds: with -a, and the bounds for a number of messages.
const (
	sweepSeconds = 0.5
	minSeconds   = 0.2
	maxPatience  = 60.0
)

// run runs a performance test to its end, and reports what was measured.
func (t *test) run(c *exec.Call) (exec.Answer, error) {
	if asksHelp(c.Arguments) {
		return t.help(), nil
	}
	o, err := t.readOptions(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	address, serves := o.client, o.server.IsValid()
	if serves {
		address = o.server
	}
	e, err := findEnds(c, t.name, address, serves, o.port)
	if err != nil {
		return exec.Answer{}, err
	}
	server := stack.TestServer{Tool: t.name, Address: address}
	if e.loopback() {
		if err := findServer(c, server); err != nil {
			return exec.Answer{}, err
		}
	}
	receives := serves != (t.verb == measurement.Read) // the server of a write or send receives, and so does the client that reads
	start := stack.StartTest{
		Tool: t.name, Connection: e.connection, Local: e.local, Peer: e.peer, Verb: t.verb, Latency: t.latency, Receives: receives,
		Events: o.events, Priority: e.priority, DSCP: e.dscp, Sizes: o.sizes,
	}
	if start.Seconds, err = t.seconds(c, &o, &start, e.port); err != nil {
		return exec.Answer{}, err
	}
	m, err := measure(c, &start, e.port, e.loopback(), server)
	if err != nil {
		return exec.Answer{}, err
	}
	return t.report(&e, &o, m), nil
}

// findServer returns why no server waits for a client in loopback.
func findServer(c *exec.Call, server stack.TestServer) error {
	return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, waits := range h.Stack().Servers {
			if waits == server {
				return nil
			}
		}
		return request.Errorf("no %s waits at %s: start the server first, with %s", server.Tool, server.Address, server.Line())
	})
}

// seconds returns how long each size runs: -D, or as long as the messages take on an idle path.
func (t *test) seconds(c *exec.Call, o *options, start *stack.StartTest, port int) (seconds float64, err error) {
	switch {
	case o.seconds > 0:
		return o.seconds, nil
	case len(o.sizes) > 1:
		return sweepSeconds, nil
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		path := h.Lab().TestPath(port, start.Priority >= 0)
		alone := measurement.Test{Local: start.Local, Peer: start.Peer, Verb: start.Verb, Latency: start.Latency, Events: start.Events}
		seconds = float64(o.iterations) / alone.Rate(&path, o.sizes[0])
		return nil
	})
	return math.Ceil(20*min(max(seconds, minSeconds), maxPatience)) / 20, err
}

// measured is a finished test, with the counts of the port before and after it.
type measured struct {
	measurement.Test
	before, after counts
	path          measurement.Path
	line          line
}

// measure runs a test to its end. The server of a loopback ends with its client.
func measure(c *exec.Call, start *stack.StartTest, port int, loopback bool, server stack.TestServer) (m *measured, err error) {
	m = new(measured)
	look := func(into *counts) error {
		return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
			*into = countsOf(h, port)
			return nil
		})
	}
	if err := look(&m.before); err != nil {
		return nil, err
	}
	plan := driver.Plan{Title: fmt.Sprintf("Run %s on %s", start.Tool, start.Connection), Operations: []driver.Operation{*start}}
	if _, err := c.Host.Apply(c.Ctx, plan); err != nil {
		return nil, err
	}
	waited := exec.Wait(c.Ctx, c.Host, time.Duration(start.Seconds*float64(len(start.Sizes))*float64(time.Second)))
	read := c.Host.ReadHost(context.WithoutCancel(c.Ctx), func(h *driver.Host) error {
		m.Test, _ = h.Lab().Test(stack.TestName(start.Tool, start.Connection))
		m.path, m.line = h.Lab().TestPath(port, start.Priority >= 0), lineOf(h, port, start.Priority)
		m.after, m.line.subnet = countsOf(h, port), subnet.WhySlow(h.Lab(), &m.Test)
		return nil
	})
	end := driver.Plan{Title: fmt.Sprintf("End %s on %s", start.Tool, start.Connection),
		Operations: []driver.Operation{stack.EndTest{Tool: start.Tool, Connection: start.Connection}}}
	if loopback {
		end.Operations = append(end.Operations, stack.StopServer{Server: server})
	}
	_, ended := c.Host.Apply(context.WithoutCancel(c.Ctx), end)
	return m, errors.Join(waited, read, ended)
}

// startServer starts the server of a performance test in the background: start /b [/affinity MASK] TOOL -S ADDRESS.
func startServer(c *exec.Call) (exec.Answer, error) {
	words := c.Arguments
	background := false
	for len(words) > 0 && strings.HasPrefix(words[0], "/") {
		switch strings.ToLower(words[0]) {
		case "/b":
			background = true
		case "/affinity":
			if len(words) < 2 {
				return exec.Answer{}, exec.Mistake("/affinity requires a mask of processors, such as 0x1")
			}
			if err := checkMask(words[1]); err != nil {
				return exec.Answer{}, err
			}
			words = words[1:]
		default:
			return exec.Answer{}, exec.Mistake("start supports /b and /affinity, not %q", words[0])
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return exec.Answer{}, exec.Mistake("start requires the program to start")
	}
	if strings.EqualFold(exec.TrimExe(words[0]), "opensm") {
		if !background {
			return exec.Answer{}, errWindow()
		}
		return c.RunProgram(words)
	}
	for _, t := range tests() {
		if !strings.EqualFold(strings.TrimSuffix(strings.ToLower(words[0]), ".exe"), t.name) {
			continue
		}
		o, err := t.readOptions(words[1:])
		switch {
		case err != nil:
			return exec.Answer{}, err
		case o.client.IsValid(): // a client shows its result, and so start adds nothing
			return t.run(withArguments(c, words[1:]))
		case !background:
			return exec.Answer{}, errWindow()
		}
		e, err := findEnds(c, t.name, o.server, false, o.port)
		if err != nil {
			return exec.Answer{}, err
		}
		if !e.loopback() {
			return exec.Answer{}, request.Errorf("%s is no address of this host: a server waits at an address of its own", o.server)
		}
		return c.ApplyOne(stack.StartServer{Server: stack.TestServer{Tool: t.name, Address: o.server}})
	}
	if strings.EqualFold(exec.TrimExe(words[0]), "NTttcp") {
		return startReceiver(c, words[1:], background)
	}
	return exec.Answer{}, exec.Mistake("start runs the performance tools and opensm: %s; not %q", strings.Join(append(testNames(), "NTttcp"), ", "), words[0])
}

func errWindow() error {
	return exec.Mistake("start opens a new window, which this console does not have: add /b")
}

// startReceiver starts a receiver of NTttcp in the background, for a sender in loopback; a sender shows its result, and so start adds nothing.
func startReceiver(c *exec.Call, words []string, background bool) (exec.Answer, error) {
	o, err := readStreams(words)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case o.sends:
		return ntttcp(withArguments(c, words))
	case !background:
		return exec.Answer{}, errWindow()
	}
	groups, err := findStreams(c, &o)
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: "Start the receiver of NTttcp"}
	for i := range groups {
		server := stack.StartServer{Server: stack.TestServer{Tool: "NTttcp", Address: groups[i].receiver}}
		if !slices.Contains(plan.Operations, driver.Operation(server)) {
			plan.Operations = append(plan.Operations, server)
		}
	}
	return c.Apply(plan)
}

// checkMask rejects what is no mask of processors.
func checkMask(text string) error {
	digits := strings.TrimPrefix(strings.ToLower(text), "0x")
	if digits == "" || len(digits) > 16 || strings.Trim(digits, "0123456789abcdef") != "" || strings.Trim(digits, "0") == "" {
		return exec.Mistake("%q is not a mask of processors, such as 0x1", text)
	}
	return nil
}

// withArguments returns a call with other arguments.
func withArguments(c *exec.Call, words []string) *exec.Call {
	other := *c
	other.Arguments = words
	return &other
}

func testNames() (names []string) {
	for _, t := range tests() {
		names = append(names, t.name)
	}
	return names
}

func asksHelp(words []string) bool {
	return len(words) == 1 && (words[0] == "--help" || words[0] == "-h")
}
