package exec

import (
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
)

// one applies a single Operation.
func (c *call) one(o driver.Operation) (answer, error) {
	return c.apply(driver.Plan{Title: upper(o.Describe()), Operations: []driver.Operation{o}})
}

func adapterReset(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	card, _, err := findAdapter(view, c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.ResetCard{Adapter: view.Adapters[card].Description.Name})
}

func driverReload(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	var names []string
	for i := range view.Adapters {
		if name := view.Adapters[i].Driver; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	name := strings.ToLower(c.arguments[0])
	if !slices.Contains(names, name) {
		return answer{}, mistake("the host runs no driver %q%s", c.arguments[0],
			suggest(name, names, "it runs "+strings.Join(names, " and ")))
	}
	return c.one(driver.ReloadDriver{Driver: name})
}

func hostReboot(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.Reboot{Host: view.Name})
}

func managementSet(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	if !strings.EqualFold(c.arguments[0], "none") {
		name, err := connection(view, c.arguments[0])
		if err != nil {
			return answer{}, err
		}
		return c.one(driver.MarkManagement{Connection: name, Carries: true})
	}
	var marked string
	if err := c.host.Look(c.ctx, func(h *driver.Host) error {
		marked = h.Management()
		return nil
	}); err != nil {
		return answer{}, err
	}
	if marked == "" {
		return answer{}, &request.UnchangedError{Why: "no connection is marked as the way of your session"}
	}
	return c.one(driver.MarkManagement{Connection: marked})
}

func droplessSet(c *call) (answer, error) {
	on, ok := map[string]bool{"on": true, "off": false}[strings.ToLower(c.arguments[1])]
	if !ok {
		return answer{}, mistake("%q is neither on nor off", c.arguments[1])
	}
	name, err := c.named(0)
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.SetDropless{Connection: name, On: on})
}

func statisticsReset(c *call) (answer, error) {
	which := driver.AllStatistics
	if len(c.arguments) > 1 {
		which = driver.Statistics(strings.ToLower(c.arguments[1]))
		all := []driver.Statistics{driver.ReceiveStatistics, driver.SendStatistics, driver.AllStatistics}
		if !slices.Contains(all, which) {
			return answer{}, mistake("%q is none of receive, send, all", c.arguments[1])
		}
	}
	name, err := c.named(0)
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.ResetStatistics{Connection: name, Which: which})
}
