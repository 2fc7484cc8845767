package firmware

import (
	"fmt"
	"strconv"
	"strings"
)

// Tool is a tool that can change a setting.
type Tool string

// The tools.
const (
	Config Tool = "mlxconfig" // reads and writes the flash of a card
	Image  Tool = "flint"     // burns an image with a changed ini file
)

// Names of settings that affect the model.
const (
	SRIOV     = "SRIOV_EN"
	Functions = "NUM_OF_VFS"
	LinkType1 = "LINK_TYPE_P1"
	LinkType2 = "LINK_TYPE_P2"
	TotalVFs  = "total_vfs"
	ImageIOV  = "sriov_en"
)

// Values of LINK_TYPE_P1 and _P2 (FAM-5).
const (
	TypeInfiniBand = 1
	TypeEthernet   = 2
)

// NotSet is the tools' value for a setting that was never set.
const NotSet = "N/A"

// Setting is one setting of the cards of a driver.
type Setting struct {
	Name string
	Tool Tool
	// Low and High bound its value, both included; Usual is the card's default.
	Low, High, Usual uint32
	// Port is the number of its port, from 1; 0 for the whole card.
	Port int
	// Shown reports that a plain query lists it.
	Shown bool
	// WithDriver reports that it takes effect when the driver of its port starts, and not only with the firmware.
	WithDriver bool
}

// Settings returns all settings of the cards of a driver, mlx4 or mlx5, in the order in which the tools list them. The
// manuals give no defaults: the link types follow the ports, and the others are off.
func Settings(mlx4 bool) []Setting {
	if mlx4 {
		return []Setting{
			{Name: SRIOV, Tool: Config, High: 1, Shown: true},
			{Name: Functions, Tool: Config, High: 126, Shown: true},
			{Name: LinkType1, Tool: Config, Low: TypeInfiniBand, High: TypeEthernet, Usual: TypeEthernet, Port: 1, Shown: true},
			{Name: LinkType2, Tool: Config, Low: TypeInfiniBand, High: TypeEthernet, Usual: TypeEthernet, Port: 2, Shown: true},
			{Name: "BOOT_OPTION_ROM_EN_P1", Tool: Config, High: 1, Usual: 1, Port: 1},
			{Name: "BOOT_OPTION_ROM_EN_P2", Tool: Config, High: 1, Usual: 1, Port: 2},
			{Name: "BOOT_VLAN_EN_P1", Tool: Config, High: 1, Port: 1},
			{Name: "BOOT_VLAN_EN_P2", Tool: Config, High: 1, Port: 2},
			{Name: "BOOT_VLAN_P1", Tool: Config, Low: 1, High: 4094, Usual: 1, Port: 1},
			{Name: "BOOT_VLAN_P2", Tool: Config, Low: 1, High: 4094, Usual: 1, Port: 2},
			{Name: "LEGACY_BOOT_PROTOCOL_P1", Tool: Config, High: 2, Usual: 1, Port: 1},
			{Name: "LEGACY_BOOT_PROTOCOL_P2", Tool: Config, High: 2, Usual: 1, Port: 2},
			{Name: "num_pfs", Tool: Image, Low: 1, High: 1, Usual: 1},
			{Name: TotalVFs, Tool: Image, High: 126},
			{Name: ImageIOV, Tool: Image, High: 1},
		}
	}
	return []Setting{
		{Name: SRIOV, Tool: Config, High: 1, Shown: true},
		{Name: Functions, Tool: Config, High: 127, Shown: true},
		{Name: "WOL_MAGIC_EN_P2", Tool: Config, High: 1, Usual: 1, Port: 2, Shown: true},
		{Name: LinkType1, Tool: Config, Low: TypeInfiniBand, High: TypeEthernet, Usual: TypeEthernet, Port: 1, Shown: true},
		{Name: LinkType2, Tool: Config, Low: TypeInfiniBand, High: TypeEthernet, Usual: TypeEthernet, Port: 2, Shown: true},
		{Name: "SRIOV_IB_ROUTING_MODE_P1", Tool: Config, High: 1, Port: 1},
		{Name: "SRIOV_IB_ROUTING_MODE_P2", Tool: Config, High: 1, Port: 2},
		{Name: "LLDP_NB_RX_MODE_P1", Tool: Config, High: 2, Port: 1, WithDriver: true},
		{Name: "LLDP_NB_RX_MODE_P2", Tool: Config, High: 2, Port: 2, WithDriver: true},
		{Name: "LLDP_NB_TX_MODE_P1", Tool: Config, High: 2, Port: 1, WithDriver: true},
		{Name: "LLDP_NB_TX_MODE_P2", Tool: Config, High: 2, Port: 2, WithDriver: true},
		{Name: "LLDP_NB_DCBX_P1", Tool: Config, High: 1, Port: 1, WithDriver: true},
		{Name: "LLDP_NB_DCBX_P2", Tool: Config, High: 1, Port: 2, WithDriver: true},
	}
}

// Find returns a setting of the cards of a driver by its name. Two settings differ only in their case.
func Find(mlx4 bool, name string) (Setting, bool) {
	for _, s := range Settings(mlx4) {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// Parse reads a value of a setting: a number, or true and false for a switch of an ini file.
func (s Setting) Parse(text string) (uint32, error) {
	switch {
	case s.Tool == Image && s.High == 1 && s.Low == 0 && strings.EqualFold(text, "true"):
		return 1, nil
	case s.Tool == Image && s.High == 1 && s.Low == 0 && strings.EqualFold(text, "false"):
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil || uint32(n) < s.Low || uint32(n) > s.High {
		return 0, fmt.Errorf("%s must be a number from %d to %d, not %q", s.Name, s.Low, s.High, text)
	}
	return uint32(n), nil
}
