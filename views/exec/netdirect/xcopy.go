package netdirect

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/measurement"
	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// The folder that the lab can copy (ours): its files with and without the folders below it.
const (
	windowsFolder   = `c:\windows`
	windowsBytes    = 12 << 30
	windowsFiles    = 97_418
	windowsTop      = 9 << 20
	windowsTopFiles = 28
)

// SMB: its port, the connections of multichannel over TCP to a connection with RSS, the length of a transfer, and the time after which a copy is ended.
const (
	smbPort         = 445
	smbConnections  = 4
	smbTransfer     = 1 << 20
	copyPatience    = 120 * time.Second
	copyInterval    = 200 * time.Millisecond
	copySecondsMost = 3600
)

// copyReport is the result of xcopy as JSON.
type copyReport struct {
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Connection  string   `json:"connection"`
	Files       int      `json:"files"`
	Bytes       int64    `json:"bytes"`
	Seconds     float64  `json:"seconds"`
	Bits        float64  `json:"bits_per_second"`
	Direct      bool     `json:"smb_direct"`
	Streams     int      `json:"tcp_connections"`
	Why         string   `json:"why_not_smb_direct,omitempty"`
	Priority    *int     `json:"priority,omitempty"`
	switches    []string // of xcopy, in lower case
	address     netip.Addr
}

// xcopy copies C:\Windows to a share of a peer: traffic of SMB Direct, or of TCP where SMB Direct is not possible.
func xcopy(c *exec.Call) (exec.Answer, error) {
	r, err := readCopy(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	var e ends
	start := stack.StartTest{Tool: "xcopy", Verb: measurement.Write, Sizes: []int{smbTransfer}, Seconds: copySecondsMost, Kernel: true}
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if e, err = locate(h, r.address); err != nil {
			return fmt.Errorf("the network path was not found: %w", err)
		}
		if e.loopback() {
			return request.Errorf("%s is an address of this host: copy to a peer, so that the files go over the network", r.address)
		}
		r.transport(h, &e, &start)
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	start.Connection, start.Local, start.Peer, start.Priority, start.DSCP = e.connection, e.local, e.peer, e.priority, e.dscp
	if err := r.copy(c, &start); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines(r.lines(), r), nil
}

// readCopy reads the arguments of xcopy.
func readCopy(words []string) (*copyReport, error) {
	r := &copyReport{}
	var paths []string
	for _, word := range words {
		switch option := strings.ToLower(word); {
		case !strings.HasPrefix(word, "/"):
			paths = append(paths, word)
		case slices.Contains([]string{"/s", "/e", "/y", "/i", "/q", "/h", "/r", "/k"}, option):
			r.switches = append(r.switches, option)
		default:
			return nil, exec.Mistake("xcopy takes /s, /e, /y, /i, /q, /h, /r and /k here, not %q", word)
		}
	}
	if len(paths) != 2 {
		return nil, exec.Mistake(`xcopy requires a folder and a share: xcopy /s c:\Windows \\10.7.0.21\share`)
	}
	r.Source, r.Destination = paths[0], paths[1]
	if !strings.EqualFold(strings.TrimSuffix(r.Source, `\`), windowsFolder) {
		return nil, request.Errorf(`File not found - %s; the lab has c:\Windows to copy`, r.Source)
	}
	server, share, _ := strings.Cut(strings.TrimLeft(r.Destination, `\`), `\`)
	if !strings.HasPrefix(r.Destination, `\\`) || share == "" || strings.HasPrefix(r.Destination, `\\\`) {
		return nil, exec.Mistake(`%s is not a share: \\10.7.0.21\share`, r.Destination)
	}
	address, err := readAddress(server)
	r.address, r.Files, r.Bytes = address, windowsTopFiles, windowsTop
	for _, option := range r.switches {
		if option == "/s" || option == "/e" {
			r.Files, r.Bytes = windowsFiles, windowsBytes
		}
	}
	return r, err
}

// transport chooses SMB Direct, or TCP with the connections of multichannel.
func (r *copyReport) transport(h *driver.Host, e *ends, start *stack.StartTest) {
	set := h.Stack()
	r.Connection = e.connection
	if r.Why = set.WhyNoSMBDirect(e.port, e.local); r.Why == "" {
		r.Direct = true
		e.priority, e.dscp = h.Classify(e.port, qos.Program{Name: "System", NetDirectPort: smbPort})
	} else {
		r.Streams = smbConnections
		if set.Client.NoMultichannel || set.Server.NoMultichannel {
			r.Streams = 1
		}
		start.Sockets, start.Streams, start.Verb = true, r.Streams, measurement.Send
		e.priority, e.dscp = h.Classify(e.port, qos.Program{Name: "System", PeerPort: smbPort})
	}
	if d, _, _ := h.Lab().Port(e.port); e.priority >= 0 && d.Link == description.Ethernet {
		r.Priority = &e.priority
	}
}

// copy runs the traffic until all bytes have arrived.
func (r *copyReport) copy(c *exec.Call, start *stack.StartTest) error {
	plan := driver.Plan{Title: fmt.Sprintf("Copy %s to %s", r.Source, r.Destination), Operations: []driver.Operation{*start}}
	if _, err := c.Host.Apply(c.Ctx, plan); err != nil {
		return err
	}
	arrived, waited := int64(0), error(nil)
	var passed time.Duration
	for arrived < r.Bytes && passed < copyPatience && waited == nil {
		if waited = exec.Wait(c.Ctx, c.Host, copyInterval); waited != nil {
			break
		}
		passed += copyInterval
		waited = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
			test, _ := h.Lab().Test(stack.TestName(start.Tool, start.Connection))
			if len(test.Results) > 0 {
				arrived = int64(test.Results[0].Messages * smbTransfer)
			}
			return nil
		})
	}
	_, ended := c.Host.Apply(context.WithoutCancel(c.Ctx), driver.Plan{Title: "End the copy of " + r.Source,
		Operations: []driver.Operation{stack.EndTest{Tool: start.Tool, Connection: start.Connection}}})
	if err := errors.Join(waited, ended); err != nil {
		return err
	}
	if r.Seconds = passed.Seconds(); arrived < r.Bytes {
		return request.Errorf("after %.0f s only %d of %d MB had arrived: the path is too slow or broken", r.Seconds, arrived>>20, r.Bytes>>20)
	}
	r.Seconds *= float64(r.Bytes) / float64(arrived) // the last bytes arrived before the look
	r.Bits = float64(r.Bytes) * 8 / r.Seconds
	return nil
}

func (r *copyReport) lines() []string {
	how := "by SMB Direct"
	if !r.Direct {
		how = fmt.Sprintf("by TCP with %d connections, without SMB Direct: %s", r.Streams, r.Why)
		if r.Streams == 1 {
			how = "by TCP with one connection, without SMB Direct: " + r.Why
		}
	}
	return []string{fmt.Sprintf("%d File(s) copied", r.Files), fmt.Sprintf("%d MB in %.2f s, %.1f Gb/s, from %s %s.", r.Bytes>>20, r.Seconds, r.Bits/1e9, r.Connection, how)}
}
