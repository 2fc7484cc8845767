package exec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
)

// captureRow is the capture of packets without hash of a connection as JSON.
type captureRow struct {
	Connection string `json:"connection"`
	On         bool   `json:"capturing"`
	Packets    int    `json:"buffer_packets"`
	Bytes      int    `json:"bytes_per_packet"`
	Held       int    `json:"held_packets"`
	Lost       uint64 `json:"lost_packets"`
}

// captureFile is where collected packets go when no file is named, as the manual says.
const captureFile = "nonrss.pcap"

// capture is mlxtool dbg nonrss-capture.
func capture(c *call) (answer, error) {
	targets, err := c.toolTargets(description.WinOF, "mlxtool dbg nonrss-capture", c.arguments[0], true)
	if err != nil {
		return answer{}, err
	}
	name, rest := targets[0].connection, c.arguments[2:]
	switch word := strings.ToLower(c.arguments[1]); word {
	case "query":
		return c.captureState(name)
	case "start":
		o := driver.StartCapture{Connection: name, Packets: device.CapturePackets, Bytes: device.CaptureBytes}
		for i, into := range []*int{&o.Packets, &o.Bytes} {
			if i < len(rest) {
				if *into, err = strconv.Atoi(rest[i]); err != nil || *into < 1 {
					return answer{}, mistake("%q is no size: start takes how many packets the buffer holds, and how many bytes of "+
						"each", rest[i])
				}
			}
		}
		return c.one(o)
	case "stop":
		return c.one(driver.StopCapture{Connection: name})
	case "collect":
		return c.collect(name, rest)
	default:
		return answer{}, mistake("mlxtool dbg nonrss-capture does not know %q%s", word,
			suggest(word, []string{"query", "start", "stop", "collect"}, "it takes query, start, stop and collect"))
	}
}

// look gives the capture of a connection, and its packets.
func (c *call) look(name string) (row captureRow, packets []device.CapturedPacket, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		lab := h.Lab()
		for port := range lab.Ports() {
			if d, _, _ := lab.Port(port); d.Connection == name {
				now := lab.PacketCapture(port)
				row = captureRow{name, now.On, now.Packets, now.Bytes, now.Held, now.Lost}
				packets = lab.CapturedPackets(port)
			}
		}
		return nil
	})
	return row, packets, err
}

// captureState is the answer to a query. The manual has no text of it.
func (c *call) captureState(name string) (answer, error) {
	row, _, err := c.look(name)
	return answer{
		result: struct {
			Capture captureRow `json:"capture"`
		}{row},
		text: func(w io.Writer) error {
			text := "stopped"
			if row.On {
				text = fmt.Sprintf("capturing %d bytes of each packet into a buffer of %d packets: %d in it, %d older ones lost",
					row.Bytes, row.Packets, row.Held, row.Lost)
			}
			_, err := fmt.Fprintf(w, "%s: %s.\n", Clean(name), text)
			return err
		},
	}, err
}

// collect writes what is in the buffer into a file, and empties the buffer.
func (c *call) collect(name string, rest []string) (answer, error) {
	path := captureFile
	if len(rest) > 0 {
		path = rest[0]
	}
	if len(rest) > 1 && rest[1] != "0" {
		return answer{}, mistake("there is no VPort %q: the lab's driver works without VPorts, and has VPort 0 alone",
			rest[1])
	}
	row, packets, err := c.look(name)
	switch {
	case err != nil:
		return answer{}, err
	case !row.On:
		return answer{}, fmt.Errorf("%s captures no packets; start that first", name)
	case c.runner.Files == nil:
		return answer{}, errNoFiles
	}
	err = c.runner.Files.Write([]driver.File{{Path: path, Data: packetFile(packets, row.Bytes)}}, false)
	switch {
	case errors.Is(err, fs.ErrExist):
		return answer{}, fmt.Errorf("there is a file %s already; name another one", path)
	case err != nil:
		return answer{}, fmt.Errorf("%s can't be written: %w", path, reason(err))
	}
	entry, err := c.do(driver.Plan{
		Title:      fmt.Sprintf("Collect the captured packets of %s", name),
		Operations: []driver.Operation{driver.EmptyCapture{Connection: name}},
	})
	return answer{
		result: struct {
			Change  entryRow   `json:"change"`
			Capture captureRow `json:"capture"`
			File    string     `json:"file"`
		}{entry, row, path},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s: %d packets are in %s, and the buffer is empty.\n", Clean(name), len(packets),
				Clean(path))
			return err
		},
	}, err
}

// packetFile is a file of captured Ethernet packets in the format of libpcap, version 2.4, with microseconds.
func packetFile(packets []device.CapturedPacket, most int) []byte {
	const magic, ethernet = 0xa1b2c3d4, 1
	order := binary.LittleEndian
	b := order.AppendUint32(nil, magic)
	b = order.AppendUint16(order.AppendUint16(b, 2), 4)
	b = order.AppendUint64(b, 0) // times are UTC
	b = order.AppendUint32(order.AppendUint32(b, uint32(most)), ethernet)
	for _, p := range packets {
		b = order.AppendUint32(b, uint32(min(max(p.Time.Unix(), 0), math.MaxUint32)))
		b = order.AppendUint32(b, uint32(p.Time.Nanosecond()/1000))
		b = order.AppendUint32(order.AppendUint32(b, uint32(len(p.Data))), uint32(p.Length))
		b = append(b, p.Data...)
	}
	return b
}
