package boot

import (
	"encoding/json"
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
)

// host is the default lab.
type host struct{ lab *device.Lab }

func newHost(t *testing.T) host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return host{lab}
}

func (h host) Lab() *device.Lab { return h.lab }

func (h host) Port(connection string) (int, error) {
	for port := range h.lab.Ports() {
		if h.lab.Connection(port) == connection {
			return port, nil
		}
	}
	return 0, errors.New("no such port")
}

func (host) Flash(_ int, name string) uint32 {
	return map[string]uint32{"BOOT_OPTION_ROM_EN": 1, "LEGACY_BOOT_PROTOCOL": PXE, "BOOT_VLAN": 1}[name]
}

var server, client = netip.MustParseAddr("11.4.12.65"), netip.MustParseAddr("11.4.12.70")

const iqn = "iqn:2011-01:iscsiboot"

// ready returns a port and servers with which all stages succeed.
func ready() (*Facts, *State) {
	f := &Facts{Connection: "Ethernet 3", Adapter: "ConnectX-3 Pro", MAC: "e41d2db07a11", GUID: "e61d2dfffeb07a11", Cabled: true, Firmware: "2.42.5000", WinOF: true,
		RomEnabled: true, Protocol: PXE, Number: 1, Device: "mt4103_pciconf0"}
	s := &State{
		Client: Client{Order: []string{"Ethernet 3", Disk}},
		DHCP: DHCP{Address: server, Scope: netip.MustParsePrefix("11.4.12.0/24"), Reservations: []Reservation{{Address: client, Client: f.MAC, Options: []Option{
			{RootPath, "iscsi:11.4.12.65::::" + iqn}, {ClassID, "PXEClient"}, {BootServer, "11.4.12.65"}, {BootFile, `boot\x86\wdsnbp.com`},
		}}}},
		WDS:    WDS{Address: server, Ready: true, Files: []File{{BootFileName, []int{2}}, {InstallFileName, []int{4}}}},
		Target: Target{Address: server, Name: iqn, Initiators: []netip.Addr{client}},
	}
	s.WDS.Publish(BootFileName, true)
	s.WDS.Publish(InstallFileName, true)
	return f, s
}

// TestCauses: each cause ends the boot at its stage, says what cures it, and without it the boot goes to the end.
func TestCauses(t *testing.T) {
	t.Parallel()
	option := func(id int, value string) func(*Facts, *State) {
		return func(_ *Facts, s *State) {
			r := &s.DHCP.Reservations[0]
			for i := range r.Options {
				if r.Options[i].ID == id {
					r.Options[i].Value = value
				}
			}
		}
	}
	for what, c := range map[string]struct {
		change           func(*Facts, *State)
		stage, text, fix string
	}{
		"nothing":               {func(*Facts, *State) {}, "Windows", "boots from the iSCSI target", ""},
		"no boot order":         {func(_ *Facts, s *State) { s.Client.Order = nil }, "BIOS", "no network device", "boot order"},
		"disk first":            {func(_ *Facts, s *State) { s.Client.Order = []string{Disk, "Ethernet 3"} }, "BIOS", "before the card", "boot order"},
		"no ROM":                {func(_ *Facts, s *State) { s.Client.Roms = []CardRom{{"ConnectX-3 Pro", NoRom}} }, "option ROM", "no expansion ROM", "boot rom"},
		"ROM off":               {func(f *Facts, _ *State) { f.RomEnabled = false }, "option ROM", "is off", "BOOT_OPTION_ROM_EN_P1=1"},
		"no protocol":           {func(f *Facts, _ *State) { f.Protocol = NoProtocol }, "option ROM", "no boot protocol", "LEGACY_BOOT_PROTOCOL_P1=1"},
		"old firmware":          {func(f *Facts, _ *State) { f.OldFirmware = true }, "option ROM", "older than 2.30.8000", "ethernet"},
		"new firmware":          {func(_ *Facts, s *State) { s.Client.Roms = []CardRom{{"ConnectX-3 Pro", Ethernet}} }, "option ROM", "does not support", "vpi"},
		"InfiniBand":            {func(f *Facts, s *State) { f.InfiniBand = true; s.Client.Roms = []CardRom{{"ConnectX-3 Pro", Ethernet}} }, "option ROM", "InfiniBand", "vpi"},
		"another driver":        {func(f *Facts, _ *State) { f.WinOF = false }, "option ROM", "WinOF", "WinOF"},
		"no cable":              {func(f *Facts, _ *State) { f.Cabled = false }, "link", "no link", "cable plug"},
		"no server":             {func(_ *Facts, s *State) { s.DHCP = DHCP{} }, "DHCP", "PXE-E51", "add scope"},
		"VLAN of the servers":   {func(_ *Facts, s *State) { s.DHCP.VLAN = 5 }, "DHCP", "PXE-E51", "in VLAN 5"},
		"VLAN of the client":    {func(f *Facts, _ *State) { f.VLAN = 5 }, "DHCP", "PXE-E51", "BOOT_VLAN_P1"},
		"no reservation":        {func(_ *Facts, s *State) { s.DHCP.Reservations = nil }, "DHCP", "PXE-E53", "add reservedip"},
		"root path":             {option(RootPath, "11.4.12.65:"+iqn), "iSCSI", "root path is wrong", "iscsi:SERVER"},
		"protocol of the root":  {option(RootPath, "iscsi:11.4.12.65:17:::"+iqn), "iSCSI", "root path is wrong", "protocol"},
		"server of the root":    {option(RootPath, "iscsi:11.4.12.66::::"+iqn), "iSCSI", "timed out", "11.4.12.66"},
		"port of the root":      {option(RootPath, "iscsi:11.4.12.65::3261::"+iqn), "iSCSI", "timed out", "3261"},
		"name of the root":      {option(RootPath, "iscsi:11.4.12.65::::iqn.2020-01:x"), "iSCSI", "not found", iqn},
		"LUN":                   {option(RootPath, "iscsi:11.4.12.65:::1:"+iqn), "iSCSI", "no such LUN", "disk=on"},
		"no root with iSCSI":    {func(f *Facts, s *State) { f.Protocol = ISCSI; option(RootPath, "")(f, s) }, "iSCSI", "No root path", "option 17"},
		"initiator":             {func(_ *Facts, s *State) { s.Target.Initiators = nil }, "iSCSI", "not authorized", "initiator=11.4.12.70"},
		"no disk":               {func(_ *Facts, s *State) { s.Target.NoDisk = true }, "iSCSI", "no such LUN", "disk=on"},
		"no WDS":                {func(_ *Facts, s *State) { s.WDS.Ready = false }, "network boot", "PXE-E53", "Initialize-Server"},
		"class":                 {option(ClassID, ""), "network boot", "PXE-E53", "60 STRING PXEClient"},
		"boot server":           {option(BootServer, "11.4.12.99"), "network boot", "PXE-E32", "66 STRING 11.4.12.65"},
		"boot file":             {option(BootFile, "pxelinux.0"), "network boot", "PXE-T01", "67 STRING"},
		"WDS elsewhere":         {func(_ *Facts, s *State) { s.WDS.Address = client }, "network boot", "PXE-E55", "remove options"},
		"no boot image":         {func(_ *Facts, s *State) { s.WDS.Publish(BootFileName, false) }, "boot image", "no boot image", "Add-Image"},
		"boot driver":           {func(_ *Facts, s *State) { s.WDS.Published = nil }, "driver", "no driver", "dism"},
		"no install image":      {func(_ *Facts, s *State) { s.WDS.Publish(InstallFileName, false) }, "operating system", "no install image", "Add-Image"},
		"driver of the edition": {func(_ *Facts, s *State) { s.WDS.Published = s.WDS.Published[:1] }, "Windows", "0x7B", "install.wim"},
		"no drive":              {option(RootPath, ""), "drive", "no iSCSI drive", "option 17"},
	} {
		f, s := ready()
		c.change(f, s)
		result, _ := s.Walk(f, Start{Connection: f.Connection, F12: true, OS: 4})
		last := result.Stages[len(result.Stages)-1]
		if last.Name != c.stage || !strings.Contains(last.Text, c.text) || !strings.Contains(last.Fix, c.fix) || (last.Fix == "") != (c.fix == "") {
			t.Errorf("%s: %+v", what, last)
		}
	}
}

// TestServersApart: with DHCP and WDS on different machines the options stay empty, and WDS announces itself.
func TestServersApart(t *testing.T) {
	t.Parallel()
	f, s := ready()
	s.WDS.Address = netip.MustParseAddr("11.4.12.66")
	s.DHCP.Reservations[0].Options = s.DHCP.Reservations[0].Options[:1]
	start := Start{Connection: f.Connection, F12: true, OS: 4}
	if result, _ := s.Walk(f, start); !strings.Contains(result.Stages[len(result.Stages)-1].Fix, "DhcpOption60:Yes") {
		t.Errorf("%+v", result)
	}
	s.WDS.Option60 = true
	result, drive := s.Walk(f, start)
	if result.Booted == "" || drive != (Drive{Images(InstallFileName)[3], true}) {
		t.Errorf("%+v, %+v", result, drive)
	}
	if s.Client.Drive = drive; s.Client.Drive.Edition == "" {
		t.Fatal("no Windows")
	}
	if result, _ := s.Walk(f, Start{Connection: f.Connection}); result.Booted != drive.Edition {
		t.Errorf("the disk does not boot: %+v", result)
	}
}

// TestChange: a change has an inverse, is refused where it can't be, and a run is kept.
func TestChange(t *testing.T) {
	t.Parallel()
	f, s := ready()
	set := Set{newHost(t), s}
	before, _ := json.Marshal(s)
	o := Change{What: "x", Client: &Client{Order: []string{Disk}}, ISCSI: &Target{Name: "a"}}
	back, err := o.Inverse(set)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Apply(set); err != nil || s.Target.Name != "a" {
		t.Fatal(err)
	}
	if err := back.Apply(set); err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(s); !reflect.DeepEqual(after, before) {
		t.Errorf("%s\nafter undo %s", before, after)
	}
	for what, bad := range map[string]Change{
		"nothing": {What: "x"}, "no port": {Client: &Client{Order: []string{"Ethernet 99"}}}, "the same": {Client: &s.Client}, "a VLAN": {DHCP: &DHCP{VLAN: 5000}},
		"a client": {DHCP: &DHCP{Scope: s.DHCP.Scope, Reservations: []Reservation{{Address: client, Client: "x"}}}},
		"outside":  {DHCP: &DHCP{Reservations: []Reservation{{Address: client, Client: f.MAC}}}}, "an index": {WDS: &WDS{Mounted: Mounted{File: BootFileName, Index: 3}}},
		"a ROM": {Client: &Client{Roms: []CardRom{{"x", "big"}}}},
	} {
		if _, err := bad.Inverse(set); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	start := Start{Connection: f.Connection, F12: true, OS: 4}
	if _, err := start.Inverse(set); err != nil {
		t.Fatal(err)
	}
	if err := start.Apply(set); err != nil || s.Last.Booted == "" || s.Client.Drive.Edition == "" || s.Check() != nil {
		t.Errorf("%v: %+v", err, s.Last)
	}
	if _, err := (Start{Connection: "x"}).Inverse(set); err == nil {
		t.Error("a boot over no port is accepted")
	}
}

// FuzzRootPath: any root path is an error, or has a server and a target.
func FuzzRootPath(f *testing.F) {
	for _, text := range []string{"iscsi:11.4.12.65::::" + iqn, "iscsi:::::", "iscsi:11.4.12.65:6:3260:0:a", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := parseRoot(text); err == nil && (!p.server.IsValid() || p.name == "" || p.port < 0 || p.lun < 0) {
			t.Errorf("%q: %+v", text, p)
		}
	})
}
