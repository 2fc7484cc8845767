package driver

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health"
)

// EventsAfter returns the events with a sequence above after, oldest first. The log keeps the newest 10,000.
func (h *Host) EventsAfter(after uint64) []eventlog.Event {
	return h.events.After(after, eventlog.Kept)
}

// note writes an event of the catalogue about a port to the log.
func (h *Host) note(at time.Duration, port int, key string, values ...string) {
	row, ok := eventlog.Catalogue().Lookup(key)
	if !ok {
		panic("driver: no event " + key) // a test checks all keys in use
	}
	d, _, _ := h.lab.Port(port)
	h.events.Add(eventlog.Event{
		Time: h.lab.Now().Add(at - h.lab.Elapsed()), Key: row.Key, ID: row.ID, Source: row.Source, Channel: row.Channel,
		Severity: row.Severity, Adapter: d.Connection, Message: row.Fill(values...),
	})
}

// The events of a port's life for each driver family.
const (
	onLinkUp = iota
	onLinkDown
	onStarted
	onStopped
)

var lifeEvents = [...][4]string{
	description.WinOF:  {"mlx4.eth-link-up", "mlx4.eth-link-down", "mlx4.eth-started-mac", "mlx4.eth-stopped"},
	description.WinOF2: {"mlx5.link-up", "mlx5.link-down", "mlx5.identity", "mlx5.stopped"},
}

// logPortEvent writes an event in the life of a port to the log: onLinkUp, onStarted and so on.
func (h *Host) logPortEvent(at time.Duration, port, what int) {
	d, a, index := h.lab.Port(port)
	adapter := &h.lab.Description().Adapters[a]
	values := []string{d.Device}
	switch {
	case adapter.Family == description.WinOF && what == onStarted:
		values = append(values, h.mac(port).String())
	case adapter.Family == description.WinOF && what != onStopped:
		values = append(values, fmt.Sprint(index+1))
	case adapter.Family == description.WinOF2 && what == onStarted:
		values = append(values, identity(adapter, d.Link)...)
	}
	h.note(at, port, lifeEvents[adapter.Family][what], values...)
}

// logDropless writes that a port entered or left dropless mode.
func (h *Host) logDropless(at time.Duration, port int, what health.Dropless) {
	d, _, index := h.lab.Port(port)
	family, values := h.family(port), []string(nil)
	switch {
	case family == description.WinOF:
		values = []string{d.Device, fmt.Sprint(index + 1)}
	case what == health.DroplessExpired: // names the queue
		values = []string{"0"}
	}
	h.note(at, port, what.Event(family), values...)
}

// identity returns the values of the event in which the driver names its card and the protocol of the port.
func identity(a *description.Adapter, link description.LinkType) []string {
	protocol := "Ethernet"
	if link == description.InfiniBand {
		protocol = "InfiniBand"
	}
	firmware := append(strings.Split(a.Firmware, "."), "0", "0", "0")
	return append([]string{
		fmt.Sprintf("%04X", a.VendorID), fmt.Sprintf("%04X", a.DeviceID), fmt.Sprintf("%04X", a.SubvendorID),
		fmt.Sprintf("%04X", a.SubsystemID), fmt.Sprintf("%02X", a.Revision),
	}, append(firmware[:3:3], protocol)...)
}

// noteLinks logs the links that came up or went down.
func (h *Host) noteLinks() {
	changes := h.lab.TakeLinkChanges()
	if len(changes) > 0 {
		defer h.reallocateVirtual() // functions of a link that is down do not carry their adapters' traffic
	}
	for _, c := range changes {
		what := onLinkDown
		if c.Expired {
			h.logDropless(c.Elapsed, c.Port, health.DroplessExpired)
			continue
		}
		h.miniports[c.Port].lost = c.Elapsed
		if c.Up {
			what, h.miniports[c.Port].lost = onLinkUp, 0
		}
		h.logPortEvent(c.Elapsed, c.Port, what)
		h.dumpLink(c.Port, c.Up)
	}
}

// LinkUpSince returns the time of a connection's first link-up event since a moment; ok is false when there is none.
func (h *Host) LinkUpSince(connection string, moment time.Time) (up time.Time, ok bool) {
	for _, e := range h.EventsAfter(0) {
		if e.Adapter == connection && !e.Time.Before(moment) && slices.ContainsFunc(lifeEvents[:], func(keys [4]string) bool {
			return e.Key == keys[onLinkUp]
		}) {
			return e.Time, true
		}
	}
	return time.Time{}, false
}
