package netdirect

import (
	"fmt"
	"io"
	"net/netip"
	"strings"

	"cxdeck/device/measurement"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// ping is a ping test over RDMA.
type ping struct {
	name string
	// linux reports the options of rping on Linux: -s and -c, and the address with -a. The others take -S and -C with the address.
	linux bool
	// verb is how the data moves.
	verb measurement.Verb
}

func pings() []ping {
	return []ping{
		{"nd_rping", true, measurement.Read}, {"rping", true, measurement.Read}, {"ndrping", false, measurement.Read}, {"ndping", false, measurement.Send},
		{"ndrpingpong", false, measurement.Write}, {"ndpingpong", false, measurement.Send},
	}
}

// The bounds of the options of a ping.
const (
	pingPort     = 7174
	pingSize     = 64
	maxPingSize  = 64<<10 - 1
	pingCount    = 10
	maxPingCount = 1 << 20
	// maxShown limits the lines of -v.
	maxShown = 1000
)

// pingOptions are the options of a ping.
type pingOptions struct {
	serves, client, persistent, verbose, validates, debugs bool

	address           netip.Addr
	size, count, port int
}

func (p *ping) readOptions(words []string) (o pingOptions, err error) {
	o.size, o.count, o.port = pingSize, pingCount, pingPort
	values := "-a -p -S -C"
	for i := 0; i < len(words) && err == nil; i++ {
		option, value := words[i], ""
		if len(option) == 2 && strings.Contains(values, option) {
			if i++; i == len(words) {
				return o, exec.Mistake("%s requires a value after %s", p.name, option)
			}
			value = words[i]
		}
		switch {
		case option == "-s" && p.linux:
			o.serves = true
		case option == "-c" && p.linux:
			o.client = true
		case option == "-P":
			o.persistent = true
		case option == "-v":
			o.verbose = true
		case option == "-V":
			o.validates = true
		case option == "-d":
			o.debugs = true
		case option == "-a":
			o.address, err = readAddress(value)
		case option == "-p":
			o.port, err = exec.Integer(value, "a port", 1, 65535)
		case option == "-S" && p.linux:
			o.size, err = exec.Integer(value, "the size of the data in bytes", 1, maxPingSize)
		case option == "-C" && p.linux:
			o.count, err = exec.Integer(value, "the number of pings", 1, maxPingCount)
		case option == "-S":
			o.serves = true
			o.address, err = readAddress(value)
		case option == "-C":
			o.client = true
			o.address, err = readAddress(value)
		default:
			err = exec.Mistake("%s has no option %q; %s --help lists the options", p.name, option, p.name)
		}
	}
	switch {
	case err != nil:
		return o, err
	case o.serves == o.client:
		return o, exec.Mistake("%s is either the server or the client: %s", p.name, p.synopsis())
	case o.persistent && o.client:
		return o, exec.Mistake("-P is for the server")
	case o.client && !o.address.IsValid():
		return o, exec.Mistake("the client of %s requires -a with the address of the server", p.name)
	case o.serves && !o.address.IsValid():
		return o, exec.Mistake("the server of %s requires -a with an address of this host, as this host has several", p.name)
	}
	return o, nil
}

func (p *ping) synopsis() string {
	if p.linux {
		return p.name + " -s|-c [-v -V -d] [-S SIZE] [-C COUNT] -a ADDRESS [-p PORT]"
	}
	return p.name + " -S|-C ADDRESS [-v] [-p PORT]"
}

// pingRow is the result of a ping test as JSON.
type pingRow struct {
	Tool         string  `json:"tool"`
	Connection   string  `json:"connection"`
	Local        string  `json:"local"`
	Peer         string  `json:"peer"`
	Bytes        int     `json:"data_bytes"`
	Sent         int     `json:"pings"`
	Received     int     `json:"received"`
	Microseconds float64 `json:"round_trip_microseconds"`
	Validated    bool    `json:"validated"`
}

// run exchanges pings with a peer: each is data that the other end reads and sends back.
func (p *ping) run(c *exec.Call) (exec.Answer, error) {
	if asksHelp(c.Arguments) {
		return exec.Answer{
			Result: struct {
				Synopsis string `json:"synopsis"`
			}{p.synopsis()},
			Text: func(w io.Writer) error {
				_, err := fmt.Fprintln(w, p.synopsis())
				return err
			},
		}, nil
	}
	o, err := p.readOptions(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	e, err := findEnds(c, p.name, o.address, o.serves, o.port)
	if err != nil {
		return exec.Answer{}, err
	}
	if e.loopback() {
		return exec.Answer{}, request.Errorf("%s is an address of this host: %s pings a peer", o.address, p.name)
	}
	start := stack.StartTest{
		Tool: p.name, Connection: e.connection, Local: e.local, Peer: e.peer, Verb: p.verb, Latency: true, Receives: o.serves,
		Priority: e.priority, DSCP: e.dscp, Sizes: []int{o.size}, Seconds: minSeconds,
	}
	server := stack.TestServer{Tool: p.name, Address: o.address}
	m, err := measure(c, &start, e.port, false, server)
	if err != nil {
		return exec.Answer{}, err
	}
	result := &m.Results[0]
	r := pingRow{Tool: p.name, Connection: e.connection, Local: e.local.String(), Peer: e.peer.String(), Bytes: o.size, Sent: o.count,
		Received: min(o.count, int(result.Messages)), Validated: o.validates}
	if result.Steps > 0 {
		r.Microseconds = 2e6 * result.Delay / float64(result.Steps)
	}
	answer := exec.Answer{Result: r, Text: func(w io.Writer) error { return r.write(w, &o) }}
	answer.Failed = r.Received < r.Sent
	return answer, nil
}

// write prints each ping with -v, and the sum.
func (r *pingRow) write(w io.Writer, o *pingOptions) error {
	var b strings.Builder
	if o.debugs {
		fmt.Fprintf(&b, "port %d, %d pings of %d bytes\nconnected: %s and %s\n", o.port, o.count, o.size, r.Local, r.Peer)
	}
	who := "client"
	if o.serves {
		who = "server"
	}
	for i := range min(r.Received, maxShown) {
		if !o.verbose {
			break
		}
		fmt.Fprintf(&b, "%s ping data: %s\n", who, pingData(i, o.size))
	}
	if o.verbose && r.Received > maxShown {
		fmt.Fprintf(&b, "and %d more\n", r.Received-maxShown)
	}
	fmt.Fprintf(&b, "%d of %d pings came back, %.2f us for each.\n", r.Received, r.Sent, r.Microseconds)
	if r.Validated && r.Received > 0 {
		b.WriteString("All data was as sent.\n")
	}
	if o.debugs {
		b.WriteString("disconnected\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pingData returns the text of a ping: its number, and then letters that begin one further each time, up to the size of the data.
func pingData(number, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rdma-ping-%d: ", number)
	for i := 0; b.Len() < size-1 && b.Len() < 120; i++ {
		b.WriteByte(byte('A' + (number+i)%58))
	}
	return b.String()[:min(b.Len(), max(1, size-1))]
}
