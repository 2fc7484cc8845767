package host

import (
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/views/exec"
)

// startupShow lists the startup script, with the lines that failed at the last boot.
func startupShow(c *exec.Call) (exec.Answer, error) {
	var script qos.Startup
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if s := h.QoS().Startup; s != nil {
			script = *s
		}
		return nil
	})
	lines := script.Lines
	if len(lines) == 0 {
		lines = []string{"There is no startup script; startup set FILE or startup add LINE adds one."}
	}
	for _, failed := range script.Failed {
		lines = append(lines[:len(lines):len(lines)], "# failed at the last boot: "+failed)
	}
	return exec.PrintLines(lines, struct {
		Lines  []string `json:"lines"`
		Failed []string `json:"failed,omitempty"`
	}{append([]string{}, script.Lines...), script.Failed}), err
}

// maxStartupFile is the maximum size of the file of a startup script in bytes.
const maxStartupFile = 64 << 10

// startupSet reads the startup script from a file.
func startupSet(c *exec.Call) (exec.Answer, error) {
	data, err := c.Read(c.Arguments[0], maxStartupFile)
	if err != nil {
		return exec.Answer{}, err
	}
	lines := []string{}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return exec.Answer{}, exec.Mistake("%s has no lines; startup remove removes the script", c.Arguments[0])
	}
	return c.ApplyOne(qos.SetStartup{Lines: lines})
}

// startupAdd adds lines to the end of the startup script, except for lines that it has already.
func startupAdd(c *exec.Call) (exec.Answer, error) {
	var lines []string
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if s := h.QoS().Startup; s != nil {
			lines = slices.Clone(s.Lines)
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	for _, line := range c.Arguments {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			return exec.Answer{}, exec.Mistake("a line of the startup script is empty")
		case !slices.Contains(lines, line):
			lines = append(lines, line)
		}
	}
	return c.ApplyOne(qos.SetStartup{Lines: lines})
}

func startupRemove(c *exec.Call) (exec.Answer, error) { return c.ApplyOne(qos.SetStartup{}) }
