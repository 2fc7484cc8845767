package host

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/scenes"
	"cxdeck/views/exec"
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

// workloads returns the groups of flows with their current rates.
func workloads(c *exec.Call) (rows []workloadRow, err error) {
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		for _, f := range h.Lab().Flows() {
			port, _, _ := h.Lab().Port(f.Port)
			row := workloadRow{
				Name: f.Name, Connection: port.Connection, Protocol: f.Protocol, Flows: f.Tuples, Scale: f.Scale,
				ReceiveDemand: f.ReceiveDemand, SendDemand: f.SendDemand, Received: f.ReceiveRate, Sent: f.SendRate,
			}
			row.Application = applicationWord(f.Protocol, f.Application, f.Transport)
			if f.Priority != counter.Untagged {
				row.Priority = &f.Priority
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, err
}

func workloadList(c *exec.Call) (exec.Answer, error) {
	rows, err := workloads(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Workloads []workloadRow `json:"workloads"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "WORKLOAD", "CONNECTION", "KIND", "PRIORITY", "FLOWS", "SCALE", "DEMAND IN", "DEMAND OUT",
				"RECEIVED", "SENT")
			for _, r := range rows {
				kind, _ := r.Protocol.MarshalText() // no error for the protocol of a lab
				if r.Application != "" && r.Application != "smb-direct" {
					kind = fmt.Append(kind, ", ", r.Application)
				}
				priority := "untagged"
				if r.Priority != nil {
					priority = strconv.Itoa(*r.Priority)
				}
				t.Row(r.Name, r.Connection, string(kind), priority, strconv.Itoa(r.Flows), scaleText(r.Scale),
					c.BitRate(r.ReceiveDemand), c.BitRate(r.SendDemand), c.BitRate(r.Received), c.BitRate(r.Sent))
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

func workloadScale(c *exec.Call) (exec.Answer, error) {
	rows, err := workloads(c)
	if err != nil {
		return exec.Answer{}, err
	}
	scale, err := strconv.ParseFloat(strings.TrimPrefix(c.Arguments[1], "x"), 64)
	if err != nil || !(scale >= 0 && scale <= 10) {
		return exec.Answer{}, exec.Mistake("invalid scale %q: it must be a number from 0 (stopped) to 10; 1 is as described",
			c.Arguments[1])
	}
	var names []string
	for _, r := range rows {
		if strings.EqualFold(r.Name, c.Arguments[0]) {
			change := fabric.ScaleFlow{Flow: r.Name, Scale: scale}
			return c.ApplyOne(change)
		}
		names = append(names, r.Name)
	}
	return exec.Answer{}, fmt.Errorf("there is no workload %q%s", c.Arguments[0],
		exec.Suggest(c.Arguments[0], names, "workload list prints the names"))
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

func sceneOf(h *driver.Host, scene *scenes.Scene, connection string) sceneRow {
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

func sceneList(c *exec.Call) (exec.Answer, error) {
	var rows []sceneRow
	err := c.Host.Look(c.Ctx, func(h *driver.Host) error {
		for _, scene := range scenes.All() {
			rows = append(rows, sceneOf(h, &scene, scene.Connection(h)))
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Scenes []sceneRow `json:"scenes"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "SCENE", "CONNECTION", "STORY")
			for _, r := range rows {
				connection := r.Connection
				if connection == "" {
					connection = "none"
				}
				t.Row(r.Name, connection, r.Story)
			}
			return t.Flush()
		},
	}, err
}

func sceneRun(c *exec.Call, in *struct {
	Scene sceneName
	Name  string `is:"connection"`
}) (exec.Answer, error) {
	scene, at := in.Scene.Scene, in.Name
	var plan driver.Plan
	var row sceneRow
	err := c.Host.Look(c.Ctx, func(h *driver.Host) (err error) {
		if at == "" {
			at = scene.Connection(h)
		}
		if at == "" {
			return fmt.Errorf("no adapter of this lab can play the scene %q", scene.Title)
		}
		plan, err = scene.Plan(h, at)
		row = sceneOf(h, &scene, at)
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	entry, err := c.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	answer := exec.ChangeAnswer(entry)
	return exec.Answer{
		Result: struct {
			Change exec.EntryRow `json:"change"`
			Scene  sceneRow      `json:"scene"`
		}{entry, row},
		Text: func(w io.Writer) error {
			if err := answer.Text(w); err != nil {
				return err
			}
			text := "  " + exec.Clean(row.Story) + "\n  " + exec.Clean(row.LookFor) + "\n"
			for _, path := range row.Counters {
				text += "    " + exec.Clean(path) + "\n"
			}
			_, err := io.WriteString(w, text)
			return err
		},
	}, nil
}

// sceneName is a scene as an argument, by name or title.
type sceneName struct{ scenes.Scene }

// Read finds the scene, in any case.
func (n *sceneName) Read(_ *exec.Call, name, _ string) error {
	var names []string
	for _, scene := range scenes.All() {
		if strings.EqualFold(scene.Name, name) || strings.EqualFold(scene.Title, name) {
			n.Scene = scene
			return nil
		}
		names = append(names, scene.Name)
	}
	return fmt.Errorf("there is no scene %q%s", name,
		exec.Suggest(name, names, "choose from "+strings.Join(names, ", ")))
}
