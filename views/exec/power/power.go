// Package power implements the power state of the host and Wake-on-LAN: cxdeck's own commands, and shutdown and powercfg of Windows.
package power

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/power"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var hostTexts string

//go:embed windows.toml
var windowsTexts string

// HostFamily returns the commands of cxdeck.
func HostFamily() *exec.Family {
	return &exec.Family{
		Texts: hostTexts,
		Commands: []exec.Command{
			{Name: "host power", Run: show},
			{Name: "host sleep", Changes: true, Interrupts: true, Run: goDown(power.Sleep)},
			{Name: "host hibernate", Changes: true, Interrupts: true, Run: goDown(power.Hibernate)},
			{Name: "host shutdown", Changes: true, Interrupts: true, Run: goDown(power.Off)},
			{Name: "host wake", Min: 1, Max: 1, Changes: true, Run: exec.Bound(wake)},
		},
	}
}

// WindowsFamily returns the programs of Windows.
func WindowsFamily() *exec.Family {
	return &exec.Family{
		Texts: windowsTexts,
		Tools: true,
		Commands: []exec.Command{
			{Name: "shutdown", Max: 8, Changes: true, Interrupts: true, Run: shutdown},
			{Name: "powercfg", Min: 1, Max: 2, Run: powerCfg},
		},
	}
}

// portRow is a port as JSON.
type portRow struct {
	Connection string `json:"connection"`
	MAC        string `json:"mac"`
	Wakes      bool   `json:"wakes"`
	Why        string `json:"why,omitempty"`
}

// recordRow is a change of the power state as JSON.
type recordRow struct {
	Time   time.Time `json:"time"`
	State  string    `json:"state"`
	Source string    `json:"source,omitempty"`
}

// result is the power state as JSON.
type result struct {
	Host    string      `json:"host"`
	State   string      `json:"state"`
	Ports   []portRow   `json:"ports"`
	Changes []recordRow `json:"changes"`
}

// read returns the power state of the host.
func read(c *exec.Call) (r result, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		s := h.Power()
		r = result{Host: h.Lab().Description().Host.Name, State: s.Mode.Phrase(), Ports: []portRow{}, Changes: []recordRow{}}
		for port := range h.Lab().Ports() {
			why := s.WhyNot(port)
			r.Ports = append(r.Ports, portRow{h.Lab().Connection(port), h.Lab().Address(port).String(), why == "", why})
		}
		for _, record := range s.Records {
			r.Changes = append(r.Changes, recordRow{record.Time, record.To.Phrase(), record.Source})
		}
		return nil
	})
	return r, err
}

func show(c *exec.Call) (exec.Answer, error) {
	r, err := read(c)
	return exec.Answer{
		Result: r,
		Text: func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "%s %s.\n", r.Host, r.State); err != nil {
				return err
			}
			t := exec.NewTextTable(w, "NAME", "MAC", "MAGIC PACKET", "WHY")
			for _, p := range r.Ports {
				t.Row(p.Connection, p.MAC, map[bool]string{true: "wakes", false: "ignored"}[p.Wakes], p.Why)
			}
			if len(r.Changes) > 0 {
				t.Row()
				t.Row("TIME", "STATE", "SOURCE")
			}
			for _, change := range r.Changes {
				t.Row(wording.Stamp(change.Time), change.State, wording.OrDash(change.Source))
			}
			return t.Flush()
		},
	}, err
}

func goDown(mode power.Mode) func(*exec.Call) (exec.Answer, error) {
	return exec.OnView(func(c *exec.Call, view *driver.View) (exec.Answer, error) {
		return c.ApplyOne(power.Down{Host: view.Name, Mode: mode})
	})
}

// wake sends a magic packet, or presses the power button.
func wake(c *exec.Call, in *struct{ Source string }) (exec.Answer, error) {
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	o := power.Up{Host: view.Name}
	if !strings.EqualFold(in.Source, "button") {
		mac, err := exec.ReadMAC(in.Source)
		if err != nil {
			return exec.Answer{}, exec.Mistake("host wake takes a MAC address or button: %v", err)
		}
		if mac == (description.MAC{}) || mac[0]&1 == 1 {
			return exec.Answer{}, fmt.Errorf("a magic packet repeats the MAC address of one port, which %s is not", mac)
		}
		o.MAC = &mac
	}
	return c.ApplyOne(o)
}

// shutdown implements shutdown /s, /r and /h.
func shutdown(c *exec.Call) (exec.Answer, error) {
	action := ""
	for i := 0; i < len(c.Arguments); i++ {
		word := strings.ToLower(c.Arguments[i])
		if strings.HasPrefix(word, "-") {
			word = "/" + word[1:]
		}
		switch word {
		case "/s", "/r", "/h":
			if action != "" {
				return exec.Answer{}, exec.Mistake("shutdown takes one of /s, /r and /h")
			}
			action = word
		case "/f":
		case "/t":
			if i++; i == len(c.Arguments) {
				return exec.Answer{}, exec.Mistake("/t requires a number of seconds")
			}
			if n, err := strconv.Atoi(c.Arguments[i]); err != nil || n != 0 {
				return exec.Answer{}, exec.Mistake("shutdown acts at once here: /t must be 0, not %q", c.Arguments[i])
			}
		default:
			return exec.Answer{}, exec.Mistake("shutdown takes /s, /r or /h, with /f and /t 0, not %q", c.Arguments[i])
		}
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	switch action {
	case "/s":
		return c.ApplyOne(power.Down{Host: view.Name, Mode: power.Off})
	case "/h":
		return c.ApplyOne(power.Down{Host: view.Name, Mode: power.Hibernate})
	case "/r":
		return c.ApplyOne(adapters.Reboot{Host: view.Name})
	}
	return exec.Answer{}, exec.Mistake("shutdown requires /s, /r or /h")
}

// powerCfg implements powercfg /lastwake and powercfg /devicequery.
func powerCfg(c *exec.Call) (exec.Answer, error) {
	var lines []string
	r, err := read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	devices := map[string]string{}
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			d, _, _ := h.Lab().Port(port)
			devices[d.Connection] = d.Device
		}
		if s := h.Power(); s.Mode != power.Running {
			return s.Refusal("powercfg")
		}
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	words := make([]string, len(c.Arguments))
	for i, word := range c.Arguments {
		words[i] = strings.TrimLeft(strings.ToLower(word), "-/")
	}
	switch strings.Join(words, " ") {
	case "lastwake":
		source := ""
		for _, change := range r.Changes {
			if change.Source != "" {
				source = change.Source
			}
		}
		if source == "" {
			lines = []string{"Wake History Count - 0"}
			break
		}
		lines = []string{"Wake History Count - 1", "Wake History [0]", "  Wake Source Count - 1", "  Wake Source [0]"}
		if device := devices[source]; device != "" {
			lines = append(lines, "    Type: Device", "    Friendly Name: "+device)
		} else {
			lines = append(lines, "    Type: Fixed Feature", "    Power Button")
		}
	case "devicequery wake_armed", "devicequery wake_programmable":
		for _, p := range r.Ports {
			if p.Wakes {
				lines = append(lines, devices[p.Connection])
			}
		}
		if lines == nil {
			lines = []string{"NONE"}
		}
	default:
		return exec.Answer{}, request.Errorf("powercfg takes /lastwake, /devicequery wake_armed and /devicequery wake_programmable here, not %q", strings.Join(c.Arguments, " "))
	}
	return exec.Answer{
		Result: struct {
			Lines []string `json:"lines"`
		}{lines},
		Text: func(w io.Writer) error {
			_, err := io.WriteString(w, exec.CleanLines(lines))
			return err
		},
	}, nil
}
