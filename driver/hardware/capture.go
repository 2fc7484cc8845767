package hardware

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
	// Packets is the number of packets that the buffer holds, Bytes the number of bytes that it keeps of each.
	Packets int `json:"packets"`
	Bytes   int `json:"bytes"`
}

// StopCapture stops the capture. Packets that were not collected are lost.
type StopCapture struct {
	Connection string `json:"connection"`
}

// EmptyCapture empties the buffer, as collecting its packets does. It can't be undone.
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

// Commands returns the mlxtool command.
func (o StartCapture) Commands() []string {
	return []string{fmt.Sprintf(captureTool, cmdlet.Quote(o.Connection), fmt.Sprintf("start %d %d", o.Packets, o.Bytes))}
}

// Commands returns the mlxtool command.
func (o StopCapture) Commands() []string {
	return []string{fmt.Sprintf(captureTool, cmdlet.Quote(o.Connection), "stop")}
}

// Commands returns the mlxtool command.
func (o EmptyCapture) Commands() []string {
	return []string{fmt.Sprintf(captureTool, cmdlet.Quote(o.Connection), "collect")}
}

var errNoCapture = errors.New("no capture is running; start one first")

// captureStatus returns the state of a connection's capture, or the reason why its driver can't capture now.
func captureStatus(h Host, connection string) (now capture.Status, err error) {
	port, err := h.Port(connection)
	switch {
	case err != nil:
	case h.Lab().Family(port) != description.WinOF:
		err = errors.New("its driver does not support it; only the WinOF driver does")
	case !h.Running(port):
		err = request.ErrNotRunning
	default:
		now = h.Lab().PacketCapture(port)
	}
	return now, err
}

func (o StartCapture) Inverse(h Host) (Operation, error) {
	now, err := captureStatus(h, o.Connection)
	switch {
	case err != nil:
		return nil, err
	case now.On:
		return StartCapture{o.Connection, now.Packets, now.Bytes}, nil
	}
	return StopCapture{o.Connection}, nil
}

func (o StartCapture) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	return h.Lab().StartCapture(port, o.Packets, o.Bytes)
}

func (o StopCapture) Inverse(h Host) (Operation, error) {
	now, err := captureStatus(h, o.Connection)
	if err == nil && !now.On {
		err = request.Unchanged("no capture is running")
	}
	return StartCapture{o.Connection, now.Packets, now.Bytes}, err
}

func (o StopCapture) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	return h.Lab().StopCapture(port)
}

// Inverse returns nil: the packets in the buffer are lost.
func (o EmptyCapture) Inverse(h Host) (Operation, error) {
	now, err := captureStatus(h, o.Connection)
	if err == nil && !now.On {
		err = errNoCapture
	}
	return nil, err
}

func (o EmptyCapture) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	return h.Lab().EmptyCapture(port)
}
