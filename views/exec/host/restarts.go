package host

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/dump"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/installer"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

func adapterReset(c *exec.Call, in *struct{ Card *driver.AdapterView }) (exec.Answer, error) {
	return c.ApplyOne(adapters.ResetCard{Adapter: in.Card.Description.Name})
}

func driverReload(c *exec.Call, view *driver.View) (exec.Answer, error) {
	var names []string
	for i := range view.Adapters {
		if name := view.Adapters[i].Driver; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	name := strings.ToLower(c.Arguments[0])
	if !slices.Contains(names, name) {
		return exec.Answer{}, exec.Mistake("the host runs no driver %q%s", c.Arguments[0],
			exec.Suggest(name, names, "it runs "+strings.Join(names, " and ")))
	}
	return c.ApplyOne(adapters.ReloadDriver{Driver: name})
}

func hostReboot(c *exec.Call, view *driver.View) (exec.Answer, error) {
	return c.ApplyOne(adapters.Reboot{Host: view.Name})
}

func managementSet(c *exec.Call, in *struct{ Name connectionOrNone }) (exec.Answer, error) {
	if in.Name != "" {
		return c.ApplyOne(adapters.MarkManagement{Connection: string(in.Name), Carries: true})
	}
	var marked string
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		marked = h.Management()
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if marked == "" {
		return exec.Answer{}, &request.UnchangedError{Why: "no connection is marked as carrying your session"}
	}
	return c.ApplyOne(adapters.MarkManagement{Connection: marked})
}

func droplessSet(c *exec.Call, in *struct {
	Name string `is:"connection"`
	On   bool   `is:"dropless mode"`
}) (exec.Answer, error) {
	return c.ApplyOne(hardware.SetDropless{Connection: in.Name, On: in.On})
}

func statisticsReset(c *exec.Call, in *struct {
	Name string `is:"connection"`
}) (exec.Answer, error) {
	which := hardware.AllStatistics
	if len(c.Arguments) > 1 {
		which = hardware.Statistics(strings.ToLower(c.Arguments[1]))
		all := []hardware.Statistics{hardware.ReceiveStatistics, hardware.SendStatistics, hardware.AllStatistics}
		if !slices.Contains(all, which) {
			return exec.Answer{}, exec.Mistake("the statistics must be receive, send or all, not %q", c.Arguments[1])
		}
	}
	return c.ApplyOne(hardware.ResetStatistics{Connection: in.Name, Which: which})
}

func dumpState(c *exec.Call, in *struct {
	Name string `is:"connection"`
}) (exec.Answer, error) {
	return c.ApplyOne(dump.RequestState{Connection: in.Name})
}

func driverInstall(c *exec.Call, in *struct {
	Driver   string
	Platform string `flag:"platform"`
	Result   string `flag:"result"`
}) (exec.Answer, error) {
	run := installer.Run{Driver: strings.ToLower(in.Driver), Platform: strings.ToLower(in.Platform), Result: strings.ToLower(in.Result)}
	answer, err := c.ApplyOne(run)
	if r := run.Outcome(); err == nil && r != nil && r.Code != 0 {
		c.Note(fmt.Sprintf("the installer ends with code %d: %s", r.Code, r.What))
	}
	return answer, err
}

// installerResults lists the results of the installer for a help page.
func installerResults() string {
	var parts []string
	for _, r := range installer.Results() {
		parts = append(parts, fmt.Sprintf("%s (%s)", r.Name, r.What))
	}
	return strings.Join(parts, ", ")
}
