package packages

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/table"
)

//go:embed catalogue.json
var catalogueTable string

// Product is a driver package without its version.
type Product string

// The products.
const (
	WinOF  Product = "winof"
	WinOF2 Product = "winof2"
)

// Family returns the cards that the product is for.
func (p Product) Family() description.Family {
	if p == WinOF2 {
		return description.WinOF2
	}
	return description.WinOF
}

// Title returns the name of the product in the manuals.
func (p Product) Title() string { return map[Product]string{WinOF: "WinOF", WinOF2: "WinOF-2"}[p] }

// Listed returns the name in Programs and Features.
func (p Product) Listed() string {
	return map[Product]string{WinOF: "MLNX_VPI", WinOF2: "MLNX_WinOF2"}[p]
}

// ProductOf returns the product for a family of cards.
func ProductOf(f description.Family) Product {
	if f == description.WinOF2 {
		return WinOF2
	}
	return WinOF
}

// Package is a release of a product. The versions are the ones of the manuals; the firmware that comes with the older ones is the lab's
// choice. Where the manual prints a driver of 5.40 for 5.50.51000, the number of the releases around it is taken.
type Package struct {
	Product Product `json:"product"`
	Version string  `json:"version"`
	// Driver is the version of its drivers, Firmware of the firmware that comes with it: for WinOF-2 without the number of the device.
	Driver   string `json:"driver"`
	Firmware string `json:"firmware"`
	// Systems are the versions of Windows that it is made for, as in the names of its files: "win2012R2".
	Systems []string `json:"systems"`
	// RoCE is the mode that a first installation sets (ROCE-4).
	RoCE uint32 `json:"roce"`
	// Source is the manual's text and line.
	Source string `json:"source"`
}

// Catalogue returns all releases, for each product from the oldest on.
func Catalogue() []Package { return catalogue() }

var catalogue = sync.OnceValue(func() []Package {
	list, err := table.Read[[]Package](catalogueTable)
	if err != nil {
		panic("packages: the embedded catalogue is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return list
})

// Find returns the newest release of a product whose version begins with the numbers of another: "5.50" and "5.50.52000" find 5.50.52000.
func Find(product Product, version string) (found Package, ok bool) {
	for _, p := range catalogue() {
		if p.Product == product && (p.Version == version || strings.HasPrefix(p.Version, version+".") || strings.HasPrefix(version, p.Version+".")) {
			found, ok = p, true
			if p.Version == version {
				break
			}
		}
	}
	return found, ok
}

// FileName returns the name of the setup program of a release for a version of Windows.
func (p *Package) FileName(system string) string {
	version := strings.ReplaceAll(p.Version, ".", "_")
	if p.Product == WinOF2 {
		return "MLNX_WinOF2-" + version + "_All_x64.exe"
	}
	return "MLNX_VPI_WinOF-" + version + "_All_" + system + "_x64.exe"
}

// Title returns what a card shows as its package: "WinOF 5.50.52000".
func (p *Package) Title() string { return p.Product.Title() + " " + p.Version }

// SystemOf returns the version of Windows as in the names of files, empty for one without packages: "Windows Server 2012 R2" is
// "win2012R2". Clients have the packages of their servers.
func SystemOf(system string) string {
	text := strings.ToLower(strings.Join(strings.Fields(system), " "))
	for _, s := range [...]struct{ words, name string }{
		{"2012 r2", "win2012R2"}, {"2012r2", "win2012R2"}, {"8.1", "win2012R2"}, {"2012", "win2012"}, {"2016", "win2016"}, {"windows 10", "win2016"}, {"2019", "win2019"}, {"2022", "win2022"},
	} {
		if strings.Contains(text, s.words) {
			return s.name
		}
	}
	return ""
}

// Fits reports whether a release is made for a version of Windows.
func (p *Package) Fits(system string) bool {
	name := SystemOf(system)
	return name == "" || slices.Contains(p.Systems, name)
}

// inbox returns the driver that a version of Windows brings with it for a product, and the RoCE mode that it uses; no version if it brings
// none. The numbers are the lab's own: Windows Server 2012 to 2016 have drivers for ConnectX-3, and since 2016 for ConnectX-4 (002:71, 002:244).
func inbox(product Product, system string) (driver string, roce uint32) {
	name := SystemOf(system)
	switch product {
	case WinOF:
		return map[string]string{"win2012": "4.2.9200", "win2012R2": "4.60.9600", "win2016": "5.25.14393", "win2019": "5.40.17763", "win2022": "5.40.20348"}[name], map[bool]uint32{true: 0, false: 2}[strings.HasPrefix(name, "win2012")]
	default:
		return map[string]string{"win2016": "1.30.14393", "win2019": "1.90.17763", "win2022": "2.60.20348"}[name], 2
	}
}

// firmwareFor returns the firmware of a release for a device; empty if it has none.
func (p *Package) firmwareFor(first string) string {
	if p.Product == WinOF {
		return p.Firmware
	}
	return first + "." + p.Firmware
}

// major returns the first number of a version.
func major(version string) string {
	first, _, _ := strings.Cut(version, ".")
	return first
}

// String returns the name of a product with a version.
func (p *Package) String() string { return fmt.Sprintf("%s %s", p.Product.Title(), p.Version) }

// newer reports whether a version is newer than another.
func newer(version, than string) bool { return limits.Older(than, version) }
