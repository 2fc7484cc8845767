package description

import (
	"bytes"
	_ "embed"
	"errors"

	"cxdeck/device/tomlfile"
)

// maxText is the maximum size of a description, in bytes.
const maxText = 4 << 20

//go:embed default.toml
var defaultText []byte

// The sample hosts of the manuals.
var (
	//go:embed manual-winof.toml
	manualWinOFText []byte
	//go:embed manual-winof2.toml
	manualWinOF2Text []byte
	//go:embed kvm-guest.toml
	guestText []byte
)

// infiniBandText is a host in an InfiniBand subnet.
//
//go:embed manual-ib.toml
var infiniBandText []byte

// storageSpacesText is a host for Storage Spaces Direct that nobody has set up.
//
//go:embed storage-spaces-direct.toml
var storageSpacesText []byte

// NamedLab is a lab that is embedded in the program.
type NamedLab struct {
	// Name is its name on the command line: "manual-winof".
	Name string
	// About describes it in a phrase.
	About string
	// Text returns its description, for an operator to save, edit and load.
	Text func() []byte
}

// NamedLabs returns the embedded labs, without the default one.
func NamedLabs() []NamedLab {
	return []NamedLab{
		{"large", "a host with many adapters and virtual functions", LargeText},
		{"manual-ib", "a host in an InfiniBand subnet of two switches, four hosts and a router, with a subnet manager and its standby",
			func() []byte { return bytes.Clone(infiniBandText) }},
		{"manual-winof", "the sample host of the WinOF manual: two Ethernet and two InfiniBand ports of ConnectX-3 cards",
			func() []byte { return bytes.Clone(manualWinOFText) }},
		{"manual-winof2", "the sample host of the WinOF-2 manuals: a ConnectX-4 with factory settings", func() []byte { return bytes.Clone(manualWinOF2Text) }},
		{"storage-spaces-direct", "a new node of a cluster with Storage Spaces Direct, without anything that lossless RDMA needs",
			func() []byte { return bytes.Clone(storageSpacesText) }},
		{"kvm-guest", "a Windows guest over Linux KVM, with a virtual function of InfiniBand", func() []byte { return bytes.Clone(guestText) }},
	}
}

// DefaultText returns the description of the default lab, for an operator to save, edit and load.
func DefaultText() []byte { return bytes.Clone(defaultText) }

// DefaultHash is the precomputed Hash of the default lab. Do not change it: saved hosts use it as their key.
const DefaultHash = "12141f3bd05e38c5"

// Default returns the description of the default lab. A test checks it, and a start of the console does not.
func Default() *Description {
	d := new(Description)
	if err := tomlfile.Decode(defaultText, d, "a lab description", maxText); err != nil {
		panic("description: the embedded lab is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return d
}

// ParseText reads a description from TOML and checks it. It returns a *tomlfile.Error for an unknown key, a value out of range or an
// unknown name.
func ParseText(text []byte) (*Description, error) {
	d := new(Description)
	if err := tomlfile.Decode(text, d, "a lab description", maxText); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		var wrong *valueError
		if errors.As(err, &wrong) {
			line, column := locate(text, wrong.path)
			return nil, &tomlfile.Error{Line: line, Column: column, Problem: wrong.problem}
		}
		return nil, err
	}
	return d, nil
}
