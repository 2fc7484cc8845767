package winof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"cxdeck/device/capture"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/script"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// captureRow is the capture of unhashed packets on a connection as JSON.
type captureRow struct {
	Connection string `json:"connection"`
	capture.Status
}

// captureFile is the manual's default name for the file of collected packets.
const captureFile = "nonrss.pcap"

// capturePackets implements mlxtool dbg nonrss-capture.
func capturePackets(c *exec.Call) (exec.Answer, error) {
	targets, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool dbg nonrss-capture", c.Arguments[0], true)
	if err != nil {
		return exec.Answer{}, err
	}
	name, rest := targets[0].Connection, c.Arguments[2:]
	word := strings.ToLower(c.Arguments[1])
	if word == "start" || word == "stop" || word == "collect" {
		if err := c.MayChange("mlxtool dbg nonrss-capture " + word); err != nil {
			return exec.Answer{}, err
		}
	}
	switch word {
	case "query":
		return captureState(c, name)
	case "start":
		o := hardware.StartCapture{Connection: name, Packets: capture.DefaultPackets, Bytes: capture.DefaultBytes}
		for i, size := range []*int{&o.Packets, &o.Bytes} {
			if i < len(rest) {
				if *size, err = strconv.Atoi(rest[i]); err != nil || *size < 1 {
					return exec.Answer{}, exec.Mistake("invalid size %q: start takes the number of packets in the buffer, and the bytes "+
						"kept of each", rest[i])
				}
			}
		}
		return c.ApplyOne(o)
	case "stop":
		return c.ApplyOne(hardware.StopCapture{Connection: name})
	case "collect":
		return collectCapture(c, name, rest)
	default:
		return exec.Answer{}, exec.Mistake("mlxtool dbg nonrss-capture does not support %q%s", word,
			exec.Suggest(word, []string{"query", "start", "stop", "collect"}, "it takes query, start, stop and collect"))
	}
}

// readCapture returns the capture of a connection, and its packets.
func readCapture(c *exec.Call, name string) (row captureRow, packets []capture.Packet, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		lab := h.Lab()
		for port := range lab.Ports() {
			if d, _, _ := lab.Port(port); d.Connection == name {
				row = captureRow{name, lab.PacketCapture(port)}
				packets = lab.CapturedPackets(port)
			}
		}
		return nil
	})
	return row, packets, err
}

// captureState answers query. The manual does not show its output.
func captureState(c *exec.Call, name string) (exec.Answer, error) {
	row, _, err := readCapture(c, name)
	return exec.Answer{
		Result: struct {
			Capture captureRow `json:"capture"`
		}{row},
		Text: func(w io.Writer) error {
			text := "stopped"
			if row.On {
				text = fmt.Sprintf("capturing %d bytes of each packet in a buffer of %d packets: %d in it, %d replaced",
					row.Bytes, row.Packets, row.Held, row.Lost)
			}
			_, err := fmt.Fprintf(w, "%s: %s.\n", exec.Clean(name), text)
			return err
		},
	}, err
}

// collectCapture writes the captured packets to a file, and empties the buffer.
func collectCapture(c *exec.Call, name string, rest []string) (exec.Answer, error) {
	path := captureFile
	if len(rest) > 0 {
		path = rest[0]
	}
	if len(rest) > 1 && rest[1] != "0" {
		return exec.Answer{}, exec.Mistake("there is no VPort %q: the lab's driver has only VPort 0",
			rest[1])
	}
	row, packets, err := readCapture(c, name)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case !row.On:
		return exec.Answer{}, fmt.Errorf("%s captures no packets; start the capture first", name)
	case c.Runner.Files == nil:
		return exec.Answer{}, exec.ErrNoFiles
	}
	err = c.Runner.Files.Write([]script.File{{Path: path, Data: packetFile(packets, row.Bytes)}}, false)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exec.Answer{}, fmt.Errorf("the file %s exists already; choose another name", path)
	case err != nil:
		return exec.Answer{}, fmt.Errorf("can't write %s: %w", path, exec.FailureReason(err))
	}
	entry, err := c.Do(driver.Plan{
		Title:      fmt.Sprintf("Collect the captured packets of %s", name),
		Operations: []driver.Operation{hardware.EmptyCapture{Connection: name}},
	})
	return exec.Answer{
		Result: struct {
			Change  exec.EntryRow `json:"change"`
			Capture captureRow    `json:"capture"`
			File    string        `json:"file"`
		}{entry, row, path},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s: %d packets are in %s, and the buffer is empty.\n", exec.Clean(name), len(packets),
				exec.Clean(path))
			return err
		},
	}, err
}

// packetFile encodes Ethernet packets in the format of libpcap, version 2.4, with times in microseconds. snapLength is the
// maximum number of bytes kept of a packet.
func packetFile(packets []capture.Packet, snapLength int) []byte {
	const magic, ethernet = 0xa1b2c3d4, 1
	order := binary.LittleEndian
	b := order.AppendUint32(nil, magic)
	b = order.AppendUint16(order.AppendUint16(b, 2), 4)
	b = order.AppendUint64(b, 0) // times are UTC
	b = order.AppendUint32(order.AppendUint32(b, uint32(snapLength)), ethernet)
	for _, p := range packets {
		b = order.AppendUint32(b, uint32(min(max(p.Time.Unix(), 0), math.MaxUint32)))
		b = order.AppendUint32(b, uint32(p.Time.Nanosecond()/1000))
		b = order.AppendUint32(order.AppendUint32(b, uint32(len(p.Data))), uint32(p.Length))
		b = append(b, p.Data...)
	}
	return b
}
