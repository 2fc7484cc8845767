package fabric

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// switchRow is a switch port as JSON.
type switchRow struct {
	Connection      string                  `json:"connection"`
	Name            string                  `json:"switch_port"`
	Speed           float64                 `json:"speed_bits_per_second"`
	MaxFrame        int                     `json:"max_frame_bytes"`
	FlowControl     description.FlowControl `json:"flow_control"`
	Lossless        []int                   `json:"lossless_priorities"`
	Trust           setup.Trust             `json:"trust"`
	MarkMin         float64                 `json:"mark_least_bytes"`
	MarkMax         float64                 `json:"mark_most_bytes"`
	MarkProbability float64                 `json:"mark_probability"`
	PauseShare      float64                 `json:"pause_share"`
	PausePriority   int                     `json:"pause_priority"`
	// Aggregation is the aggregation group, 0 for none; Trunk forwards the VLANs in VLANs, "all" or a list.
	Aggregation int    `json:"aggregation"`
	Trunk       bool   `json:"trunk"`
	VLANs       string `json:"vlans"`
	// DCBX is the version of DCBX, Willing the willing bit; Classes and Applications are the content of the TLVs that are sent.
	DCBX         description.DCBXMode            `json:"dcbx"`
	Willing      bool                            `json:"willing"`
	Classes      []description.SwitchClass       `json:"classes,omitempty"`
	Applications []description.SwitchApplication `json:"applications,omitempty"`
	// SubnetManager is empty for Ethernet.
	SubnetManager string `json:"subnet_manager,omitempty"`
	// PKeys are nil for Ethernet.
	PKeys    []description.PKey `json:"pkeys,omitempty"`
	Counters farRow             `json:"counters"`
}

func switchOf(h *driver.Host, port int) switchRow {
	d, _, _ := h.Lab().Port(port)
	s := h.Lab().SwitchPort(port)
	row := switchRow{
		Connection: d.Connection, Name: d.Switch.Name, Speed: float64(s.SpeedGbps) * 1e9, MaxFrame: s.MaxFrame,
		FlowControl: s.FlowControl,
		Lossless:    priorities(s.Lossless), Trust: s.Trust, MarkMin: s.Marking.Min, MarkMax: s.Marking.Max,
		MarkProbability: s.Marking.Probability, PauseShare: s.PauseShare, PausePriority: s.PausePriority,
		Aggregation: s.Aggregation, Trunk: s.Trunk, VLANs: cmp.Or(s.VLANs, everyVLAN),
		DCBX: s.DCBX, Willing: s.Willing, Classes: s.Classes, Applications: s.Applications,
	}
	row.Counters = farEndRow(h, port)
	if d.Link == description.InfiniBand {
		word, _ := s.SubnetManager.MarshalText() // no error for the value of a switch port
		row.SubnetManager, row.PKeys = string(word), s.PKeys
	}
	return row
}

// priorities returns the priorities whose bits are set.
func priorities(set uint8) []int {
	list := []int{}
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros8(set))
	}
	return list
}

// switchSetting is a setting of a switch port for switch set and switch show.
type switchSetting struct {
	name, value, help string
	set               func(change *fabric.SetSwitchPort, text string) error
	text              func(row *switchRow) string
}

func switchSettings() []switchSetting {
	return append([]switchSetting{
		{"speed", "GBPS", "line rate in Gb/s",
			func(o *fabric.SetSwitchPort, text string) error { return exec.ParseInteger(&o.SpeedGbps, text) },
			func(r *switchRow) string { return exec.FormatNumber(r.Speed / 1e9) }},
		{"max-frame", "BYTES", "largest forwarded frame, with header, without FCS",
			func(o *fabric.SetSwitchPort, text string) error { return exec.ParseInteger(&o.MaxFrame, text) },
			func(r *switchRow) string { return strconv.Itoa(r.MaxFrame) }},
		{"flow-control", "KIND", "off, global or pfc",
			func(o *fabric.SetSwitchPort, text string) error {
				o.FlowControl = new(description.FlowControl)
				return o.FlowControl.UnmarshalText([]byte(strings.ToLower(text)))
			},
			func(r *switchRow) string {
				word, _ := r.FlowControl.MarshalText() // no error for the value of a switch port
				return string(word)
			}},
		{"lossless", "PRIORITIES", "the priorities with PFC, separated by commas, or none",
			setLossless, func(r *switchRow) string { return exec.JoinNumbers(r.Lossless) }},
		{"trust", "FIELD", "the field that sets the priority of frames: pcp (the tag) or dscp",
			func(o *fabric.SetSwitchPort, text string) error {
				o.Trust = new(setup.Trust)
				return o.Trust.UnmarshalText([]byte(text))
			},
			func(r *switchRow) string { return r.Trust.String() }},
		{"mark-min", "BYTES", "queue length above which some RDMA frames are marked (Kmin)",
			func(o *fabric.SetSwitchPort, text string) error { return parseNumber(&o.MarkMin, text) },
			func(r *switchRow) string { return exec.FormatNumber(r.MarkMin) }},
		{"mark-max", "BYTES", "queue length above which all RDMA frames are marked (Kmax)",
			func(o *fabric.SetSwitchPort, text string) error { return parseNumber(&o.MarkMax, text) },
			func(r *switchRow) string { return exec.FormatNumber(r.MarkMax) }},
		{"mark-probability", "SHARE", "share of RDMA frames marked just below mark-max (Pmax), 0 to 1",
			func(o *fabric.SetSwitchPort, text string) error { return parseShare(&o.MarkProbability, text) },
			func(r *switchRow) string { return exec.FormatNumber(r.MarkProbability) }},
		{"pause-share", "SHARE", "fraction of time for which the switch pauses the host, 0 to 1",
			func(o *fabric.SetSwitchPort, text string) error { return parseShare(&o.PauseShare, text) },
			func(r *switchRow) string { return exec.FormatNumber(r.PauseShare) }},
		{"pause-priority", "PRIORITY", "priority that the switch pauses with PFC, 0 to 7",
			setPausePriority,
			func(r *switchRow) string { return strconv.Itoa(r.PausePriority) }},
		{"subnet-manager", "STATE", "subnet manager of an InfiniBand port's subnet: up, down or absent",
			func(o *fabric.SetSwitchPort, text string) error {
				o.SubnetManager = new(description.SubnetManager)
				return o.SubnetManager.UnmarshalText([]byte(strings.ToLower(text)))
			},
			func(r *switchRow) string { return r.SubnetManager }},
		{"aggregation", "GROUP", "number of the aggregation group, 0 for none",
			func(o *fabric.SetSwitchPort, text string) error { return exec.ParseInteger(&o.Aggregation, text) },
			func(r *switchRow) string { return strconv.Itoa(r.Aggregation) }},
		{"trunk", "YES/NO", "yes forwards frames of VLANs, no only untagged frames", setTrunk,
			func(r *switchRow) string { return wording.YesNo(r.Trunk) }},
		{"vlans", "IDS", "the VLANs that a trunk forwards, such as 30,31,100-200, or all", setVLANs,
			func(r *switchRow) string { return r.VLANs }},
		{"pkeys", "PKEYS", "partitions of an InfiniBand port besides the default one, separated by commas, or none",
			setPKeys, (*switchRow).pkeys},
	}, dcbxSettings()...)
}

func setTrunk(o *fabric.SetSwitchPort, text string) error { return parseYesNo(&o.Trunk, text) }

func setVLANs(o *fabric.SetSwitchPort, text string) error {
	if strings.EqualFold(text, everyVLAN) {
		text = ""
	}
	o.VLANs = new(text)
	_, err := setup.ParseVLANs(text)
	return err
}

// everyVLAN is the value of vlans for a trunk that forwards all VLANs.
const everyVLAN = "all"

func parseNumber(into **float64, text string) error {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return request.Errorf("must be a number, not %q", text)
	}
	*into = &f
	return nil
}

func parseShare(into **float64, text string) error {
	if err := parseNumber(into, text); err != nil || **into < 0 || **into > 1 {
		return request.Errorf("must be a number from 0 to 1, not %q", text)
	}
	return nil
}

func setPausePriority(o *fabric.SetSwitchPort, text string) error {
	if err := exec.ParseInteger(&o.PausePriority, text); err != nil || *o.PausePriority < 0 || *o.PausePriority > 7 {
		return request.Errorf("must be 0 to 7, not %q", text)
	}
	return nil
}

// setPKeys parses the partitions that the subnet manager gives a port.
func setPKeys(o *fabric.SetSwitchPort, text string) error {
	o.PKeys = new([]description.PKey{})
	if strings.EqualFold(text, "none") {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		var key description.PKey
		if err := key.UnmarshalText([]byte(strings.TrimSpace(part))); err != nil {
			return err
		}
		*o.PKeys = append(*o.PKeys, key)
	}
	return nil
}

// pkeys returns the partitions besides the default one; it is empty for Ethernet.
func (r *switchRow) pkeys() string {
	keys := make([]string, len(r.PKeys))
	for i, key := range r.PKeys {
		keys[i] = key.String()
	}
	if len(keys) == 0 && r.SubnetManager != "" {
		return "none"
	}
	return strings.Join(keys, ",")
}

func setLossless(o *fabric.SetSwitchPort, text string) error {
	o.Lossless = new(uint8)
	if strings.EqualFold(text, "none") {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		p, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || p < 0 || p > 7 {
			return request.Errorf("must be 3, or 3,4, or none, not %q", text)
		}
		*o.Lossless |= 1 << p
	}
	return nil
}

func switchShow(c *exec.Call, in *exec.OptionalPort) (exec.Answer, error) {
	answer, _, err := switchPorts(c, in.Name)
	return answer, err
}

// switchPorts returns the switch port of the connection only, or all switch ports if only is empty.
func switchPorts(c *exec.Call, only string) (answer exec.Answer, rows []switchRow, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if row := switchOf(h, port); only == "" || row.Connection == only {
				rows = append(rows, row)
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Ports []switchRow `json:"switch_ports"`
		}{rows},
		Text: func(w io.Writer) error {
			headings := []string{"CONNECTION", "SWITCH PORT"}
			for _, s := range switchSettings() {
				headings = append(headings, strings.ToUpper(s.name))
			}
			t := exec.NewTextTable(w, headings...)
			for i := range rows {
				cells := []string{rows[i].Connection, rows[i].Name}
				for _, s := range switchSettings() {
					cells = append(cells, s.text(&rows[i]))
				}
				t.Row(cells...)
			}
			return t.Flush()
		},
	}, rows, err
}

func switchSet(c *exec.Call, in *struct {
	Name     string `is:"connection"`
	Settings []string
}) (exec.Answer, error) {
	change := fabric.SetSwitchPort{Connection: in.Name}
	for _, word := range in.Settings {
		key, value, found := strings.Cut(word, "=")
		if !found {
			return exec.Answer{}, exec.Mistake("invalid setting %q: write SETTING=VALUE, such as max-frame=1514", word)
		}
		setting, err := findSetting(key)
		if err != nil {
			return exec.Answer{}, err
		}
		if err := setting.set(&change, value); err != nil {
			return exec.Answer{}, exec.Mistake("%s: %v", setting.name, err)
		}
	}
	if change.FlowControl != nil && *change.FlowControl == description.GlobalPause && change.Lossless != nil && *change.Lossless != 0 {
		return exec.Answer{}, exec.Mistake("flow-control=global and lossless priorities exclude each other: a port has global pause or PFC")
	}
	return c.ApplyOne(change)
}

func findSetting(name string) (switchSetting, error) {
	var names []string
	name = strings.ReplaceAll(name, "_", "-") // JSON fields have underscores
	if current, renamed := map[string]string{"mark-least": "mark-min", "mark-most": "mark-max"}[strings.ToLower(name)]; renamed {
		name = current
	}
	for _, s := range switchSettings() {
		if strings.EqualFold(s.name, name) {
			return s, nil
		}
		names = append(names, s.name)
	}
	return switchSetting{}, exec.Mistake("a switch port has no setting %q%s", name,
		exec.Suggest(name, names, "choose from "+strings.Join(names, ", ")))
}

// settingsHelp lists the settings for a help page.
func settingsHelp() string {
	var parts []string
	for _, s := range switchSettings() {
		parts = append(parts, fmt.Sprintf("%s=%s (%s)", s.name, s.value, s.help))
	}
	return "Settings: " + strings.Join(parts, ", ") + "."
}
