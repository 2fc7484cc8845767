package exec

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
)

// workloadRow is a group of flows as JSON.
type workloadRow struct {
	Name          string               `json:"name"`
	Connection    string               `json:"connection"`
	Protocol      description.Protocol `json:"protocol"`
	Application   string               `json:"application,omitempty"`
	Priority      *int                 `json:"priority"`
	Flows         int                  `json:"flows"`
	Scale         float64              `json:"scale"`
	ReceiveDemand float64              `json:"receive_demand_bits_per_second"`
	SendDemand    float64              `json:"send_demand_bits_per_second"`
	Received      float64              `json:"received_bits_per_second"`
	Sent          float64              `json:"sent_bits_per_second"`
}

// workloads are the groups of flows now.
func (c *call) workloads() (rows []workloadRow, err error) {
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		for _, f := range h.Lab().Flows() {
			port, _, _ := h.Lab().Port(f.Port)
			row := workloadRow{
				Name: f.Name, Connection: port.Connection, Protocol: f.Protocol, Flows: f.Tuples, Scale: f.Scale,
				ReceiveDemand: f.ReceiveDemand, SendDemand: f.SendDemand, Received: f.ReceiveRate, Sent: f.SendRate,
			}
			row.Application = applicationWord(f.Protocol, f.Application, f.Transport)
			if f.Priority != device.Untagged {
				row.Priority = &f.Priority
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, err
}

// bitRate is a rate in bits a second as the screens show it.
func (c *call) bitRate(bits float64) string {
	return perf.Number(bits/8, perf.Bytes, true, c.runner.InBytes)
}

func workloadList(c *call) (answer, error) {
	rows, err := c.workloads()
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Workloads []workloadRow `json:"workloads"`
		}{rows},
		text: func(w io.Writer) error {
			t := newTable(w, "WORKLOAD", "CONNECTION", "KIND", "PRIORITY", "FLOWS", "SCALE", "WANTS IN", "WANTS OUT",
				"RECEIVED", "SENT")
			for _, r := range rows {
				kind, _ := r.Protocol.MarshalText() // it never fails
				if r.Application != "" && r.Application != "smb-direct" {
					kind = fmt.Append(kind, ", ", r.Application)
				}
				priority := "untagged"
				if r.Priority != nil {
					priority = strconv.Itoa(*r.Priority)
				}
				t.row(r.Name, r.Connection, string(kind), priority, strconv.Itoa(r.Flows), scaleText(r.Scale),
					c.bitRate(r.ReceiveDemand), c.bitRate(r.SendDemand), c.bitRate(r.Received), c.bitRate(r.Sent))
			}
			return t.Flush()
		},
	}, nil
}

func scaleText(scale float64) string {
	if scale == 0 {
		return "stopped"
	}
	return "x" + strconv.FormatFloat(scale, 'g', -1, 64)
}

func workloadScale(c *call) (answer, error) {
	rows, err := c.workloads()
	if err != nil {
		return answer{}, err
	}
	scale, err := strconv.ParseFloat(strings.TrimPrefix(c.arguments[1], "x"), 64)
	if err != nil || !(scale >= 0 && scale <= 10) {
		return answer{}, mistake("%q is no scale: it is a number from 0 (stopped) over 1 (as described) to 10",
			c.arguments[1])
	}
	var names []string
	for _, r := range rows {
		if strings.EqualFold(r.Name, c.arguments[0]) {
			change := driver.ScaleFlow{Flow: r.Name, Scale: scale}
			return c.one(change)
		}
		names = append(names, r.Name)
	}
	return answer{}, fmt.Errorf("no workload is called %q%s", c.arguments[0],
		suggest(c.arguments[0], names, "workload list prints the names"))
}

// sceneRow is a scene as JSON.
type sceneRow struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Story      string   `json:"story"`
	LookFor    string   `json:"look_for"`
	Connection string   `json:"connection,omitempty"`
	Counters   []string `json:"counters"`
	Events     []string `json:"events"`
}

func sceneOf(h *driver.Host, scene *driver.Scene, connection string) sceneRow {
	row := sceneRow{
		Name: scene.Name, Title: scene.Title, Story: scene.Story, LookFor: scene.LookFor, Connection: connection,
		Counters: []string{}, Events: append([]string{}, scene.Events...),
	}
	if shows, err := scene.At(h, connection); err == nil {
		row.Events = append([]string{}, shows.Events...)
		for _, sign := range shows.Signs {
			row.Counters = append(row.Counters, sign.Counter)
		}
	}
	return row
}

func sceneList(c *call) (answer, error) {
	var rows []sceneRow
	err := c.host.Look(c.ctx, func(h *driver.Host) error {
		for _, scene := range driver.Scenes() {
			rows = append(rows, sceneOf(h, &scene, scene.Connection(h)))
		}
		return nil
	})
	return answer{
		result: struct {
			Scenes []sceneRow `json:"scenes"`
		}{rows},
		text: func(w io.Writer) error {
			t := newTable(w, "SCENE", "CONNECTION", "STORY")
			for _, r := range rows {
				connection := r.Connection
				if connection == "" {
					connection = "none"
				}
				t.row(r.Name, connection, r.Story)
			}
			return t.Flush()
		},
	}, err
}

func sceneRun(c *call) (answer, error) {
	scene, err := findScene(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	at := ""
	if len(c.arguments) > 1 {
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		if at, err = connection(view, c.arguments[1]); err != nil {
			return answer{}, err
		}
	}
	var plan driver.Plan
	var row sceneRow
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if at == "" {
			at = scene.Connection(h)
		}
		if at == "" {
			return fmt.Errorf("no adapter of this lab can show the scene %q", scene.Title)
		}
		plan, err = scene.Plan(h, at)
		row = sceneOf(h, &scene, at)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	entry, err := c.do(plan)
	if err != nil {
		return answer{}, err
	}
	said := told(entry)
	return answer{
		result: struct {
			Change entryRow `json:"change"`
			Scene  sceneRow `json:"scene"`
		}{entry, row},
		text: func(w io.Writer) error {
			if err := said.text(w); err != nil {
				return err
			}
			text := "  " + Clean(row.Story) + "\n  " + Clean(row.LookFor) + "\n"
			for _, path := range row.Counters {
				text += "    " + Clean(path) + "\n"
			}
			_, err := io.WriteString(w, text)
			return err
		},
	}, nil
}

func findScene(name string) (driver.Scene, error) {
	var names []string
	for _, scene := range driver.Scenes() {
		if strings.EqualFold(scene.Name, name) || strings.EqualFold(scene.Title, name) {
			return scene, nil
		}
		names = append(names, scene.Name)
	}
	return driver.Scene{}, fmt.Errorf("no scene is called %q%s", name,
		suggest(name, names, "there are "+strings.Join(names, ", ")))
}
