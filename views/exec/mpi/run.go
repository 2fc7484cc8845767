package mpi

import (
	"fmt"
	"path"
	"strings"
	"time"

	"cxdeck/device/measurement"
	"cxdeck/driver"
	"cxdeck/driver/mpi"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// hangTime is the time after which cxdeck ends a job that hangs.
const hangTime = 30 * time.Second

// maxHostFile is the maximum size of a file of hosts in bytes.
const maxHostFile = 64 << 10

// randomPort is a port such as MS-MPI chooses for Network Direct at random; no policy names it.
const randomPort = 50_123

// member is a host of a job.
type member struct {
	hostRow
	exec.Path
	name string
}

// result is the result of a job as JSON.
type result struct {
	Program string    `json:"program"`
	Hosts   []hostRow `json:"hosts"`
	// Channel is ND or sockets; empty for a program that sends nothing. WhyNoND is why it is not ND.
	Channel  string   `json:"channel,omitempty"`
	WhyNoND  string   `json:"why_not_nd,omitempty"`
	Priority *int     `json:"priority,omitempty"`
	Output   []string `json:"output,omitempty"`
	Tests    []pair   `json:"tests,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// pair is a test between this host and a peer.
type pair struct {
	Local string `json:"local"`
	Peer  string `json:"peer"`
	Rows  []row  `json:"rows"`
}

type row struct {
	Bytes       int     `json:"message_bytes"`
	Repetitions int     `json:"repetitions"`
	Time        float64 `json:"microseconds"`
	Rate        float64 `json:"megabytes_per_second"`
}

// mpiexec runs a program on the hosts of a job.
func mpiexec(c *exec.Call) (exec.Answer, error) {
	if len(c.Arguments) == 0 || strings.HasPrefix(strings.ToLower(c.Arguments[0]), "-help") {
		return help(c)
	}
	j, err := readJob(c.Arguments, func(name string) ([]byte, error) { return c.Read(name, maxHostFile) })
	if err != nil {
		return exec.Answer{}, err
	}
	members, err := findMembers(c, &j)
	if err != nil {
		return exec.Answer{}, err
	}
	r := &result{Program: j.program}
	for i := range members {
		r.Hosts = append(r.Hosts, members[i].hostRow)
	}
	if err := checkVersions(c, members); err != nil {
		return exec.Answer{}, err
	}
	switch base(j.program) {
	case "hostname":
		for i := range members {
			r.Output = append(r.Output, members[i].name)
		}
	case "test1", "imb-mpi1", "pallas", "mpipingpong":
		if err := r.run(c, &j, members); err != nil {
			return exec.Answer{}, err
		}
	default:
		return exec.Answer{}, request.Errorf(`failed to launch %q: the system cannot find the file specified; the lab has hostname, c:\test1.exe, IMB-MPI1 and mpipingpong`, j.program)
	}
	return exec.PrintLines(r.lines(), r), nil
}

// base returns the name of a program without folders and extension, in lower case.
func base(program string) string {
	return strings.ToLower(exec.TrimExe(path.Base(strings.ReplaceAll(program, `\`, "/"))))
}

// help prints the version and the options.
func help(c *exec.Call) (exec.Answer, error) {
	version := ""
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		state := h.MPI()
		here := state.Find(mpi.Host{}.Address)
		version = here.Version()
		return nil
	})
	lines := []string{
		"Microsoft MPI of HPC Pack " + version, "mpiexec [options] PROGRAM", "  -p PORT                        port of smpd on each host (8677)",
		"  -hosts N ADDRESS...            hosts of the job", "  -machinefile FILE              a file with a host on each line", "  -n N                           number of processes",
		"  -env NAME VALUE                MPICH_NETMASK, MPICH_DISABLE_ND, MPICH_DISABLE_SOCK, MPICH_ND_ZCOPY_THRESHOLD, MPICH_PORT_RANGE", "  -affinity                      bind processes to processors",
	}
	return exec.PrintLines(lines, struct {
		Version string   `json:"hpc_pack"`
		Options []string `json:"options"`
	}{version, lines[1:]}), err
}

// findMembers finds the hosts of a job and their smpd.
func findMembers(c *exec.Call, j *job) (members []member, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, address := range j.hosts {
			way, err := exec.FindPath(h, address)
			if err != nil {
				return err
			}
			m := member{rowOf(h, &way), way, "node-" + strings.NewReplacer(".", "-", ":", "-").Replace(address.String())}
			if m.Here {
				m.name = h.View().Name
			}
			switch {
			case m.hostRow.Port == 0:
				return request.Errorf("unable to connect to %s:%d: no smpd runs there; start smpd -d -p %d on %s", address, j.port, j.port, m.host.Name())
			case m.hostRow.Port != j.port:
				return request.Errorf("unable to connect to %s:%d: smpd of %s waits at port %d; use -p %d", address, j.port, m.host.Name(), m.hostRow.Port, m.hostRow.Port)
			}
			members = append(members, m)
		}
		return nil
	})
	return members, err
}

// checkVersions lets a job with different versions of HPC Pack hang, as the manual warns.
func checkVersions(c *exec.Call, members []member) error {
	for i := range members {
		if members[i].Pack == members[0].Pack {
			continue
		}
		if err := exec.Wait(c.Ctx, c.Host, hangTime); err != nil {
			return err
		}
		return request.Errorf("the job hangs, and was ended after %.0f s: %s has HPC Pack %s, and %s has %s; install the same version on all hosts", hangTime.Seconds(),
			members[0].Address, members[0].Pack, members[i].Address, members[i].Pack)
	}
	return nil
}

// run runs the ping-pong test between this host and each peer.
func (r *result) run(c *exec.Call, j *job, members []member) error {
	here := -1
	for i := range members {
		if members[i].Here {
			here = i
		}
	}
	if here < 0 || len(members) < 2 {
		return request.Errorf("%s sends between this host and peers: name an address of this host and at least one peer", j.program)
	}
	r.Channel = "ND"
	if j.noND {
		r.WhyNoND = "MPICH_DISABLE_ND is 1"
	}
	var starts []stack.StartTest
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for i := range members {
			if m := &members[i]; !m.Here && r.WhyNoND == "" {
				r.WhyNoND = whyNoND(h, j, m)
			}
		}
		if r.WhyNoND != "" {
			if r.Channel = "sockets"; j.noSockets {
				return request.Errorf("no channel to %s: Network Direct can't be used, because %s, and MPICH_DISABLE_SOCK is 1", members[len(members)-1].Address, r.WhyNoND)
			}
		}
		for i := range members {
			if members[i].Here {
				continue
			}
			start, err := r.start(h, j, &members[i])
			if err != nil {
				return err
			}
			starts = append(starts, start)
		}
		return nil
	}); err != nil {
		return err
	}
	if j.first > 0 && r.Channel == "ND" {
		r.Notes = append(r.Notes, "MPICH_PORT_RANGE has no effect on Network Direct: MS-MPI chooses a random port")
	}
	for i := range starts {
		test, err := exec.RunTest(c, &starts[i])
		if err != nil {
			return err
		}
		r.Tests = append(r.Tests, pairOf(&test))
	}
	return nil
}

// whyNoND returns why a job can't use Network Direct to a peer, a clause; empty if it can.
func whyNoND(h *driver.Host, j *job, m *member) string {
	switch why := h.Stack().WhyNoTest(m.Path.Port, m.Local, false); {
	case why != "":
		return why
	case m.host.NoProvider:
		return m.Peer.String() + " has no NetworkDirect provider"
	case j.netmask.IsValid() && (!j.netmask.Contains(m.Local) || !j.netmask.Contains(m.Peer)):
		return fmt.Sprintf("%s and %s are not both in %s, the MPICH_NETMASK", m.Local, m.Peer, j.netmask)
	}
	return ""
}

// messageSizes are the lengths of the messages of the test: one byte to 4 MB, in powers of two.
const messageSizes = 23

// messageTime is the time of a length in seconds.
const messageTime = 0.1

// start returns the test between this host and a peer.
func (r *result) start(h *driver.Host, j *job, m *member) (start stack.StartTest, err error) {
	name := base(j.program) + ".exe"
	start = stack.StartTest{Tool: "mpiexec", Connection: m.Connection, Local: m.Local, Peer: m.Peer, Verb: measurement.Send, Latency: true, Seconds: messageTime}
	for i := range messageSizes {
		start.Sizes = append(start.Sizes, 1<<i)
	}
	if r.Channel == "ND" {
		start.Priority, start.DSCP = h.Classify(m.Path.Port, qos.Program{Name: name, NetDirectPort: randomPort})
	} else {
		if why := h.Stack().WhyNoStreams(m.Path.Port); why != "" {
			return start, request.Errorf("no channel to %s: %s", m.Peer, why)
		}
		if j.netmask.IsValid() && (!j.netmask.Contains(m.Local) || !j.netmask.Contains(m.Peer)) {
			return start, request.Errorf("no channel to %s: %s and %s are not both in %s, the MPICH_NETMASK", m.Peer, m.Local, m.Peer, j.netmask)
		}
		start.Sockets, start.Streams = true, 1
		port := randomPort
		if j.first > 0 {
			port = j.first
		}
		start.Priority, start.DSCP = h.Classify(m.Path.Port, qos.Program{Name: name, PeerPort: port})
	}
	if start.Priority >= 0 && r.Priority == nil {
		r.Priority = &start.Priority
	}
	return start, nil
}

// pairOf returns the rows of a finished test.
func pairOf(t *measurement.Test) pair {
	p := pair{Local: t.Local.String(), Peer: t.Peer.String(), Rows: []row{}}
	for i, size := range t.Sizes {
		if result := &t.Results[i]; result.Steps > 0 {
			seconds := result.Delay / float64(result.Steps)
			p.Rows = append(p.Rows, row{size, int(result.Messages), seconds * 1e6, float64(size) / seconds / (1 << 20)})
		}
	}
	return p
}

// lines prints the tests as IMB does.
func (r *result) lines() []string {
	lines := r.Output
	for i := range r.Tests {
		t := &r.Tests[i]
		class := "untagged"
		if r.Priority != nil {
			class = fmt.Sprintf("priority %d", *r.Priority)
		}
		lines = append(lines, "#---------------------------------------------------", fmt.Sprintf("# Benchmarking PingPong: %s and %s, by %s, %s", t.Local, t.Peer, r.Channel, class), "# #processes = 2",
			"#---------------------------------------------------", "       #bytes #repetitions      t[usec]   Mbytes/sec")
		for _, row := range t.Rows {
			lines = append(lines, fmt.Sprintf("%13d %12d %12.2f %12.2f", row.Bytes, row.Repetitions, row.Time, row.Rate))
		}
	}
	if r.WhyNoND != "" {
		lines = append(lines, "Not by Network Direct: "+r.WhyNoND+".")
	}
	for _, note := range r.Notes {
		lines = append(lines, "Note: "+note+".")
	}
	return lines
}
