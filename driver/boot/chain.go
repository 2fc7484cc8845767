package boot

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// The protocols of the option ROM.
const (
	NoProtocol = iota
	PXE
	ISCSI
)

// Stage is a stage of a boot.
type Stage struct {
	Name string `json:"name"`
	// Text is what the screen of the client shows. Fix is empty for a stage that succeeded, and else cures the cause.
	Text string `json:"text"`
	Fix  string `json:"fix,omitempty"`
}

// Result is a run of the stages.
type Result struct {
	Connection string  `json:"connection"`
	Stages     []Stage `json:"stages"`
	// Booted is what runs at the end: "Windows on the disk", "Windows Setup", an edition; empty for a boot that failed.
	Booted string `json:"booted,omitempty"`
}

// Images of the list that the server presents, and what a client reads at each stage.
const (
	setupIndex = 2
	onDisk     = "Windows on the local disk"
)

// run is a walk through the stages.
type run struct {
	*State
	facts  *Facts
	start  Start
	result Result
	lease  *Reservation
	// disk reports that the iSCSI disk is attached.
	disk bool
	drv  Drive
}

func (r *run) ok(name, format string, args ...any) bool {
	r.result.Stages = append(r.result.Stages, Stage{Name: name, Text: fmt.Sprintf(format, args...)})
	return true
}

// fails ends the run.
func (r *run) fails(name, text, format string, args ...any) bool {
	r.result.Stages = append(r.result.Stages, Stage{name, text, fmt.Sprintf(format, args...)})
	return false
}

// Walk runs the stages of a boot, and returns them with the Windows that is then on the iSCSI disk.
func (s *State) Walk(f *Facts, start Start) (Result, Drive) {
	r := &run{State: s, facts: f, start: start, result: Result{Connection: f.Connection}, drv: s.Client.Drive}
	_ = r.bios() && r.rom() && r.link() && r.discover() && r.login() && r.windows()
	return r.result, r.drv
}

func (r *run) bios() bool {
	order := r.Client.Order
	at, disk := slices.Index(order, r.facts.Connection), slices.Index(order, Disk)
	switch {
	case at < 0:
		r.result.Booted = onDisk
		return r.fails("BIOS", "The boot order has no network device: "+onDisk+" starts.", "put the card first: boot order %q disk", r.facts.Connection)
	case disk >= 0 && disk < at:
		r.result.Booted = onDisk
		return r.fails("BIOS", "The disk is before the card in the boot order: "+onDisk+" starts.", "put the card first: boot order %q disk", r.facts.Connection)
	}
	return r.ok("BIOS", "The card of %s is the boot device.", r.facts.Connection)
}

// rom checks the option ROM: that the card has one, for its link type and firmware, and that it is turned on.
func (r *run) rom() bool {
	f, rom := r.facts, r.Client.RomOf(r.facts.Adapter)
	set := func(name string, value int) string {
		return fmt.Sprintf("mlxconfig -d %s set %s_P%d=%d, and a reboot", f.Device, name, f.Number, value)
	}
	const name = "option ROM"
	switch {
	case !f.WinOF:
		return r.fails(name, "The manual describes this boot for WinOF cards; "+f.Adapter+" has none of its settings.", "choose a connection of a WinOF card")
	case rom == NoRom:
		return r.fails(name, "No FlexBoot banner appears: the card has no expansion ROM. No boot device was found.", "burn FlexBoot: boot rom %q vpi", f.Adapter)
	case !f.RomEnabled:
		return r.fails(name, "No FlexBoot banner appears: the option ROM of the port is off.", "%s", set("BOOT_OPTION_ROM_EN", 1))
	case f.InfiniBand && rom == Ethernet:
		return r.fails(name, "FlexBoot for Ethernet does not initialize the InfiniBand port.", "burn the VPI FlexBoot: boot rom %q vpi", f.Adapter)
	case !f.InfiniBand && f.OldFirmware && rom == VPI:
		return r.fails(name, "FlexBoot fails to initialize the port: firmware "+f.Firmware+" is older than 2.30.8000 and needs the Ethernet FlexBoot.",
			"burn it, or newer firmware: boot rom %q ethernet", f.Adapter)
	case !f.InfiniBand && !f.OldFirmware && rom == Ethernet:
		return r.fails(name, "FlexBoot for Ethernet does not support firmware "+f.Firmware+".", "burn the VPI FlexBoot: boot rom %q vpi", f.Adapter)
	case f.Protocol == NoProtocol:
		return r.fails(name, "FlexBoot starts, and the port has no boot protocol.", "%s", set("LEGACY_BOOT_PROTOCOL", PXE))
	}
	return r.ok(name, "FlexBoot starts on %s, firmware %s, protocol %s.", f.Adapter, f.Firmware, map[int]string{PXE: "PXE", ISCSI: "iSCSI"}[f.Protocol])
}

func (r *run) link() bool {
	if !r.facts.Cabled {
		return r.fails("link", "Waiting for link-up ... failed: the port has no link.", "plug the cable: cable plug %q", r.facts.Connection)
	}
	return r.ok("link", "The link is up.")
}

// discover asks for an address.
func (r *run) discover() bool {
	f, d := r.facts, &r.DHCP
	const name, silence = "DHCP", "No DHCP or proxyDHCP offers were received (PXE-E51)."
	switch {
	case !d.Address.IsValid():
		return r.fails(name, silence, "there is no DHCP server with a scope: netsh dhcp server add scope 11.4.12.0 255.255.255.0 Boot")
	case f.VLAN != d.VLAN:
		what := func(vlan int) string {
			if vlan == 0 {
				return "untagged"
			}
			return fmt.Sprintf("in VLAN %d", vlan)
		}
		return r.fails(name, silence, "the client asks %s, and the servers are %s: set BOOT_VLAN_EN_P%d and BOOT_VLAN_P%d with mlxconfig, or move the servers with boot servers", what(f.VLAN), what(d.VLAN), f.Number, f.Number)
	}
	for i := range d.Reservations {
		if c := d.Reservations[i].Client; c == f.MAC || c == f.GUID {
			r.lease = &d.Reservations[i]
		}
	}
	if r.lease == nil {
		return r.fails(name, "An address was offered without a boot server or a root path (PXE-E53: no boot filename received).", "the scope has no reservation for %s: netsh dhcp server scope %s add reservedip ADDRESS %s",
			f.MAC, d.Scope.Addr(), f.MAC)
	}
	return r.ok(name, "The client has the address %s from %s.", r.lease.Address, d.Address)
}

// root is a parsed root path.
type root struct {
	server netip.Addr
	port   int
	lun    int
	name   string
}

// parseRoot parses iscsi:SERVER:PROTOCOL:PORT:LUN:TARGET. The name of the target has colons, too.
func parseRoot(text string) (p root, err error) {
	parts := strings.SplitN(text, ":", 6)
	if len(parts) != 6 || parts[0] != "iscsi" || parts[5] == "" {
		return p, fmt.Errorf("the root path is iscsi:SERVER:PROTOCOL:PORT:LUN:TARGET, with empty parts for the defaults, not %s", text)
	}
	if p.server, err = netip.ParseAddr(parts[1]); err != nil {
		return p, fmt.Errorf("the server of the root path is an address, not %q", parts[1])
	}
	if parts[2] != "" && parts[2] != "6" {
		return p, fmt.Errorf("the protocol of the root path is empty or 6, for TCP, not %q", parts[2])
	}
	p.port, p.name = 3260, parts[5]
	for i, into := range map[int]*int{3: &p.port, 4: &p.lun} {
		if parts[i] == "" {
			continue
		}
		if *into, err = strconv.Atoi(parts[i]); err != nil || *into < 0 || *into > 65535 {
			return p, fmt.Errorf("port and LUN of the root path are numbers, not %q", parts[i])
		}
	}
	return p, nil
}

// login attaches the iSCSI disk of the root path, if there is one.
func (r *run) login() bool {
	const name = "iSCSI"
	text := r.lease.Option(RootPath)
	option := fmt.Sprintf("netsh dhcp server scope %s set reservedoptionvalue %s 17 STRING", r.DHCP.Scope.Addr(), r.lease.Address)
	if text == "" {
		if r.facts.Protocol == ISCSI {
			return r.fails(name, "No root path was received: the client has no target.", "set option 17: %s iscsi:SERVER::::TARGET", option)
		}
		return r.ok(name, "There is no root path, and so no iSCSI disk.")
	}
	p, err := parseRoot(text)
	t := &r.Target
	refused := func(why string) string { return fmt.Sprintf("Could not open SAN device %s: %s", text, why) }
	switch {
	case err != nil:
		return r.fails(name, refused("the root path is wrong."), "%s: %s", err, option)
	case !t.Address.IsValid() || p.server != t.Address || p.port != 3260:
		return r.fails(name, refused("the connection timed out."), "no target waits at %s, port %d; boot target sets the target, and option 17 the root path: %s", p.server, p.port, option)
	case p.name != t.Name:
		return r.fails(name, refused("the target was not found."), "the server has the target %s: %s iscsi:%s::::%s", t.Name, option, t.Address, t.Name)
	case !slices.Contains(t.Initiators, r.lease.Address):
		return r.fails(name, refused("the login was refused: the initiator is not authorized."), "allow the client: boot target %s %s initiator=%s", t.Name, t.Address, r.lease.Address)
	case t.NoDisk || p.lun != 0:
		return r.fails(name, refused("the target has no such LUN."), "give the target a disk as LUN 0: boot target %s %s disk=on", t.Name, t.Address)
	}
	r.disk = true
	return r.ok(name, "The disk of %s is attached.", t.Name)
}

// windows boots the disk, or goes on with the deployment server.
func (r *run) windows() bool {
	if r.disk && r.drv.Edition != "" && !r.start.F12 {
		if !r.drv.Driver {
			return r.fails("Windows", "Stop code INACCESSIBLE_BOOT_DEVICE (0x7B): Windows on the iSCSI disk has no driver of the card.",
				"add the driver to the image of the edition with dism, and install again: boot run %q --f12", r.facts.Connection)
		}
		r.result.Booted = r.drv.Edition
		return r.ok("Windows", "%s boots from the iSCSI target.", r.drv.Edition)
	}
	if !r.start.F12 {
		r.result.Booted = onDisk
		return r.fails("network boot", "Press F12 for network service boot ... no key was pressed: "+onDisk+" starts.", "press F12: boot run %q --f12", r.facts.Connection)
	}
	return r.bootProgram() && r.setup()
}

// bootProgram finds the deployment server and loads its boot program.
func (r *run) bootProgram() bool {
	const name = "network boot"
	w, l := &r.WDS, r.lease
	class, server, file := l.Option(ClassID), l.Option(BootServer), l.Option(BootFile)
	option := func(id int, value string) string {
		return fmt.Sprintf("netsh dhcp server scope %s set reservedoptionvalue %s %d STRING %s", r.DHCP.Scope.Addr(), l.Address, id, value)
	}
	same := w.Address == r.DHCP.Address
	switch {
	case !w.Ready:
		return r.fails(name, "No boot filename received (PXE-E53).", "there is no deployment server: wdsutil /Initialize-Server /RemInst:C:\\RemoteInstall")
	case !same && (class != "" || server != "" || file != ""):
		return r.fails(name, "ProxyDHCP service did not reply to request on port 4011 (PXE-E55).", "DHCP and WDS are on different servers: remove options 60, 66 and 67 with delete reservedoptionvalue, and set option 60 in WDS")
	case !same && !w.Option60:
		return r.fails(name, "No boot filename received (PXE-E53).", "WDS on another server than DHCP must announce option 60: wdsutil /Set-Server /DhcpOption60:Yes")
	case !same:
	case class != "PXEClient":
		return r.fails(name, "No boot filename received (PXE-E53).", "DHCP and WDS are on one server, and option 60 is not PXEClient: %s", option(ClassID, "PXEClient"))
	case server != w.Address.String():
		return r.fails(name, "TFTP open timeout (PXE-E32): no server answers at "+strconv.Quote(server)+".", "option 66 is the address of the WDS server: %s", option(BootServer, w.Address.String()))
	case !strings.EqualFold(file, `boot\x86\wdsnbp.com`):
		return r.fails(name, "TFTP error: file not found (PXE-T01): "+strconv.Quote(file)+".", `option 67 is the boot program: %s`, option(BootFile, `boot\x86\wdsnbp.com`))
	}
	return r.ok(name, `boot\x86\wdsnbp.com was loaded from %s.`, w.Address)
}

// setup goes from the list of boot images to the installed Windows.
func (r *run) setup() bool {
	w := &r.WDS
	images, editions := Images(BootFileName), Images(InstallFileName)
	image := r.start.Image
	if image == 0 {
		image = setupIndex
	}
	switch {
	case !w.Boot:
		return r.fails("boot image", "The server has no boot image to offer.", "wdsutil /Add-Image /ImageFile:%s /ImageType:Boot", BootFileName)
	case image > len(images):
		return r.fails("boot image", fmt.Sprintf("The list has %d images, and no number %d.", len(images), image), "choose an image from 1 to %d", len(images))
	}
	r.ok("boot image", "%s is loaded.", images[image-1])
	if !HasDriver(w.Published, BootFileName, image) {
		return r.fails("driver", "WdsClient: an error occurred while obtaining an IP address from the DHCP server: the image has no driver of the card.",
			"add the driver to index %d of %s with dism, and add the file to WDS again", image, BootFileName)
	}
	if image != setupIndex {
		r.result.Booted = images[image-1]
		return r.ok("Windows PE", "%s runs with the network.", images[image-1])
	}
	if !w.Install {
		return r.fails("operating system", "The server has no install image to offer.", "wdsutil /Add-Image /ImageFile:%s /ImageType:Install", InstallFileName)
	}
	if r.start.OS < 1 || r.start.OS > len(editions) {
		r.result.Booted = images[image-1]
		return r.fails("operating system", "Windows Setup waits for the choice of an operating system.", "choose one: boot run %q --f12 --os 1 to %d", r.facts.Connection, len(editions))
	}
	edition := editions[r.start.OS-1]
	if !r.disk {
		return r.fails("drive", "Windows Setup finds no iSCSI drive: no target was attached.", "set the root path, option 17")
	}
	r.drv = Drive{edition, HasDriver(w.Published, InstallFileName, r.start.OS)}
	r.ok("installation", "%s is installed on the iSCSI drive, and the client boots again.", edition)
	if !r.drv.Driver {
		return r.fails("Windows", "Stop code INACCESSIBLE_BOOT_DEVICE (0x7B): the installed Windows has no driver of the card.",
			"add the driver to index %d of %s with dism, add the file to WDS again, and install again", r.start.OS, InstallFileName)
	}
	r.result.Booted = edition
	return r.ok("Windows", "%s boots from the iSCSI target.", edition)
}
