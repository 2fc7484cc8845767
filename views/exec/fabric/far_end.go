package fabric

import (
	"cmp"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/farend"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// farEndReport is the far end of a port's path as JSON: its settings where they differ from the near end's, and its counters.
type farEndReport struct {
	Connection string       `json:"connection"`
	Settings   setup.FarEnd `json:"settings"`
	Counters   farPath      `json:"counters"`
}

// farPath has the counters of the second cable; lists are by priority, and the last element counts frames without one.
type farPath struct {
	PausesToPeers   []uint64 `json:"pause_frames_to_peers"`
	PeersHeld       []uint64 `json:"peers_held_microseconds"`
	PausesFromPeers []uint64 `json:"pause_frames_from_peers"`
	SwitchHeld      []uint64 `json:"switch_held_microseconds"`
	SwitchDrops     []uint64 `json:"switch_drops"`
	PeerDrops       []uint64 `json:"peer_drops"`
	Unheeded        []uint64 `json:"pause_frames_not_obeyed"`
	LostNotices     uint64   `json:"notifications_dropped"`
}

func farPathOf(p *farend.Path) farPath {
	return farPath{
		p.PausesToPeers[:], p.PeersHeld[:], p.PausesFromPeers[:], p.SwitchHeld[:], p.SwitchDrops[:], p.PeerDrops[:], p.Unheeded[:], p.LostNotices,
	}
}

// agree is the value of a setting that is the near end's.
const agree = "agree"

// farSetting is a setting of the far end for far set and far show.
type farSetting struct {
	name, value, help string
	set               func(f *setup.FarEnd, text string) error
	text              func(f *setup.FarEnd) string
}

func farSettings() []farSetting {
	mode := func(name, where string, field func(*setup.FarEnd) **description.FlowControl) farSetting {
		return farSetting{name, "KIND", "off, global, pfc or agree: flow control " + where,
			func(f *setup.FarEnd, text string) error { return setMode(field(f), text) },
			func(f *setup.FarEnd) string {
				return textOr(*field(f), func(m description.FlowControl) string { word, _ := m.MarshalText(); return string(word) })
			}}
	}
	set := func(name, help string, field func(*setup.FarEnd) **uint8) farSetting {
		return farSetting{name, "PRIORITIES", help + ", separated by commas, none or agree",
			func(f *setup.FarEnd, text string) error { return setPriorities(field(f), text) },
			func(f *setup.FarEnd) string {
				return textOr(*field(f), func(s uint8) string { return exec.JoinNumbers(priorities(s)) })
			}}
	}
	trust := func(name, where string, field func(*setup.FarEnd) **setup.Trust) farSetting {
		return farSetting{name, "FIELD", "pcp, dscp or agree: the field that sets the priority of frames " + where,
			func(f *setup.FarEnd, text string) error { return setTrust(field(f), text) },
			func(f *setup.FarEnd) string { return textOr(*field(f), setup.Trust.String) }}
	}
	flag := func(name, help string, field func(*setup.FarEnd) *bool) farSetting {
		return farSetting{name, "YES/NO", help,
			func(f *setup.FarEnd, text string) error {
				var on *bool
				if err := parseYesNo(&on, text); err != nil {
					return err
				}
				*field(f) = *on
				return nil
			},
			func(f *setup.FarEnd) string { return wording.YesNo(*field(f)) }}
	}
	const atSwitch, atPeers = "at the peers' switch port", "at the peers' adapters"
	return []farSetting{
		mode("flow-control", atSwitch, func(f *setup.FarEnd) **description.FlowControl { return &f.FlowControl }),
		set("lossless", "the priorities with PFC "+atSwitch, func(f *setup.FarEnd) **uint8 { return &f.Lossless }),
		trust("trust", atSwitch, func(f *setup.FarEnd) **setup.Trust { return &f.Trust }),
		mode("adapter-flow-control", atPeers, func(f *setup.FarEnd) **description.FlowControl { return &f.AdapterFlowControl }),
		set("adapter-lossless", "the priorities with PFC "+atPeers, func(f *setup.FarEnd) **uint8 { return &f.AdapterLossless }),
		trust("adapter-trust", atPeers, func(f *setup.FarEnd) **setup.Trust { return &f.AdapterTrust }),
		flag("adapter-willing", "whether the peers use the PFC of their switch port by DCBX", func(f *setup.FarEnd) *bool { return &f.AdapterWilling }),
		{"dscp", "CODES", "the DSCPs of the peers' RDMA on priorities 0 to 7, separated by commas, or agree", setCodes, codesText},
		set("reacts", "the priorities on which the peers are reaction points: they slow down for CNPs", func(f *setup.FarEnd) **uint8 { return &f.Reacts }),
		set("notifies", "the priorities on which the peers are notification points: they send CNPs", func(f *setup.FarEnd) **uint8 { return &f.Notifies }),
		flag("drops-notices", "whether the peers' switch port drops CNPs", func(f *setup.FarEnd) *bool { return &f.DropsCNPs }),
		{"slow-peer", "ADDRESS:SHARE", "a peer that takes only a part of the line rate in RDMA, such as 10.7.0.21:0.1, or none", setSlowPeer, slowPeerText},
		{"shares", "NAME", "another connection whose peers are cabled to the same switch port, or none", setShares, sharesText},
	}
}

// textOr returns a setting as text: agree where it is the near end's.
func textOr[T any](own *T, text func(T) string) string {
	if own == nil {
		return agree
	}
	return text(*own)
}

func setMode(into **description.FlowControl, text string) error {
	if *into = nil; strings.EqualFold(text, agree) {
		return nil
	}
	*into = new(description.FlowControl)
	return (*into).UnmarshalText([]byte(strings.ToLower(text)))
}

func setTrust(into **setup.Trust, text string) error {
	if *into = nil; strings.EqualFold(text, agree) {
		return nil
	}
	*into = new(setup.Trust)
	return (*into).UnmarshalText([]byte(text))
}

func setPriorities(into **uint8, text string) error {
	if *into = nil; strings.EqualFold(text, agree) {
		return nil
	}
	var o fabric.SetSwitchPort
	if err := setLossless(&o, text); err != nil {
		return request.Errorf("must be 3, or 3,4, or none, or agree, not %q", text)
	}
	*into = o.Lossless
	return nil
}

func setCodes(f *setup.FarEnd, text string) error {
	if f.DSCP = nil; strings.EqualFold(text, agree) {
		return nil
	}
	var codes dscp.Map
	words := strings.Split(text, ",")
	for i, word := range words {
		n, err := strconv.ParseUint(strings.TrimSpace(word), 10, 8)
		if err != nil || n > 63 || len(words) != len(codes) {
			return request.Errorf("must be eight numbers from 0 to 63, such as 0,8,16,24,32,40,48,56, or agree, not %q", text)
		}
		codes[i] = uint8(n)
	}
	f.DSCP = &codes
	return nil
}

func codesText(f *setup.FarEnd) string {
	return textOr(f.DSCP, func(m dscp.Map) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(m), "[]"), " ", ",") })
}

func setSlowPeer(f *setup.FarEnd, text string) error {
	if f.SlowPeer, f.Takes = "", 0; strings.EqualFold(text, "none") {
		return nil
	}
	at := strings.LastIndexByte(text, ':')
	address, err1 := netip.ParseAddr(text[:max(at, 0)])
	share, err2 := strconv.ParseFloat(text[at+1:], 64)
	if err1 != nil || err2 != nil || !(share >= 0.01 && share <= 1) {
		return request.Errorf("must be an address and a part of the line rate from 0.01 to 1, such as 10.7.0.21:0.1, or none, not %q", text)
	}
	f.SlowPeer, f.Takes = address.String(), share
	return nil
}

func slowPeerText(f *setup.FarEnd) string {
	if f.SlowPeer == "" {
		return "none"
	}
	return f.SlowPeer + ":" + exec.FormatNumber(f.Takes)
}

// setShares stores the name of a connection; the lab checks it.
func setShares(f *setup.FarEnd, text string) error {
	if f.Shares = text; strings.EqualFold(text, "none") {
		f.Shares = ""
	}
	return nil
}

func sharesText(f *setup.FarEnd) string { return cmp.Or(f.Shares, "none") }

// farEndShow shows the far ends of all Ethernet ports, or of one port.
func farEndShow(c *exec.Call, in *exec.OptionalPort) (exec.Answer, error) {
	rows := []farEndReport{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			d, _, _ := h.Lab().Port(port)
			switch {
			case in.Name != "" && in.Name != d.Connection:
			case d.Link == description.Ethernet:
				counts := h.Lab().RemotePath(port)
				rows = append(rows, farEndReport{d.Connection, h.Lab().FarEndSettings(port), farPathOf(&counts)})
			case in.Name != "":
				return exec.NoPriorities(in.Name)
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			FarEnds []farEndReport `json:"far_ends"`
		}{rows},
		Text: func(w io.Writer) error { return writeFarEnds(w, rows) },
	}, err
}

func writeFarEnds(w io.Writer, rows []farEndReport) error {
	for i := range rows {
		r := &rows[i]
		if _, err := fmt.Fprintln(w, "Far end of "+r.Connection); err != nil {
			return err
		}
		t := exec.NewTextTable(w, "SETTING", "VALUE")
		for _, s := range farSettings() {
			t.Row(s.name, s.text(&r.Settings))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		t = exec.NewTextTable(w, "COUNTER", "COUNT")
		p := &r.Counters
		for _, counter := range []struct {
			name string
			list []uint64
		}{
			{"pause frames to the peers", p.PausesToPeers}, {"microseconds the peers were paused", p.PeersHeld}, {"pause frames from the peers", p.PausesFromPeers},
			{"microseconds the switch was paused", p.SwitchHeld}, {"frames dropped by the switch", p.SwitchDrops}, {"frames dropped by the peers", p.PeerDrops},
			{"pause frames that the host did not obey", p.Unheeded}, {"CNPs of the host dropped", []uint64{p.LostNotices}},
		} {
			t.Row(counter.name, strconv.FormatUint(sum(counter.list), 10))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// farEndSet changes settings of the far end of a port's path; the others stay as they are.
func farEndSet(c *exec.Call, in *struct {
	Name     string `is:"connection"`
	Settings []string
}) (exec.Answer, error) {
	change := fabric.SetFarEnd{Connection: in.Name}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if h.Lab().Connection(port) == in.Name {
				change.Settings = h.Lab().FarEndSettings(port)
			}
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	for _, word := range in.Settings {
		key, value, found := strings.Cut(word, "=")
		if !found {
			return exec.Answer{}, exec.Mistake("invalid setting %q: write SETTING=VALUE, such as adapter-lossless=none", word)
		}
		setting, err := findFarSetting(key)
		if err != nil {
			return exec.Answer{}, err
		}
		if err := setting.set(&change.Settings, value); err != nil {
			return exec.Answer{}, exec.Mistake("%s: %v", setting.name, err)
		}
	}
	return c.ApplyOne(change)
}

func findFarSetting(name string) (farSetting, error) {
	var names []string
	name = strings.ReplaceAll(name, "_", "-") // JSON fields have underscores
	for _, s := range farSettings() {
		if strings.EqualFold(s.name, name) {
			return s, nil
		}
		names = append(names, s.name)
	}
	return farSetting{}, exec.Mistake("a far end has no setting %q%s", name,
		exec.Suggest(name, names, "choose from "+strings.Join(names, ", ")))
}

// farSettingsHelp lists the settings for a help page.
func farSettingsHelp() string {
	var parts []string
	for _, s := range farSettings() {
		parts = append(parts, fmt.Sprintf("%s=%s (%s)", s.name, s.value, s.help))
	}
	return "Settings: " + strings.Join(parts, ", ") + "."
}
