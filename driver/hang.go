package driver

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/dump"
	"cxdeck/driver/health"
	"cxdeck/driver/registry"
)

// sendHang is the sensor for send queues without progress. WinOF-2 has no keys for it; the lab uses the same time.
const sendHang = health.HardwareSend

// watchHang starts or stops the timer of a port whose send queues make no progress.
func (h *Host) watchHang(port int, hangs bool) {
	m := &h.miniports[port]
	m.hang = 0
	if !hangs {
		return
	}
	seconds, checks := uint32(health.DefaultInterval), uint32(health.DefaultChecks)
	if n, ok := h.number(port, "SHCheckForHangTimeInSeconds", registry.Miniport); ok {
		seconds = n
	}
	if n, ok := h.number(port, "CheckForHangCQMaxNoProgress", registry.Miniport); ok {
		checks = n
	}
	m.hang = h.lab.Elapsed() + health.StuckAfter(sendHang, int64(seconds), int64(checks))
}

// handleHang does what the driver does when the send queues of a port made no progress for too long: it writes an event and
// restarts the port, unless the registry forbids it.
func (h *Host) handleHang(port int) {
	h.miniports[port].hang = 0
	d, a, index := h.lab.Port(port)
	now := h.lab.Elapsed()
	if h.family(port) == description.WinOF {
		h.note(now, port, "mlx4.sh-hw-send-stall", d.Device)
		if mask, ok := h.number(port, "SHSensorsDumpMask", registry.Miniport); ok && health.Dumps(sendHang, mask) {
			_, _ = h.dumpSet().DumpNow(port, dump.SelfHealing) // an event of the log has the reason when there is none
		}
		if mask, ok := h.number(port, "SHMPResetActiveSensorsMask", registry.Miniport); ok && !health.Resets(sendHang, mask, false, true) {
			return
		}
		h.stop(port, Restarting, stopTime+startTime)
		h.note(now, port, "mlx4.eth-reset")
		return
	}
	name := h.lab.Description().Adapters[a].Name
	h.note(now, port, "mlx5.tx-timeout", name, "0", fmt.Sprint(index))
	h.dumpSet().DumpState(port, dump.SendQueueStuck)
	h.note(now, port, "mlx5.reset-by-miniport", name)
	h.stop(port, Restarting, stopTime+startTime)
}
