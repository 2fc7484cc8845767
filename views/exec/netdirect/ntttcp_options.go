package netdirect

import (
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/device/measurement"
	"cxdeck/views/exec"
)

// The defaults and bounds of NTttcp.
const (
	streamBuffer  = 64 << 10
	streamBuffers = 20 << 10
	streamPort    = 5001
	streamAsync   = 2
	maxMappings   = 8
)

// mapping is a group of threads of NTttcp: their number, their processor or -1 for any, and the address of the receiver.
type mapping struct {
	threads, processor int
	receiver           netip.Addr
}

// streamOptions are the options of NTttcp.
type streamOptions struct {
	sends, receives bool
	mappings        []mapping
	length, buffers int
	// seconds is the measured time, 0 for a number of buffers; warmUp and coolDown are around it.
	seconds, warmUp, coolDown int
	port, window, async       int
	six, verbose              bool
	counted                   bool // -n
}

// streamSizes are the options whose value is a number of bytes or a count, with K or M.
func (o *streamOptions) number(option string) (into *int, what string, least, most int) {
	switch option {
	case "-l":
		return &o.length, "the length of a buffer", 1, measurement.MaxSize
	case "-n":
		o.counted = true
		return &o.buffers, "the number of buffers", 1, 1 << 30
	case "-t":
		return &o.seconds, "the time in seconds", 1, maxSeconds
	case "-wu":
		return &o.warmUp, "the warm-up in seconds", 0, maxSeconds
	case "-cd":
		return &o.coolDown, "the cool-down in seconds", 0, maxSeconds
	case "-p":
		return &o.port, "a port", 1, 65535
	case "-rb":
		return &o.window, "the receive buffer in bytes", 1024, measurement.MaxWindow
	case "-sb":
		return new(int), "the send buffer in bytes", 0, measurement.MaxWindow
	case "-a":
		return &o.async, "the number of outstanding buffers", 1, 1024
	case "-to":
		return new(int), "the timeout in milliseconds", 1, 1 << 30
	}
	return nil, "", 0, 0
}

// readStreams reads the options of NTttcp.
func readStreams(words []string) (o streamOptions, err error) {
	o.length, o.buffers, o.port, o.async = streamBuffer, streamBuffers, streamPort, streamAsync
	for i := 0; i < len(words); i++ {
		option := strings.ToLower(words[i])
		switch option {
		case "-s":
			o.sends = true
			continue
		case "-r":
			o.receives = true
			continue
		case "-6":
			o.six = true
			continue
		case "-v":
			o.verbose = true
			continue
		case "-ns", "-na", "-ndl", "-w", "-wa", "-sp": // how both ends start and wait, which the lab does not distinguish
			continue
		case "-u":
			return o, exec.Mistake("the lab runs NTttcp with TCP, not with -u")
		case "-m":
			taken := 0
			for ; i+1+taken < len(words) && !strings.HasPrefix(words[i+1+taken], "-"); taken++ {
				m, err := readMapping(words[i+1+taken])
				if err != nil {
					return o, err
				}
				o.mappings = append(o.mappings, m)
			}
			if taken == 0 {
				return o, exec.Mistake("-m requires threads, processor and address of the receiver: -m 8,*,10.1.2.3")
			}
			i += taken
			continue
		}
		into, what, least, most := o.number(option)
		switch {
		case into == nil:
			return o, exec.Mistake("NTttcp has no option %q; NTttcp -h lists the options", words[i])
		case i+1 == len(words):
			return o, exec.Mistake("NTttcp requires a value after %s", words[i])
		}
		i++
		if *into, err = readCount(words[i], what, least, most); err != nil {
			return o, err
		}
	}
	return o, o.check()
}

// readCount reads a number with K, M or G for powers of 1024.
func readCount(text, what string, least, most int) (int, error) {
	digits, factor := text, 1
	if n := len(text) - 1; n > 0 {
		if f, ok := map[byte]int{'k': 1 << 10, 'm': 1 << 20, 'g': 1 << 30}[text[n]|0x20]; ok {
			digits, factor = text[:n], f
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > most/factor || n*factor < least {
		return 0, exec.Mistake("%s must be an integer from %d to %d, also with K or M, not %q", what, least, most, text)
	}
	return n * factor, nil
}

func readMapping(text string) (m mapping, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return m, exec.Mistake("a mapping has threads, processor and address of the receiver, such as 8,*,10.1.2.3, not %q", text)
	}
	if m.threads, err = exec.Integer(parts[0], "the number of threads", 1, measurement.MaxStreams); err != nil {
		return m, err
	}
	if m.processor = -1; parts[1] != "*" {
		if m.processor, err = exec.Integer(parts[1], "the number of a processor", 0, 1<<16); err != nil {
			return m, err
		}
	}
	m.receiver, err = readAddress(parts[2])
	return m, err
}

func (o *streamOptions) check() error {
	switch {
	case o.sends == o.receives:
		return exec.Mistake("NTttcp requires -s for the sender or -r for the receiver")
	case len(o.mappings) == 0:
		return exec.Mistake("NTttcp requires -m with threads, processor and address of the receiver: -m 8,*,10.1.2.3")
	case len(o.mappings) > maxMappings:
		return exec.Mistake("NTttcp takes at most %d mappings here", maxMappings)
	case o.counted && o.seconds > 0:
		return exec.Mistake("-n and -t exclude each other")
	}
	for _, m := range o.mappings {
		if o.six != m.receiver.Is6() {
			return exec.Mistake("%s is an address of IPv%s: -6 is for IPv6", m.receiver, map[bool]string{true: "6", false: "4"}[m.receiver.Is6()])
		}
	}
	return nil
}
