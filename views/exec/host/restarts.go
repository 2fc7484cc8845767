package host

import (
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

func adapterReset(c *exec.Call, view *driver.View) (exec.Answer, error) {
	card, _, err := exec.FindAdapter(view, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.ResetCard{Adapter: view.Adapters[card].Description.Name})
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
	return c.ApplyOne(driver.ReloadDriver{Driver: name})
}

func hostReboot(c *exec.Call, view *driver.View) (exec.Answer, error) {
	return c.ApplyOne(driver.Reboot{Host: view.Name})
}

func managementSet(c *exec.Call, view *driver.View) (exec.Answer, error) {
	if !strings.EqualFold(c.Arguments[0], "none") {
		name, err := exec.Connection(view, c.Arguments[0])
		if err != nil {
			return exec.Answer{}, err
		}
		return c.ApplyOne(driver.MarkManagement{Connection: name, Carries: true})
	}
	var marked string
	if err := c.Host.Look(c.Ctx, func(h *driver.Host) error {
		marked = h.Management()
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if marked == "" {
		return exec.Answer{}, &request.UnchangedError{Why: "no connection is marked as the way of your session"}
	}
	return c.ApplyOne(driver.MarkManagement{Connection: marked})
}

func droplessSet(c *exec.Call) (exec.Answer, error) {
	on, ok := map[string]bool{"on": true, "off": false}[strings.ToLower(c.Arguments[1])]
	if !ok {
		return exec.Answer{}, exec.Mistake("%q is neither on nor off", c.Arguments[1])
	}
	name, err := adaptersNamed(c, 0)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.SetDropless{Connection: name, On: on})
}

func statisticsReset(c *exec.Call) (exec.Answer, error) {
	which := driver.AllStatistics
	if len(c.Arguments) > 1 {
		which = driver.Statistics(strings.ToLower(c.Arguments[1]))
		all := []driver.Statistics{driver.ReceiveStatistics, driver.SendStatistics, driver.AllStatistics}
		if !slices.Contains(all, which) {
			return exec.Answer{}, exec.Mistake("%q is not one of receive, send, all", c.Arguments[1])
		}
	}
	name, err := adaptersNamed(c, 0)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.ResetStatistics{Connection: name, Which: which})
}
