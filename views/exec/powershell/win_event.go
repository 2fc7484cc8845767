package powershell

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/qos"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
)

// The log of the SMB client, and its events about connections (Windows).
const (
	smbClientLog    = "Microsoft-Windows-SMBClient/Operational"
	smbClientSource = "Microsoft-Windows-SMBClient"

	smbFailed, smbDisconnected, smbEstablished = 30803, 30804, 30806
)

// connectTime is the time that the workloads of a new lab have to connect.
const connectTime = time.Second

// winEventRow is an event as JSON.
type winEventRow struct {
	Time    time.Time `json:"time_created"`
	ID      int       `json:"id"`
	Level   string    `json:"level"`
	Source  string    `json:"provider_name"`
	Message string    `json:"message"`
}

var winLevels = map[eventlog.Severity]string{eventlog.Information: "Information", eventlog.Warning: "Warning", eventlog.Error: "Error"}

// winLogs returns the logs of the host: the channels of the catalogue, and the log of the SMB client.
func winLogs() []string {
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

// getWinEvent implements Get-WinEvent -LogName: the newest event first.
func getWinEvent(p *invocation) (exec.Answer, error) {
	if _, err := p.required("LogName", "the name of a log: "+strings.Join(winLogs(), ", ")); err != nil {
		return exec.Answer{}, err
	}
	log, err := chooseWord(p.command, "LogName", p.values["LogName"], winLogs())
	if err != nil {
		return exec.Answer{}, err
	}
	limit := exec.MaxRows
	if p.hasParameter("MaxEvents") {
		if limit, err = exec.WholeNumber(p.value("MaxEvents"), "-MaxEvents"); err != nil || limit < 1 {
			return exec.Answer{}, exec.Mistake("-MaxEvents of Get-WinEvent must be an integer from 1 on, not %q", p.value("MaxEvents"))
		}
	}
	rows := []winEventRow{}
	err = p.stackNow(func(h *driver.Host, s stack.Set) {
		if log == smbClientLog {
			rows = smbEvents(h, s)
			return
		}
		for _, e := range h.EventsAfter(0) {
			if e.Channel == log {
				rows = append(rows, winEventRow{e.Time.UTC(), e.ID, winLevels[e.Severity], e.Source, e.Message})
			}
		}
	})
	slices.SortStableFunc(rows, func(a, b winEventRow) int { return b.Time.Compare(a.Time) })
	rows = rows[:min(len(rows), limit)]
	return exec.Answer{
		Result: struct {
			Events []winEventRow `json:"events"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No events were found that match the specified selection criteria.")
				return err
			}
			t := exec.NewTextTable(w, "TimeCreated", "Id", "LevelDisplayName", "ProviderName", "Message")
			t.Row("-----------", "--", "----------------", "------------", "-------")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Time.Format(time.DateTime), strconv.Itoa(r.ID), r.Level, r.Source, r.Message)
			}
			return t.Flush()
		},
	}, err
}

// smbEvents returns the events of the SMB client about the connections of SMB Direct workloads. The lab keeps no log of SMB: connections
// are lost and established with the links of their adapters, and a client that can't use RDMA tries it again and again, so that the
// newest attempt is now.
func smbEvents(h *driver.Host, s stack.Set) (rows []winEventRow) {
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
				rows = append(rows, winEventRow{e.Time.UTC(), smbEstablished, winLevels[eventlog.Information], smbClientSource,
					"The client established its session to the server. " + about + "Rdma"})
			case strings.HasSuffix(e.Key, "link-down"):
				rows = append(rows, winEventRow{e.Time.UTC(), smbDisconnected, winLevels[eventlog.Warning], smbClientSource,
					"A network connection was disconnected. " + about + "Rdma"})
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
			rows = append(rows, winEventRow{h.Now().UTC(), smbFailed, winLevels[eventlog.Error], smbClientSource,
				"Failed to establish a network connection. " + about + "Rdma. Reason: " + why + "."})
		}
	}
	return rows
}

// featureRow is a feature of Windows as JSON.
type featureRow struct {
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	Installed   bool   `json:"installed"`
}

// getWindowsFeature implements Get-WindowsFeature for Data-Center-Bridging, the only feature of the lab.
func getWindowsFeature(p *invocation) (exec.Answer, error) {
	names, err := p.namesMatching([]string{qos.FeatureName}, "feature", "Get-WindowsFeature")
	if err != nil {
		return exec.Answer{}, err
	}
	v, err := p.qos()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []featureRow{}
	for _, name := range names {
		rows = append(rows, featureRow{name, "Data Center Bridging", v.Installed})
	}
	return exec.Answer{
		Result: struct {
			Features []featureRow `json:"features"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Display Name", "Name", "Install State")
			t.Row("------------", "----", "-------------")
			for i := range rows {
				mark, state := "[ ] ", "Available"
				if rows[i].Installed {
					mark, state = "[X] ", "Installed"
				}
				t.Row(mark+rows[i].DisplayName, rows[i].Name, state)
			}
			return t.Flush()
		},
	}, nil
}
