package driver

import (
	"fmt"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
)

// The sensor for send queues without progress (WinOF manual, "State Dumping", "Check for hang"): its bit in the mask of sensors
// that may restart the miniport, and how long a send may take by default: the interval of the check times the number of checks
// without progress. WinOF-2 has no keys for it; the lab uses the same time.
const (
	sendHangBit   = 0x8
	checkSeconds  = 4
	maxIdleChecks = 4
)

// watchHang starts or stops the timer of a port whose send queues make no progress.
func (h *Host) watchHang(port int, hangs bool) {
	m := &h.miniports[port]
	m.hang = 0
	if !hangs {
		return
	}
	seconds, checks := uint32(checkSeconds), uint32(maxIdleChecks)
	if n, ok := h.number(port, "SHCheckForHangTimeInSeconds", registry.Miniport); ok {
		seconds = min(n, maxCheck)
	}
	if n, ok := h.number(port, "CheckForHangCQMaxNoProgress", registry.Miniport); ok {
		checks = min(n, maxCheck)
	}
	m.hang = h.lab.Elapsed() + time.Duration(seconds)*time.Duration(checks)*time.Second
}

// maxCheck bounds both the interval, in seconds, and the number of checks.
const maxCheck = 10_000

// handleHang does what the driver does when the send queues of a port made no progress for too long: it writes an event and
// restarts the port, unless the registry forbids it.
func (h *Host) handleHang(port int) {
	h.miniports[port].hang = 0
	d, a, index := h.lab.Port(port)
	now := h.lab.Elapsed()
	if h.family(port) == description.WinOF {
		h.note(now, port, "mlx4.sh-hw-send-stall", d.Device)
		if mask, ok := h.number(port, "SHSensorsDumpMask", registry.Miniport); ok && mask&sendHangBit != 0 {
			h.note(now, port, "mlx4.dmn-created", d.Device, h.dumpFolder(port))
		}
		if mask, ok := h.number(port, "SHMPResetActiveSensorsMask", registry.Miniport); ok && mask&sendHangBit == 0 {
			return
		}
		h.stop(port, Restarting, stopTime+startTime)
		h.note(now, port, "mlx4.eth-reset")
		return
	}
	name := h.lab.Description().Adapters[a].Name
	h.note(now, port, "mlx5.tx-timeout", name, "0", fmt.Sprint(index))
	h.note(now, port, "mlx5.reset-by-miniport", name)
	h.stop(port, Restarting, stopTime+startTime)
}

// dumpFolder returns the folder of a new dump, named after the time, under DumpMeNowDirectory.
func (h *Host) dumpFolder(port int) string {
	root := ""
	if r, ok := h.catalogue(port).Find("DumpMeNowDirectory", registry.BusDriver); ok {
		root = h.miniports[port].effective.Reading(r).Value.String()
	}
	return strings.TrimRight(root, `\`) + `\` + h.lab.Now().UTC().Format("20060102-150405")
}
