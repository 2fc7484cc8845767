package driver

import (
	"errors"
	"fmt"

	"cxdeck/device/capture"
	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// StartCapture captures received packets that are not hashed, in a buffer in which new packets replace the oldest. A
// running capture restarts with an empty buffer.
type StartCapture struct {
	Connection string `json:"connection"`
	// Packets is how many the buffer holds, Bytes how many bytes it keeps of each.
	Packets int `json:"packets"`
	Bytes   int `json:"bytes"`
}

// StopCapture ends that. What was not collected is gone.
type StopCapture struct {
	Connection string `json:"connection"`
}

// EmptyCapture empties the buffer, as collecting its packets does. Nothing brings them back.
type EmptyCapture struct {
	Connection string `json:"connection"`
}

func (StartCapture) Kind() string { return "start-capture" }
func (StopCapture) Kind() string  { return "stop-capture" }
func (EmptyCapture) Kind() string { return "empty-capture" }

func (o StartCapture) Target() string { return o.Connection }
func (o StopCapture) Target() string  { return o.Connection }
func (o EmptyCapture) Target() string { return o.Connection }

func (o StartCapture) Describe() string {
	return fmt.Sprintf("capture the newest %d unhashed packets of %s, %d bytes of each", o.Packets, o.Connection, o.Bytes)
}

func (o StopCapture) Describe() string { return "stop the capture of packets of " + o.Connection }

func (o EmptyCapture) Describe() string { return "empty the capture buffer of " + o.Connection }

const captureTool = "mlxtool.exe dbg nonrss-capture %s %s"

// Commands returns the command of the vendor's tool for it.
func (o StartCapture) Commands() []string {
	return []string{fmt.Sprintf(captureTool, cmdlet.Quote(o.Connection), fmt.Sprintf("start %d %d", o.Packets, o.Bytes))}
}

// Commands returns the command of the vendor's tool for it.
func (o StopCapture) Commands() []string {
	return []string{fmt.Sprintf(captureTool, cmdlet.Quote(o.Connection), "stop")}
}

// Commands returns the command of the vendor's tool for it.
func (o EmptyCapture) Commands() []string {
	return []string{fmt.Sprintf(captureTool, cmdlet.Quote(o.Connection), "collect")}
}

var errNoCapture = errors.New("it captures no packets; start the capture first")

// capturing returns how the capture of a connection is whose driver can capture.
func (h *Host) capturing(connection string) (now capture.Status, err error) {
	port, err := h.port(connection)
	switch {
	case err != nil:
	case h.family(port) != description.WinOF:
		err = errors.New("its driver captures no packets; only the WinOF driver does")
	case h.miniports[port].state != Running:
		err = request.ErrNotRunning
	default:
		now = h.lab.PacketCapture(port)
	}
	return now, err
}

func (o StartCapture) inverse(h *Host) (Operation, error) {
	now, err := h.capturing(o.Connection)
	switch {
	case err != nil:
		return nil, err
	case now.On:
		return StartCapture{o.Connection, now.Packets, now.Bytes}, nil
	}
	return StopCapture{o.Connection}, nil
}

func (o StartCapture) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	return h.lab.StartCapture(port, o.Packets, o.Bytes)
}

func (o StopCapture) inverse(h *Host) (Operation, error) {
	now, err := h.capturing(o.Connection)
	if err == nil && !now.On {
		err = request.Unchanged("it captures no packets")
	}
	return StartCapture{o.Connection, now.Packets, now.Bytes}, err
}

func (o StopCapture) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	return h.lab.StopCapture(port)
}

// inverse is nothing: what was in the buffer is gone.
func (o EmptyCapture) inverse(h *Host) (Operation, error) {
	now, err := h.capturing(o.Connection)
	if err == nil && !now.On {
		err = errNoCapture
	}
	return nil, err
}

func (o EmptyCapture) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	return h.lab.EmptyCapture(port)
}
