package windows

import (
	"errors"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// netshRSS implements netsh int tcp set global rss, with or without spaces around =.
func netshRSS(c *exec.Call) (exec.Answer, error) {
	setting, value, ok := strings.Cut(strings.ReplaceAll(strings.Join(c.Arguments, ""), " ", ""), "=")
	on, known := map[string]string{"enabled": "1", "disabled": "0"}[strings.ToLower(value)]
	if ok && strings.EqualFold(setting, "rss") && strings.EqualFold(value, "nodynamicbalancing") {
		return exec.Answer{}, errors.New("the lab does not support dynamic balancing of RSS, only rss=enabled and rss=disabled")
	}
	if !ok || !strings.EqualFold(setting, "rss") || !known {
		return exec.Answer{}, exec.Mistake("netsh int tcp set global takes rss=enabled or rss=disabled here")
	}
	connection, _, err := stackRSS(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(edit.SetValue{Connection: connection, Key: "EnableRSS", Value: on})
}

// stackRSS returns the key of RSS in the TCP stack, and a connection that has it.
func stackRSS(c *exec.Call) (connection string, key registry.Key, err error) {
	view, err := c.View()
	if err != nil {
		return "", key, err
	}
	for i := range view.Adapters {
		connection = view.Adapters[i].Ports[0].Description.Connection
		if key, err = registrykey.Find(c, registrykey.Target{Connection: connection}, "EnableRSS"); err == nil {
			break
		}
	}
	return connection, key, err
}

// netshShowGlobal implements netsh int tcp show global, of which the lab has the state of RSS.
func netshShowGlobal(c *exec.Call) (exec.Answer, error) {
	_, key, err := stackRSS(c)
	if err != nil {
		return exec.Answer{}, err
	}
	value := key.Stored // netsh sets and shows the same value; drivers read it when they start
	if !value.Exists() {
		value = key.Effective
	}
	state := "enabled"
	if n, isNumber := value.Integer(); isNumber && n == 0 {
		state = "disabled"
	}
	return exec.PrintLines([]string{
		"Querying active state...", "", "TCP Global Parameters", "----------------------------------------------",
		"Receive-Side Scaling State          : " + state,
	}, struct {
		RSS string `json:"receive_side_scaling"`
	}{state}), nil
}
