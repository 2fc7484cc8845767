package winof

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/opensm"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// openSMHelp implements opensm -h.
func openSMHelp(*exec.Call) (exec.Answer, error) {
	return exec.PrintLines(opensm.Usage(), struct {
		Usage []string `json:"usage"`
	}{opensm.Usage()}), nil
}

// openSM implements opensm: it starts the subnet manager by hand, which goes on in the lab. A real one keeps its console until Ctrl+C.
func openSM(c *exec.Call) (exec.Answer, error) {
	o, err := opensm.Parse(c.Arguments)
	switch {
	case err != nil:
		return exec.Answer{}, &exec.MistakeError{Text: err.Error()}
	case o.Help:
		return openSMHelp(c)
	case o.Version:
		return exec.PrintLines([]string{"OpenSM " + opensm.Version}, struct {
			Version string `json:"version"`
		}{opensm.Version}), nil
	}
	if o.Asks {
		var lines []string
		err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
			lines = h.OpenSM().GUIDs()
			return nil
		})
		return exec.PrintLines(append(lines, "Give the GUID of one of them: opensm -g GUID"), struct {
			Ports []string `json:"ports"`
		}{lines[1:]}), err
	}
	start := opensm.Start{Arguments: c.Arguments}
	entry, err := c.Do(driver.Plan{Title: wording.UpperFirst(start.Describe()), Operations: []driver.Operation{start}})
	if err != nil {
		return exec.Answer{}, err
	}
	var started opensm.View
	running := 0
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		list := h.OpenSM().Views()
		if running = len(list); running > 0 {
			started = list[running-1]
		}
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	lines := []string{"OpenSM " + opensm.Version, fmt.Sprintf(" Priority = %d", started.Priority)}
	if started.Log != "" {
		lines = append(lines, " Log File: "+started.Log)
	}
	if started.Connection == "" {
		lines = append(lines, "No port has a link: it waits for one")
	} else {
		lines = append(lines, fmt.Sprintf("Using port GUID 0x%016x", uint64(started.GUID)), "Entering DISCOVERING state")
	}
	c.Note(fmt.Sprintf("it runs on in the lab as process %d; taskkill /pid %[1]d /f ends it", started.PID))
	if running > opensm.MaxAdvised {
		c.Note(fmt.Sprintf("%d instances run, and a subnet should have at most %d", running, opensm.MaxAdvised))
	}
	for _, name := range o.Unused {
		c.Note(fmt.Sprintf("%s has no effect in the lab", name))
	}
	if started.Missing != "" {
		c.Note(started.Missing)
	}
	if o.Verbose > 0 {
		c.Note("-v fills the disk: leave it out for long runs")
	}
	return exec.PrintLines(lines, struct {
		Change exec.EntryRow `json:"change"`
		PID    int           `json:"pid"`
		Port   string        `json:"connection"`
		Log    string        `json:"log"`
	}{entry, started.PID, started.Connection, started.Log}), nil
}
