package host

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/dump"
	"cxdeck/driver/fabric"
	"cxdeck/driver/request"
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
	Burst         int                  `json:"burst_packets,omitempty"`
	ReceiveDemand float64              `json:"receive_demand_bits_per_second"`
	SendDemand    float64              `json:"send_demand_bits_per_second"`
	Received      float64              `json:"received_bits_per_second"`
	Sent          float64              `json:"sent_bits_per_second"`
	Missing       []missingRow         `json:"missing,omitempty"`
}

// missingRow is what RDMA of a workload lacks, as JSON.
type missingRow struct {
	Text string `json:"text"`
	Fix  string `json:"fix,omitempty"`
}

// workloads returns the groups of flows with their current rates.
func workloads(c *exec.Call) (rows []workloadRow, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, f := range h.Lab().Flows() {
			port, _, _ := h.Lab().Port(f.Port)
			row := workloadRow{
				Name: f.Name, Connection: port.Connection, Protocol: f.Protocol, Flows: f.Tuples, Scale: f.Scale, Burst: f.Burst,
				ReceiveDemand: f.ReceiveDemand, SendDemand: f.SendDemand, Received: f.ReceiveRate, Sent: f.SendRate,
			}
			row.Application = applicationText(f.Protocol, f.Application, f.Transport)
			if f.Priority != counter.Untagged {
				row.Priority = &f.Priority
			}
			rows = append(rows, row)
		}
		for _, need := range h.WorkloadNeeds() {
			missing := missingRow{Text: need.Sentence(rows[need.Flow].Name)}
			if len(need.Fix) > 0 {
				missing.Fix = need.Title
			}
			rows[need.Flow].Missing = append(rows[need.Flow].Missing, missing)
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
				t.Row(r.Name, r.Connection, string(kind), priority, strconv.Itoa(r.Flows), scaleText(r.Scale, r.Burst),
					c.BitRate(r.ReceiveDemand), c.BitRate(r.SendDemand), c.BitRate(r.Received), c.BitRate(r.Sent))
			}
			if err := t.Flush(); err != nil {
				return err
			}
			for i := range rows {
				for _, missing := range rows[i].Missing {
					line := exec.Clean(missing.Text) + "."
					if missing.Fix != "" {
						line += " To fix it: " + exec.Clean(missing.Fix) + "."
					}
					if _, err := fmt.Fprintln(w, line); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}, nil
}

func scaleText(scale float64, burst int) string {
	if scale == 0 {
		return "stopped"
	}
	text := "x" + strconv.FormatFloat(scale, 'g', -1, 64)
	if burst > 0 {
		text += fmt.Sprintf(", bursts of %d", burst)
	}
	return text
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
	name, err := workloadNamed(rows, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(fabric.ScaleFlow{Flow: name, Scale: scale})
}

// workloadNamed returns the name of a workload as the lab spells it.
func workloadNamed(rows []workloadRow, name string) (string, error) {
	var names []string
	for _, r := range rows {
		if strings.EqualFold(r.Name, name) {
			return r.Name, nil
		}
		names = append(names, r.Name)
	}
	return "", request.Errorf("there is no workload %q%s", name, exec.Suggest(name, names, "workload list prints the names"))
}

func workloadBurst(c *exec.Call) (exec.Answer, error) {
	rows, err := workloads(c)
	if err != nil {
		return exec.Answer{}, err
	}
	packets, err := strconv.Atoi(c.Arguments[1])
	if err != nil || packets < 0 {
		return exec.Answer{}, exec.Mistake("invalid burst %q: it must be a number of packets from 0 (the usual few) to 65536", c.Arguments[1])
	}
	name, err := workloadNamed(rows, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(fabric.BurstFlow{Flow: name, Packets: packets})
}

// workloadDump implements workload dump: a program requests a dump of its card (DMN-1).
func workloadDump(c *exec.Call) (exec.Answer, error) {
	rows, err := workloads(c)
	if err != nil {
		return exec.Answer{}, err
	}
	name, err := workloadNamed(rows, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	at := slices.IndexFunc(rows, func(r workloadRow) bool { return r.Name == name })
	adapter := ""
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		port, err := h.Healing().Port(rows[at].Connection)
		if err == nil {
			_, card, _ := h.Lab().Port(port)
			adapter = h.Lab().Description().Adapters[card].Name
		}
		return err
	}); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(dump.RequestIncident{Adapter: adapter, Program: name})
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
	Fix        string   `json:"fix,omitempty"`
}

func sceneOf(h *driver.Host, scene *scenes.Scene, connection string) sceneRow {
	row := sceneRow{
		Name: scene.Name, Title: scene.Title, Story: scene.Story, LookFor: scene.LookFor, Connection: connection,
		Counters: []string{}, Events: append([]string{}, scene.Events...), Fix: scene.Fix.Text,
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
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
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
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		if at == "" {
			at = scene.Connection(h)
		}
		if at == "" {
			return request.Errorf("no adapter of this lab can run the scene %q", scene.Title)
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
			if row.Fix != "" {
				text += "  Fix: " + exec.Clean(row.Fix) + "\n"
			}
			_, err := io.WriteString(w, text)
			return err
		},
	}, nil
}

// runningScene is a scene that runs, as an argument, with the connection if it runs at several.
type runningScene struct {
	Scene sceneName
	Name  string `is:"connection"`
}

// find returns the change that began the scene, and where it runs.
func (in *runningScene) find(h *driver.Host) (sequence uint64, at string, err error) {
	sequence, at, runs := in.Scene.Running(h, in.Name)
	switch {
	case runs:
		return sequence, at, nil
	case in.Name != "":
		return 0, "", request.Errorf("the scene %q is not running at %s", in.Scene.Title, in.Name)
	}
	return 0, "", request.Errorf("the scene %q is not running; start it with scene run", in.Scene.Title)
}

// sceneFix applies the plan that fixes a running scene.
func sceneFix(c *exec.Call, in *runningScene) (exec.Answer, error) {
	var plan driver.Plan
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		_, at, err := in.find(h)
		if err == nil {
			plan, err = in.Scene.FixPlan(h, at)
		}
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	return c.Apply(plan)
}

// sceneEnd undoes a running scene, and before it its fix and the later changes of the same objects.
func sceneEnd(c *exec.Call, in *runningScene) (exec.Answer, error) {
	var order []uint64
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		sequence, _, err := in.find(h)
		if err == nil {
			order, err = scenes.EndOrder(h, sequence)
		}
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	rows, answers := []exec.EntryRow{}, []exec.Answer{}
	for _, sequence := range order {
		done, err := c.Host.UndoEntry(c.Ctx, sequence)
		if err != nil {
			return exec.Answer{}, err
		}
		rows, answers = append(rows, exec.EntryOf(&done)), append(answers, exec.ChangeAnswer(exec.EntryOf(&done)))
	}
	return exec.Answer{
		Result: struct {
			Changes []exec.EntryRow `json:"changes"`
		}{rows},
		Text: func(w io.Writer) error {
			for _, answer := range answers {
				if err := answer.Text(w); err != nil {
					return err
				}
			}
			return nil
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
	return request.Errorf("there is no scene %q%s", name,
		exec.Suggest(name, names, "choose from "+strings.Join(names, ", ")))
}

// applicationText returns the application of an RDMA workload, with the transport unless it is reliable; it is empty for other
// workloads.
func applicationText(p description.Protocol, a description.Application, t description.Transport) string {
	if p != description.RDMA {
		return ""
	}
	word, _ := a.MarshalText() // no error for the application of a lab
	if t == description.Reliable {
		return string(word)
	}
	transport, _ := t.MarshalText()
	return string(word) + " " + string(transport)
}
