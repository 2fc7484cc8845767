package windows

import (
	_ "embed"
	"io"
	"strconv"
	"strings"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var windowsTexts string

// Family returns the programs of Windows.
func Family() *exec.Family {
	return &exec.Family{
		Texts: windowsTexts,
		Tools: true,
		Commands: []exec.Command{
			{Name: "netstat", Min: 1, Max: 3, Run: netstat},
			{Name: "ipconfig", Max: 1, Run: ipconfig},
			{Name: "logman query", Max: 3, Run: logmanQuery},
			{Name: "logman stop", Max: 3, Changes: true, Run: logmanStop},
			{Name: "logman start", Max: 8, Changes: true, Run: logmanStart},
			{Name: "typeperf", Min: 1, Max: exec.Any, Run: typeperf},
			{Name: "wevtutil el", Max: 0, NoHost: true, Run: wevtutilLogs},
			{Name: "wevtutil qe", Min: 1, Max: 8, Run: wevtutilQuery},
			{Name: "devmgmt.msc", Run: deviceManager},
			{Name: "eventvwr", Run: eventViewer},
			{Name: "gpedit.msc", Run: groupPolicy},
			{Name: "sc create", Min: 1, Max: 32, Changes: true, Run: scCreate},
			{Name: "sc config", Min: 1, Max: 32, Changes: true, Run: scConfig},
			{Name: "sc description", Min: 1, Max: 2, Changes: true, Run: scDescription},
			{Name: "sc start", Min: 1, Max: 1, Changes: true, Run: scStart},
			{Name: "sc stop", Min: 1, Max: 1, Changes: true, Run: scStop},
			{Name: "sc delete", Min: 1, Max: 1, Changes: true, Run: scDelete},
			{Name: "sc query", Max: 8, Run: scQuery},
			{Name: "sc qc", Min: 1, Max: 1, Run: scQueryConfig},
			{Name: "tasklist", Max: 4, Run: taskList},
			{Name: "taskkill", Min: 1, Max: 8, Changes: true, Run: taskKill},
			{Name: "del", Min: 1, Max: 4, Changes: true, Run: deleteFiles},
			{Name: "echo", Min: 1, Max: exec.Any, Run: echo},
			{Name: "set", Max: exec.Any, NoHost: true, Run: setVariable},
		},
	}
}

// netstat implements netstat -xan: the NetworkDirect connections, listeners and shared endpoints.
func netstat(c *exec.Call) (exec.Answer, error) {
	options := ""
	for _, word := range c.Arguments {
		letters, ok := strings.CutPrefix(strings.ToLower(word), "-")
		if !ok {
			letters, ok = strings.CutPrefix(strings.ToLower(word), "/")
		}
		if !ok || letters == "" || strings.Trim(letters, "xan") != "" {
			return exec.Answer{}, exec.Mistake("netstat takes -x with -a and -n, as in netstat -xan, not %q", word)
		}
		options += letters
	}
	if !strings.Contains(options, "x") {
		return exec.Answer{}, exec.Mistake("netstat requires -x here: the lab lists the connections of NetworkDirect, as netstat -xan does")
	}
	list, err := c.NetDirect()
	if err != nil {
		return exec.Answer{}, err
	}
	if !strings.Contains(options, "a") {
		list = exec.OnlyConnections(list)
	}
	return exec.Answer{
		Result: struct {
			Connections []exec.NetDirect `json:"connections"`
		}{list},
		Text: func(w io.Writer) error {
			if _, err := io.WriteString(w, "\nActive NetworkDirect Connections, Listeners, SharedEndpoints\n\n"); err != nil {
				return err
			}
			t := exec.NewTextTable(w, "  Mode", "IfIndex", "Type", "Local Address", "Foreign Address", "PID")
			for i := range list {
				n := &list[i]
				mode, kind, foreign := "  User", "Connection", n.Foreign.String()
				if n.Kernel {
					mode = "  Kernel"
				}
				if n.Listener {
					kind, foreign = "Listener", "NA"
				}
				t.Row(mode, strconv.Itoa(n.Index), kind, n.Local.String(), foreign, strconv.Itoa(n.PID))
			}
			return t.Flush()
		},
	}, nil
}
