// Package windowslog shows the events of a host by the logs of Windows that have them, with events about connections of SMB that no driver
// writes.
package windowslog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/power"
	"cxdeck/driver/stack"
)

// The log of the SMB client, and its events about connections (Windows).
const (
	smbClientLog    = "Microsoft-Windows-SMBClient/Operational"
	smbClientSource = "Microsoft-Windows-SMBClient"

	smbFailed, smbDisconnected, smbEstablished = 30803, 30804, 30806
)

// connectTime is the time that the workloads of a new lab have to connect.
const connectTime = time.Second

// Names returns the logs of the host: the channels of the catalogue, and the log of the SMB client.
func Names() []string {
	list := []string{smbClientLog}
	rows := eventlog.Catalogue().Rows
	for i := range rows {
		if c := rows[i].Channel; (c == "System" || strings.Contains(c, "/")) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	slices.Sort(list)
	return list
}

// Events returns the events of a log of the host, oldest first.
func Events(h *driver.Host, log string) (list []eventlog.Event) {
	if log == smbClientLog {
		list = smbEvents(h, h.Stack())
		slices.SortStableFunc(list, func(a, b eventlog.Event) int { return a.Time.Compare(b.Time) })
		for i := range list {
			list[i].Sequence = uint64(i + 1)
		}
		return list
	}
	for _, e := range h.EventsAfter(0) {
		if e.Channel == log {
			list = append(list, e)
		}
	}
	if records := h.Power().Records; log == "System" && len(records) > 0 {
		for _, record := range records {
			list = append(list, powerEvent(h, record))
		}
		slices.SortStableFunc(list, func(a, b eventlog.Event) int { return a.Time.Compare(b.Time) })
		for i := range list {
			list[i].Sequence = uint64(i + 1)
		}
	}
	return list
}

// powerEvent returns the event of Windows about a change of the power state.
func powerEvent(h *driver.Host, record power.Record) eventlog.Event {
	e := eventlog.Event{Time: record.Time.UTC(), Channel: "System", Severity: eventlog.Information}
	switch {
	case record.To == power.Off:
		e.ID, e.Source, e.Message = 1074, "User32", "The process shutdown.exe has initiated the power off of the computer. Shutdown type: power off."
	case record.To != power.Running:
		e.ID, e.Source, e.Message = 42, "Microsoft-Windows-Kernel-Power", "The system is entering sleep. Sleep reason: Application API."
	case record.From == power.Off:
		e.ID, e.Source, e.Message = 6005, "EventLog", "The event log service was started."
	default:
		source := "Power button"
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Connection == record.Source {
				source, e.Adapter = "Device - "+d.Device, d.Connection
			}
		}
		e.ID, e.Source = 1, "Microsoft-Windows-Power-Troubleshooter"
		e.Message = "The system has returned from a low power state. Wake source: " + source + "."
	}
	return e
}

// smbEvents returns the events of the SMB client about the connections of SMB Direct workloads. The lab keeps no log of SMB: connections
// are lost and established with the links of their adapters, and a client that can't use RDMA tries it again and again, so that the
// newest attempt is now.
func smbEvents(h *driver.Host, s stack.Set) (rows []eventlog.Event) {
	flows, list := h.Lab().Flows(), h.Lab().Description().Flows
	log := h.EventsAfter(0)
	for i := range list {
		d, f := &list[i], &flows[i]
		if d.Protocol != description.RDMA || !d.Application.SMB() {
			continue
		}
		port, _, _ := h.Lab().Port(f.Port)
		about := fmt.Sprintf(`Server name: \\%s, client address: %s, interface: %s, connection type: `, d.Peer, d.Local, port.Connection)
		for _, e := range log {
			switch {
			case e.Adapter != port.Connection:
			case strings.HasSuffix(e.Key, "link-up"):
				rows = append(rows, smbEvent(e.Time, smbEstablished, eventlog.Information, port.Connection,
					"The client established its session to the server. "+about+"Rdma"))
			case strings.HasSuffix(e.Key, "link-down"):
				rows = append(rows, smbEvent(e.Time, smbDisconnected, eventlog.Warning, port.Connection,
					"A network connection was disconnected. "+about+"Rdma"))
			}
		}
		why := s.WhyNoRDMA(f.Port)
		if why == "" && f.Protocol != description.RDMA {
			why = "the two ends have no common mode of RoCE"
		}
		if why == "" && h.Lab().State(f.Port).Up && h.Lab().Elapsed() > connectTime && f.SendDemand+f.ReceiveDemand > 0 && f.ReceiveRate+f.SendRate == 0 {
			why = "the RDMA adapter connects to no server"
		}
		if why != "" {
			rows = append(rows, smbEvent(h.Now(), smbFailed, eventlog.Error, port.Connection,
				"Failed to establish a network connection. "+about+"Rdma. Reason: "+why+"."))
		}
	}
	return rows
}

func smbEvent(at time.Time, id int, severity eventlog.Severity, connection, message string) eventlog.Event {
	return eventlog.Event{Time: at.UTC(), ID: id, Source: smbClientSource, Channel: smbClientLog, Severity: severity, Adapter: connection, Message: message}
}
