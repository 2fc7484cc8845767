package netdirect

import (
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/device/measurement"
	"cxdeck/views/exec"
)

// The defaults and bounds of the options.
const (
	defaultSize       = 65536
	defaultIterations = 100_000
	maxIterations     = 1 << 31
	defaultPort       = 6830
	maxSeconds        = 3600
	allSizes          = 23 // 1 byte to 4 MB, in powers of two
)

// options are the options of a performance test.
type options struct {
	// server and client are the addresses of -S and -C; one of them is set.
	server, client netip.Addr
	// sizes are the lengths of the messages, iterations their number, unless seconds is given.
	sizes      []int
	iterations int
	// counted reports that -n was given.
	counted bool
	seconds float64
	events  bool
	port    int
}

// readOptions reads the options of a performance test.
func (t *test) readOptions(words []string) (o options, err error) {
	o.iterations, o.port = defaultIterations, defaultPort
	size, all, sized := defaultSize, false, false
	for i := 0; i < len(words) && err == nil; i++ {
		option, value := words[i], ""
		if strings.Contains("-S -C -s -n -D -p", option) && len(option) == 2 { //nolint:gocritic // the option is looked up in the list
			if i++; i == len(words) {
				return o, exec.Mistake("%s requires a value after %s", t.name, option)
			}
			value = words[i]
		}
		switch option {
		case "-S":
			o.server, err = readAddress(value)
		case "-C":
			o.client, err = readAddress(value)
		case "-s":
			sized = true
			size, err = exec.Integer(value, "the size of a message in bytes", 1, measurement.MaxSize)
		case "-n":
			o.counted = true
			o.iterations, err = exec.Integer(value, "the number of messages", 2, maxIterations)
		case "-p":
			o.port, err = exec.Integer(value, "a port", 1, 65535)
		case "-D":
			if o.seconds, err = strconv.ParseFloat(value, 64); err != nil || !(o.seconds >= 1 && o.seconds <= maxSeconds) {
				err = exec.Mistake("the duration must be 1 to %d seconds, not %q", maxSeconds, value)
			}
		case "-a":
			all = true
		case "-e":
			o.events = true
		default:
			err = exec.Mistake("%s has no option %q; %s --help lists the options", t.name, option, t.name)
		}
	}
	if err != nil {
		return o, err
	}
	o.sizes = []int{size}
	if all {
		for o.sizes = nil; len(o.sizes) < allSizes; {
			o.sizes = append(o.sizes, 1<<len(o.sizes))
		}
	}
	return o, t.check(&o, all && sized)
}

// check rejects options that exclude each other.
func (t *test) check(o *options, twice bool) error {
	switch {
	case twice:
		return exec.Mistake("-a tests all sizes: leave -s out")
	case o.server.IsValid() == o.client.IsValid():
		return exec.Mistake("%s requires -S with an address of this host, or -C with the address of the server", t.name)
	case o.events && !t.events:
		return exec.Mistake("%s has no -e: nd_write_bw and nd_send_bw have it", t.name)
	case o.events && (o.server.IsValid() || o.seconds == 0):
		return exec.Mistake("-e is for a client with a duration: add -C and -D")
	}
	return nil
}

func readAddress(text string) (netip.Addr, error) {
	a, err := netip.ParseAddr(text)
	if err != nil || a.IsUnspecified() || a.IsMulticast() {
		return netip.Addr{}, exec.Mistake("%q is not the IP address of a host", text)
	}
	return a, nil
}
