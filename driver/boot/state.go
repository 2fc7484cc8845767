package boot

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/driver/request"
)

// Rom is the kind of expansion ROM in the flash of a card.
type Rom string

// The kinds: FlexBoot for both link types, which a card has as delivered, the FlexBoot for Ethernet alone, and none.
const (
	VPI      Rom = "vpi"
	Ethernet Rom = "ethernet"
	NoRom    Rom = "none"
)

// Disk is the local disk in the boot order.
const Disk = "disk"

// Client is what the booting machine itself has.
type Client struct {
	// Order is the boot order of the BIOS: connections and Disk; empty for the disk alone.
	Order []string `json:"order,omitempty"`
	// Roms are the cards whose expansion ROM differs from VPI.
	Roms []CardRom `json:"roms,omitempty"`
	// Drive is the Windows on the iSCSI disk.
	Drive Drive `json:"drive,omitzero"`
}

// CardRom is the expansion ROM of a card.
type CardRom struct {
	Adapter string `json:"adapter"`
	Rom     Rom    `json:"rom"`
}

// Drive is an installed Windows: its edition, empty for none, and whether it has the driver of the card.
type Drive struct {
	Edition string `json:"edition,omitempty"`
	Driver  bool   `json:"driver,omitempty"`
}

// RomOf returns the expansion ROM of a card.
func (c *Client) RomOf(adapter string) Rom {
	for _, r := range c.Roms {
		if r.Adapter == adapter {
			return r.Rom
		}
	}
	return VPI
}

// DHCP is the DHCP server.
type DHCP struct {
	Address netip.Addr   `json:"address,omitzero"`
	Scope   netip.Prefix `json:"scope,omitzero"`
	// VLAN is the VLAN of the servers, 0 for untagged frames.
	VLAN         int           `json:"vlan,omitempty"`
	Reservations []Reservation `json:"reservations,omitempty"`
}

// Reservation is an address for a client with its options.
type Reservation struct {
	Address netip.Addr `json:"address"`
	// Client is the MAC address or the GUID, hex digits in lower case.
	Client  string   `json:"client"`
	Options []Option `json:"options,omitempty"`
}

// Option is an option of a reservation: 17, 60, 66 or 67.
type Option struct {
	ID    int    `json:"id"`
	Value string `json:"value"`
}

// Option returns the value of an option, empty for none.
func (r *Reservation) Option(id int) string {
	for _, o := range r.Options {
		if o.ID == id {
			return o.Value
		}
	}
	return ""
}

// The options of DHCP that a boot uses.
const (
	RootPath   = 17
	ClassID    = 60
	BootServer = 66
	BootFile   = 67
)

// WDS is the deployment server with its image files.
type WDS struct {
	Address netip.Addr `json:"address,omitzero"`
	Ready   bool       `json:"ready,omitempty"`
	// Option60 reports that the server itself announces option 60, for a DHCP server elsewhere.
	Option60 bool `json:"option_60,omitempty"`
	// Files are the image files on the server's disk, and Mounted the one that is mounted.
	Files   []File  `json:"files,omitempty"`
	Mounted Mounted `json:"mounted,omitzero"`
	// Boot and Install report that the files were added to the server, and Published are the files as they were then.
	Boot      bool   `json:"boot_image,omitempty"`
	Install   bool   `json:"install_image,omitempty"`
	Published []File `json:"published,omitempty"`
}

// File is an image file that has drivers added: the indexes that have the driver of the cards.
type File struct {
	Name    string `json:"name"`
	Drivers []int  `json:"drivers"`
}

// Mounted is a mounted image.
type Mounted struct {
	File   string `json:"file,omitempty"`
	Index  int    `json:"index,omitempty"`
	Folder string `json:"folder,omitempty"`
	Driver bool   `json:"driver,omitempty"`
}

// The image files.
const (
	BootFileName    = "boot.wim"
	InstallFileName = "install.wim"
)

// Images returns the names of the images in a file, by their index from 1; none for another file.
func Images(file string) []string {
	switch strings.ToLower(file) {
	case BootFileName:
		return []string{"Microsoft Windows PE (x64)", "Microsoft Windows Setup (x64)"}
	case InstallFileName:
		return []string{
			"Windows Server 2016 Standard", "Windows Server 2016 Standard (Desktop Experience)", "Windows Server 2016 Datacenter",
			"Windows Server 2016 Datacenter (Desktop Experience)",
		}
	}
	return nil
}

// HasDriver reports whether an image of a file has the driver of the cards: of the files on disk, or of the ones that the server publishes.
func HasDriver(files []File, file string, index int) bool {
	for _, f := range files {
		if f.Name == file && slices.Contains(f.Drivers, index) {
			return true
		}
	}
	return false
}

// Publish adds an image file to the server as it is now, or removes it.
func (w *WDS) Publish(file string, add bool) {
	list := slices.DeleteFunc(slices.Clone(w.Published), func(f File) bool { return f.Name == file })
	for _, f := range w.Files {
		if add && f.Name == file {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	if w.Published = list; len(list) == 0 {
		w.Published = nil
	}
	if file == BootFileName {
		w.Boot = add
	} else {
		w.Install = add
	}
}

// Target is the iSCSI target.
type Target struct {
	Address netip.Addr `json:"address,omitzero"`
	Name    string     `json:"name,omitempty"`
	// Initiators are the addresses of the clients that may log in.
	Initiators []netip.Addr `json:"initiators,omitempty"`
	// NoDisk reports that the target has no disk.
	NoDisk bool `json:"no_disk,omitempty"`
}

// State is the state of a boot over the network. The zero State has no servers. It is saved as JSON, and its lists are replaced, never modified.
type State struct {
	Client Client `json:"client,omitzero"`
	DHCP   DHCP   `json:"dhcp,omitzero"`
	WDS    WDS    `json:"wds,omitzero"`
	Target Target `json:"target,omitzero"`
	// Last is the newest run.
	Last Result `json:"last,omitzero"`
}

// The bounds of a state.
const (
	maxList = 256
	maxText = 255
)

// check rejects a state that no command makes.
func (s *State) check() error {
	switch {
	case len(s.Client.Order) > maxList || len(s.Client.Roms) > maxList || len(s.DHCP.Reservations) > maxList || len(s.Target.Initiators) > maxList || len(s.WDS.Files) > 2 || len(s.WDS.Published) > 2:
		return errors.New("there are too many entries")
	case s.DHCP.VLAN < 0 || s.DHCP.VLAN > 4094:
		return fmt.Errorf("the VLAN must be 0 to 4094, not %d", s.DHCP.VLAN)
	case s.DHCP.Scope.IsValid() && (!s.DHCP.Scope.Addr().Is4() || s.DHCP.Scope != s.DHCP.Scope.Masked()):
		return fmt.Errorf("%s is not a network of IPv4", s.DHCP.Scope)
	case len(s.Target.Name) > maxText || strings.ContainsFunc(s.Target.Name, request.IsUnsafe):
		return request.Errorf("%q can't be the name of a target", s.Target.Name)
	case s.WDS.Mounted.File != "" && (s.WDS.Mounted.Index < 1 || s.WDS.Mounted.Index > len(Images(s.WDS.Mounted.File))):
		return request.Errorf("%s has no image %d", s.WDS.Mounted.File, s.WDS.Mounted.Index)
	}
	for _, r := range s.Client.Roms {
		if r.Rom != Ethernet && r.Rom != NoRom {
			return request.Errorf("the ROM of a card is %s, %s or %s, not %q", VPI, Ethernet, NoRom, r.Rom)
		}
	}
	seen := map[any]bool{}
	for i := range s.DHCP.Reservations {
		r := &s.DHCP.Reservations[i]
		if !s.DHCP.Scope.Contains(r.Address) {
			return request.Errorf("%s is not in the scope %s", r.Address, s.DHCP.Scope)
		}
		if n := len(r.Client); n != 12 && n != 16 || strings.Trim(r.Client, "0123456789abcdef") != "" {
			return request.Errorf("the client of a reservation has the 12 digits of a MAC address or the 16 of a GUID, not %q", r.Client)
		}
		if seen[r.Address] || seen[r.Client] {
			return request.Errorf("there is a reservation of %s or for the client %s already", r.Address, r.Client)
		}
		seen[r.Address], seen[r.Client] = true, true
		for _, o := range r.Options {
			if o.ID < 1 || o.ID > 254 || len(o.Value) > maxText || strings.ContainsFunc(o.Value, request.IsUnsafe) {
				return request.Errorf("the option %d can't be %q", o.ID, o.Value)
			}
		}
	}
	return nil
}

// Check validates a saved state.
func (s *State) Check() error {
	if err := s.check(); err != nil {
		return fmt.Errorf("the saved host has damaged boot servers: %w", err)
	}
	if len(s.Last.Stages) > maxList {
		return errors.New("the saved host has a damaged boot over the network")
	}
	return nil
}
