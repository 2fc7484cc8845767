package winof

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/capture/pcap"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/sniffer"
	"cxdeck/views/exec"
)

// The defaults of ibdump: the name of the file, and the binary logarithm of the number of packets.
const (
	dumpFile     = "sniffer.pcap"
	dumpBurst    = 12
	maxDumpBurst = 15
)

// dumpOptions are the options of ibdump. The manual leaves them to ibdump -h; they are named as in the tool of the same name for Linux.
type dumpOptions struct {
	device, file string
	port, burst  int
	help         bool
}

// dumpUsage is the help of ibdump.
var dumpUsage = []string{
	"Usage: ibdump [options]", "",
	"  -d, --ib-dev=DEVICE    the device: its name in mst status, or a connection (default: the first one)",
	"  -i, --ib-port=PORT     the port of the device, 1 or 2 (default: 1)",
	"  -w, --write=FILE       the file, in the format of libpcap (default: " + dumpFile + ")",
	"  -b, --max-burst=LOG2   log2 of the maximum number of packets (default: " + strconv.Itoa(dumpBurst) + ")",
	"  -h, --help             print this help",
}

// readDump parses the options of ibdump.
func readDump(words []string) (o dumpOptions, err error) {
	o = dumpOptions{file: dumpFile, port: 1, burst: dumpBurst}
	names := map[string]string{"-d": "d", "--ib-dev": "d", "-i": "i", "--ib-port": "i", "-w": "w", "--write": "w", "-o": "w", "--output": "w",
		"-b": "b", "--max-burst": "b", "-h": "h", "--help": "h"}
	for i := 0; i < len(words); i++ {
		word, value, given := strings.Cut(words[i], "=")
		option, known := names[strings.ToLower(word)]
		switch {
		case !known:
			return o, exec.Mistake("ibdump does not support %q; ibdump -h lists its options", words[i])
		case option == "h":
			o.help = true
			continue
		case !given:
			if i++; i == len(words) {
				return o, exec.Mistake("ibdump requires a value after %s", word)
			}
			value = words[i]
		}
		switch option {
		case "d":
			o.device = value
		case "w":
			o.file = value
		case "i":
			if o.port, err = strconv.Atoi(value); err != nil || o.port < 1 || o.port > 2 {
				return o, exec.Mistake("the port of ibdump must be 1 or 2, not %q", value)
			}
		case "b":
			if o.burst, err = strconv.Atoi(value); err != nil || o.burst < 0 || o.burst > maxDumpBurst {
				return o, exec.Mistake("--max-burst of ibdump must be 0 to %d, not %q", maxDumpBurst, value)
			}
		}
	}
	return o, nil
}

// find returns the port that the options name.
func (o *dumpOptions) find(view *driver.View) (*driver.PortView, error) {
	var names []string
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if a.Description.Family != description.WinOF {
			continue
		}
		for j := range a.Ports {
			if name := a.Ports[j].Description.Connection; strings.EqualFold(name, o.device) {
				return &a.Ports[j], nil
			}
		}
		if o.device == "" || strings.EqualFold(strings.TrimPrefix(o.device, "/dev/mst/"), a.DeviceName) {
			if o.port > len(a.Ports) {
				return nil, fmt.Errorf("%s has no port %d", a.DeviceName, o.port)
			}
			return &a.Ports[o.port-1], nil
		}
		names = append(names, a.DeviceName)
	}
	if len(names) == 0 {
		return nil, errors.New("the host has no WinOF card, which ibdump supports")
	}
	return nil, request.Errorf("ibdump supports the WinOF cards, and %q is not one of them%s", o.device, exec.Suggest(o.device, names, "mst status lists the devices"))
}

// dumpTraffic implements ibdump: it writes the frames on the cable of a port, received and sent, to a file.
func dumpTraffic(c *exec.Call) (exec.Answer, error) {
	o, err := readDump(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	if o.help {
		return exec.PrintLines(dumpUsage, struct {
			Usage []string `json:"usage"`
		}{dumpUsage}), nil
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	port, err := o.find(view)
	if err != nil {
		return exec.Answer{}, err
	}
	layer := "Ethernet"
	if port.Description.Link != description.Ethernet {
		layer = "InfiniBand"
	}
	const wholeFrame = 1 << 16
	options := sniffer.Options{Frames: 1 << o.burst, Bytes: wholeFrame}
	_, result, err := c.Capture(port.Description.Connection, o.file, pcap.Classic, options, nil)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exec.Answer{}, fmt.Errorf("the file %s exists already; choose another name with -w", o.file)
	case err != nil:
		return exec.Answer{}, err
	}
	bytes := uint64(0)
	for _, count := range result.Counts {
		bytes += count.Bytes
	}
	lines := slices.Concat([]string{"------------------------------------------------"}, []string{
		fmt.Sprintf(" %-30s : %q", "Device", port.Description.Connection),
		fmt.Sprintf(" %-30s : %s", "Link layer", layer), fmt.Sprintf(" %-30s : %s", "Dump file", o.file),
		fmt.Sprintf(" %-30s : %d", "Sniffer WQEs (max burst size)", 1<<o.burst),
		"------------------------------------------------", "", fmt.Sprintf("Captured: %d packets, %d bytes", result.Kept, bytes),
	})
	return exec.Answer{
		Result: struct {
			Connection string `json:"connection"`
			File       string `json:"file"`
			Packets    uint64 `json:"packets"`
			Bytes      uint64 `json:"bytes"`
		}{port.Description.Connection, o.file, result.Kept, bytes},
		Text: func(w io.Writer) error {
			for _, line := range lines {
				if _, err := fmt.Fprintln(w, exec.Clean(line)); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}
