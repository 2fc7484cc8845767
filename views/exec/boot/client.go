package boot

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// order sets the boot order of the BIOS: connections and disk.
func order(c *exec.Call) (exec.Answer, error) {
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	var list []string
	for _, word := range c.Arguments {
		name := boot.Disk
		if !strings.EqualFold(word, boot.Disk) {
			if name, err = exec.Connection(view, word); err != nil {
				return exec.Answer{}, err
			}
		}
		if slices.Contains(list, name) {
			return exec.Answer{}, exec.Mistake("%s is named twice", name)
		}
		list = append(list, name)
	}
	if len(list) == 1 && list[0] == boot.Disk {
		list = nil
	}
	s.Client.Order = list
	return c.ApplyOne(boot.Change{What: "set the boot order of the BIOS to " + strings.Join(c.Arguments, ", "), Client: &s.Client})
}

// burnRom burns the expansion ROM of a card.
func burnRom(c *exec.Call) (exec.Answer, error) {
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	at := slices.IndexFunc(view.Adapters, func(a driver.AdapterView) bool { return strings.EqualFold(a.Description.Name, c.Arguments[0]) })
	if at < 0 {
		return exec.Answer{}, request.Errorf("there is no adapter %q; adapter list lists them", c.Arguments[0])
	}
	name, rom := view.Adapters[at].Description.Name, boot.Rom(strings.ToLower(c.Arguments[1]))
	if rom != boot.VPI && rom != boot.Ethernet && rom != boot.NoRom {
		return exec.Answer{}, exec.Mistake("the ROM is vpi, ethernet or none, not %q", c.Arguments[1])
	}
	list := slices.DeleteFunc(slices.Clone(s.Client.Roms), func(r boot.CardRom) bool { return r.Adapter == name })
	if rom != boot.VPI {
		list = append(list, boot.CardRom{Adapter: name, Rom: rom})
	}
	if s.Client.Roms = list; len(list) == 0 {
		s.Client.Roms = nil
	}
	return c.ApplyOne(boot.Change{What: fmt.Sprintf("burn the expansion ROM of %s: %s", name, rom), Client: &s.Client})
}

// servers moves the servers to a VLAN.
func servers(c *exec.Call) (exec.Answer, error) {
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	name, value, _ := strings.Cut(c.Arguments[0], "=")
	if !strings.EqualFold(name, "vlan") || len(c.Arguments) > 1 {
		return exec.Answer{}, exec.Mistake("boot servers takes vlan=ID, 0 for untagged frames")
	}
	if s.DHCP.VLAN, err = exec.Integer(value, "the VLAN", 0, 4094); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(boot.Change{What: "put the servers into VLAN " + value, DHCP: &s.DHCP})
}

// target sets the iSCSI target: boot target NAME ADDRESS [initiator=ADDRESS]... [disk=on|off].
func target(c *exec.Call) (exec.Answer, error) {
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	t := &s.Target
	if c.Arguments[0] != t.Name {
		*t = boot.Target{Name: c.Arguments[0]}
	}
	if t.Address, err = readAddress(c.Arguments[1]); err != nil {
		return exec.Answer{}, err
	}
	for _, word := range c.Arguments[2:] {
		name, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(name) {
		case "initiator":
			address, err := readAddress(value)
			if err != nil {
				return exec.Answer{}, err
			}
			if !slices.Contains(t.Initiators, address) {
				t.Initiators = append(slices.Clone(t.Initiators), address)
			}
		case "without":
			t.Initiators = slices.DeleteFunc(slices.Clone(t.Initiators), func(a netip.Addr) bool { return a.String() == value })
			if len(t.Initiators) == 0 {
				t.Initiators = nil
			}
		case "disk":
			if value != "on" && value != "off" {
				return exec.Answer{}, exec.Mistake("disk must be on or off, not %q", value)
			}
			t.NoDisk = value == "off"
		default:
			return exec.Answer{}, exec.Mistake("a target takes initiator=ADDRESS, without=ADDRESS and disk=on or off, not %q", word)
		}
	}
	return c.ApplyOne(boot.Change{What: "set the iSCSI target " + t.Name, ISCSI: t})
}

// run boots the host over the network: boot run CONNECTION [--f12] [--image N] [--os N].
func run(c *exec.Call) (exec.Answer, error) {
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	start := boot.Start{}
	if start.Connection, err = exec.Connection(view, c.Arguments[0]); err != nil {
		return exec.Answer{}, err
	}
	for i := 1; i < len(c.Arguments); i++ {
		into := map[string]*int{"--image": &start.Image, "--os": &start.OS}[strings.ToLower(c.Arguments[i])]
		switch {
		case strings.EqualFold(c.Arguments[i], "--f12"):
			start.F12 = true
			continue
		case into == nil:
			return exec.Answer{}, exec.Mistake("boot run takes --f12, --image N and --os N, not %q", c.Arguments[i])
		case i+1 == len(c.Arguments):
			return exec.Answer{}, exec.Mistake("boot run requires a number after %s", c.Arguments[i])
		}
		i++
		if *into, err = exec.Integer(c.Arguments[i], "a number in the list", 1, 99); err != nil {
			return exec.Answer{}, err
		}
	}
	plan := driver.Plan{Title: "Boot " + view.Name + " over " + start.Connection, Operations: []driver.Operation{adapters.Reboot{Host: view.Name}, start}}
	if _, err := c.Host.Apply(c.Ctx, plan); err != nil {
		return exec.Answer{}, err
	}
	s, err := state(c)
	return result(&s.Last), err
}

// result prints a run; a boot that ends without the network is a failure.
func result(r *boot.Result) exec.Answer {
	var lines []string
	failed := false
	for _, stage := range r.Stages {
		lines = append(lines, fmt.Sprintf("%-16s %s", stage.Name, stage.Text))
		if failed = stage.Fix != ""; failed {
			lines = append(lines, strings.Repeat(" ", 17)+"Fix: "+stage.Fix+".")
		}
	}
	if r.Booted != "" {
		lines = append(lines, fmt.Sprintf("%-16s %s.", "Booted", r.Booted))
	}
	answer := exec.PrintLines(lines, struct {
		Connection string       `json:"connection"`
		Stages     []boot.Stage `json:"stages"`
		Booted     string       `json:"booted,omitempty"`
	}{r.Connection, r.Stages, r.Booted})
	answer.Failed = failed
	return answer
}

// show prints the client, the servers and the newest run.
func show(c *exec.Call) (exec.Answer, error) {
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	or := func(text, none string) string {
		if text == "" {
			return none
		}
		return text
	}
	lines := []string{"Boot order      " + or(strings.Join(s.Client.Order, ", "), boot.Disk)}
	for _, r := range s.Client.Roms {
		lines = append(lines, fmt.Sprintf("Expansion ROM   %s of %s", r.Rom, r.Adapter))
	}
	lines = append(lines, "iSCSI disk      "+or(s.Client.Drive.Edition, "empty"))
	switch d := &s.DHCP; {
	case !d.Address.IsValid():
		lines = append(lines, "DHCP            no server")
	default:
		lines = append(lines, fmt.Sprintf("DHCP            %s, scope %s", d.Address, d.Scope))
		for i := range d.Reservations {
			r := &d.Reservations[i]
			lines = append(lines, fmt.Sprintf("                %s for %s", r.Address, r.Client))
			for _, o := range r.Options {
				lines = append(lines, fmt.Sprintf("                  option %d %s", o.ID, o.Value))
			}
		}
	}
	if s.DHCP.VLAN > 0 {
		lines = append(lines, fmt.Sprintf("VLAN            %d", s.DHCP.VLAN))
	}
	w := &s.WDS
	switch {
	case !w.Ready:
		lines = append(lines, "WDS             no server")
	default:
		has := map[bool]string{true: "yes", false: "no"}
		lines = append(lines, fmt.Sprintf("WDS             %s, boot image %s, install image %s, option 60 %s", w.Address, has[w.Boot], has[w.Install], has[w.Option60]))
	}
	for _, f := range w.Files {
		lines = append(lines, fmt.Sprintf("Drivers in      %s, index %s", f.Name, strings.Trim(fmt.Sprint(f.Drivers), "[]")))
	}
	if w.Mounted.File != "" {
		lines = append(lines, fmt.Sprintf("Mounted         %s, index %d, at %s", w.Mounted.File, w.Mounted.Index, w.Mounted.Folder))
	}
	if t := &s.Target; t.Name != "" {
		lines = append(lines, fmt.Sprintf("iSCSI target    %s at %s, initiators %s%s", t.Name, t.Address, or(strings.Trim(fmt.Sprint(t.Initiators), "[]"), "none"), map[bool]string{true: ", without a disk"}[t.NoDisk]))
	} else {
		lines = append(lines, "iSCSI target    none")
	}
	return exec.PrintLines(lines, struct {
		Client boot.Client `json:"client"`
		DHCP   boot.DHCP   `json:"dhcp"`
		WDS    boot.WDS    `json:"wds"`
		Target boot.Target `json:"iscsi_target"`
		Last   boot.Result `json:"last,omitzero"`
	}{s.Client, s.DHCP, s.WDS, s.Target, s.Last}), nil
}
