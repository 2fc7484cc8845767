package stack

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/measurement"
	"cxdeck/driver/request"
)

// StartTest starts a performance test, as a tool such as nd_send_bw does: messages of each size for some seconds. It runs until
// EndTest, also when all sizes were sent.
type StartTest struct {
	// Tool is the name of the tool: "nd_send_bw". With the connection it is the name of the test.
	Tool       string     `json:"tool"`
	Connection string     `json:"connection"`
	Local      netip.Addr `json:"local"`
	// Peer is the other end; Local itself in loopback.
	Peer netip.Addr       `json:"peer"`
	Verb measurement.Verb `json:"verb"`
	// Latency is the test of one message at a time, Receives the one whose messages the peer sends, and Events waits for completions by event.
	Latency  bool `json:"latency,omitempty"`
	Receives bool `json:"receives,omitempty"`
	Events   bool `json:"events,omitempty"`
	// Priority is the priority of the frames, -1 for untagged ones, and DSCP their code point.
	Priority int `json:"priority"`
	DSCP     int `json:"dscp,omitempty"`
	// Sockets is a test over TCP, as by NTttcp, with a number of streams. Window is the receive buffer of a stream in bytes, 0 for one that grows.
	Sockets bool `json:"sockets,omitempty"`
	Streams int  `json:"streams,omitempty"`
	Window  int  `json:"window,omitempty"`
	// Processors is the number of processors that run the threads of the streams, 0 for one each.
	Processors int `json:"processors,omitempty"`
	// Kernel is RDMA of Windows itself, as of SMB Direct.
	Kernel bool `json:"kernel,omitempty"`
	// Sizes are the lengths of the messages in bytes, Seconds the time for each.
	Sizes   []int   `json:"sizes"`
	Seconds float64 `json:"seconds"`
}

// EndTest ends a Network Direct performance test.
type EndTest struct {
	Tool       string `json:"tool"`
	Connection string `json:"connection"`
}

func (StartTest) Kind() string { return "start-network-direct-test" }
func (EndTest) Kind() string   { return "end-network-direct-test" }

func (o StartTest) Target() string { return o.Connection }
func (o EndTest) Target() string   { return o.Connection }

// Describe says which way the messages go.
func (o StartTest) Describe() string {
	if o.Local == o.Peer {
		return fmt.Sprintf("run %s on %s in loopback", o.Tool, o.Connection)
	}
	return fmt.Sprintf("run %s on %s with %s", o.Tool, o.Connection, o.Peer)
}

func (o EndTest) Describe() string { return fmt.Sprintf("end %s on %s", o.Tool, o.Connection) }

// Commands is empty: the tool itself is the command.
func (StartTest) Commands() []string { return nil }

// Commands is empty: the tool ends by itself.
func (EndTest) Commands() []string { return nil }

// TestName returns the name of a tool's test at a connection.
func TestName(tool, connection string) string { return tool + " on " + connection }

// WhyNoTest returns why the Network Direct tools can't open a connection from an address of a port, a clause; empty if they can.
func (s Set) WhyNoTest(port int, local netip.Addr, loopback bool) string {
	return s.whyNoTest(port, local, loopback, description.NDSPI)
}

func (s Set) whyNoTest(port int, local netip.Addr, loopback bool, application description.Application) string {
	lab := s.Lab()
	d, _, _ := lab.Port(port)
	now := lab.Settings(port)
	why := s.WhyIncapable(port)
	missing := s.Missing(&description.Flow{Protocol: description.RDMA, Application: application, Local: local}, port)
	ethernet := d.Link == description.Ethernet
	switch {
	case !lab.State(port).Up:
		return d.Connection + " has no link"
	case why != "":
		return why
	case lab.InTeam(port):
		return d.Connection + " is in a team, which carries no RDMA"
	case ethernet && now.RoCE == description.NoRoCE:
		return "RoCE of " + d.Connection + " is off"
	case len(missing) > 0:
		return missing[0].Why
	case ethernet && !loopback && !now.ReachesPeers():
		return fmt.Sprintf("%s has RoCE %s or another UDP port than its peers, which have v2: both ends must agree", d.Connection, roceWord(now.RoCE))
	}
	return ""
}

// WhyNoStreams returns why no program can send by TCP from a port, a clause; empty if it can.
func (s Set) WhyNoStreams(port int) string {
	if d, _, _ := s.Lab().Port(port); !s.Lab().State(port).Up {
		return d.Connection + " has no link"
	}
	return ""
}

// WhyNoSMBDirect returns why SMB can't copy by RDMA from an address of a port to a peer, a clause; empty if it can.
func (s Set) WhyNoSMBDirect(port int, local netip.Addr) string {
	if why := s.WhyNoRDMA(port); why != "" {
		return why
	}
	return s.whyNoTest(port, local, false, description.SMBDirect)
}

// why returns why the test can't run at a port; empty if it can.
func (o *StartTest) why(s Set, port int) string {
	switch {
	case o.Kernel && !o.Sockets:
		return s.WhyNoSMBDirect(port, o.Local)
	case !o.Sockets:
		return s.WhyNoTest(port, o.Local, o.Local == o.Peer)
	case o.Local == o.Peer:
		return "Windows keeps TCP to an address of its own away from the adapter"
	}
	return s.WhyNoStreams(port)
}

func roceWord(mode description.RoCEMode) string {
	word, _ := mode.MarshalText() // a valid mode encodes without an error
	return string(word)
}

// test returns the test of the lab.
func (o StartTest) test(lab *device.Lab, port int) measurement.Test {
	d, _, _ := lab.Port(port)
	return measurement.Test{
		Sockets: o.Sockets, IPoIB: o.Sockets && d.Link == description.InfiniBand, Streams: o.Streams, Window: o.Window, Processors: o.Processors, Kernel: o.Kernel,
		Name: TestName(o.Tool, o.Connection), Port: port, Local: o.Local, Peer: o.Peer, Verb: o.Verb, Latency: o.Latency,
		Receives: o.Receives, Events: o.Events, Priority: o.Priority, DSCP: o.DSCP, Sizes: slices.Clone(o.Sizes), Steps: stepsOf(o.Seconds),
	}
}

// errNoTool reports a name that no performance tool has.
var errNoTool = errors.New("the name of a performance tool has 1 to 32 letters, digits and underscores")

func isTool(name string) bool {
	return name != "" && len(name) <= 32 && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// maxTestSeconds is the maximum time of a size.
const maxTestSeconds = 3600

var errTestTime = errors.New("a test must run 0.05 to 3600 seconds for each size")

func (o StartTest) Inverse(s Set) (Operation, error) {
	port, err := s.Port(o.Connection)
	switch {
	case err != nil:
		return nil, err
	case !isTool(o.Tool):
		return nil, errNoTool
	case !(o.Seconds >= StepSeconds && o.Seconds <= maxTestSeconds):
		return nil, errTestTime
	}
	if why := o.why(s, port); why != "" {
		return nil, request.Errorf("%s can't connect: %s", o.Tool, why)
	}
	if err := s.Lab().Clone().StartTest(o.test(s.Lab(), port)); err != nil {
		return nil, err
	}
	return EndTest{o.Tool, o.Connection}, nil
}

func (o StartTest) Apply(s Set) error {
	port, err := s.Port(o.Connection)
	if err != nil {
		return err
	}
	return s.Lab().StartTest(o.test(s.Lab(), port))
}

// Inverse returns no Operation: a test that has ended does not begin again.
func (o EndTest) Inverse(s Set) (Operation, error) {
	if _, err := s.Port(o.Connection); err != nil {
		return nil, err
	}
	if !isTool(o.Tool) {
		return nil, errNoTool
	}
	if _, runs := s.Lab().Test(TestName(o.Tool, o.Connection)); !runs {
		return nil, request.Errorf("%s does not run on %s", o.Tool, o.Connection)
	}
	return nil, nil
}

func (o EndTest) Apply(s Set) error {
	_, err := s.Lab().EndTest(TestName(o.Tool, o.Connection))
	return err
}

// StepSeconds is the length of a step of the lab, in seconds: the shortest time of a test.
const StepSeconds = float64(device.Step) / float64(time.Second)

// stepsOf returns the steps of a time.
func stepsOf(seconds float64) int64 { return max(1, int64(seconds/StepSeconds+0.5)) }

// TestServer is a program of a performance tool that waits for its client.
type TestServer struct {
	Tool    string     `json:"tool"`
	Address netip.Addr `json:"address"`
}

// StartServer starts the server of a performance tool in the background, on an address of the host.
type StartServer struct{ Server TestServer }

// StopServer ends the server of a performance tool.
type StopServer struct{ Server TestServer }

func (StartServer) Kind() string { return "start-network-direct-server" }
func (StopServer) Kind() string  { return "stop-network-direct-server" }

func (o StartServer) Target() string { return o.Server.Address.String() }
func (o StopServer) Target() string  { return o.Server.Address.String() }

func (o StartServer) Describe() string {
	return fmt.Sprintf("start the server of %s at %s", o.Server.Tool, o.Server.Address)
}

func (o StopServer) Describe() string {
	return fmt.Sprintf("end the server of %s at %s", o.Server.Tool, o.Server.Address)
}

// Commands returns the line of Windows' shell that runs it in the background.
func (o StartServer) Commands() []string {
	return []string{o.Server.Line()}
}

// Line returns the line of Windows' shell that starts the server.
func (t TestServer) Line() string {
	if t.Tool == "NTttcp" {
		return fmt.Sprintf("start /b NTttcp -r -m 1,*,%s", t.Address)
	}
	return fmt.Sprintf("start /b %s -S %s", t.Tool, t.Address)
}

// Commands is empty: the server ends with its client.
func (StopServer) Commands() []string { return nil }

// maxServers is the maximum number of servers.
const maxServers = 64

func (o StartServer) Inverse(s Set) (Operation, error) {
	switch {
	case !o.Server.Address.IsValid() || o.Server.Address.Zone() != "":
		return nil, errors.New("the server of a performance tool requires an address without a zone")
	case !isTool(o.Server.Tool):
		return nil, errNoTool
	case slices.Contains(s.Servers, o.Server):
		return nil, request.Errorf("%s waits at %s already", o.Server.Tool, o.Server.Address)
	case len(s.Servers) >= maxServers:
		return nil, request.Errorf("%d servers of performance tools wait already", maxServers)
	}
	return StopServer(o), nil
}

func (o StartServer) Apply(s Set) error {
	s.Servers = append(slices.Clip(s.Servers), o.Server)
	return nil
}

func (o StopServer) Inverse(s Set) (Operation, error) {
	if !isTool(o.Server.Tool) {
		return nil, errNoTool
	}
	if !slices.Contains(s.Servers, o.Server) {
		return nil, request.Errorf("no server of %s waits at %s", o.Server.Tool, o.Server.Address)
	}
	return StartServer(o), nil
}

func (o StopServer) Apply(s Set) error {
	if s.Servers = slices.DeleteFunc(slices.Clone(s.Servers), func(t TestServer) bool { return t == o.Server }); len(s.Servers) == 0 {
		s.Servers = nil // as in a host that never had any
	}
	return nil
}

// IsOver reports whether Operations that undo a plan have nothing left to undo: they would only end performance tests, which have ended.
func IsOver[O any](lab *device.Lab, inverse []O) bool {
	for _, o := range inverse {
		end, ok := any(o).(EndTest)
		if !ok {
			return false
		}
		if _, runs := lab.Test(TestName(end.Tool, end.Connection)); runs {
			return false
		}
	}
	return true
}

// serversOn returns the servers on addresses of some ports.
func (s Set) serversOn(ports []int) (list []TestServer) {
	for _, server := range s.Servers {
		for _, port := range ports {
			d, _, _ := s.Lab().Port(port)
			if slices.ContainsFunc(s.IP(d.Connection).Addresses, func(a netip.Prefix) bool { return a.Addr() == server.Address }) {
				list = append(list, server)
				break
			}
		}
	}
	return list
}

// Programs returns the programs of Network Direct that wait on some ports.
func (s Set) Programs(ports []int) (list []string) {
	for _, server := range s.serversOn(ports) {
		list = append(list, server.Tool+" on "+server.Address.String())
	}
	return list
}

// CloseServers ends the servers on some ports.
func (s Set) CloseServers(ports []int) {
	ends := s.serversOn(ports)
	if s.Servers = slices.DeleteFunc(slices.Clone(s.Servers), func(t TestServer) bool { return slices.Contains(ends, t) }); len(s.Servers) == 0 {
		s.Servers = nil
	}
}
