package flash

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/firmware/image"
	"cxdeck/driver/limits"
	"cxdeck/driver/table"
)

//go:embed releases.json
var releaseTable string

// Release is a firmware version of some cards. The versions are the ones that the manuals and the labs name; dates and expansion ROMs are
// the lab's own.
type Release struct {
	Version string `json:"version"`
	Date    string `json:"date"`
	ROM     string `json:"rom"`
}

// releaseGroup are the releases of some devices. The releases of WinOF-2 cards are the ones of the last group, without devices: all cards
// have the same, with the number of the device before it.
type releaseGroup struct {
	Devices  []string  `json:"devices"`
	Prefix   string    `json:"prefix"`
	First    string    `json:"first"`
	Releases []Release `json:"releases"`
}

var groups = sync.OnceValue(func() []releaseGroup {
	list, err := table.Read[[]releaseGroup](releaseTable)
	if err != nil {
		panic("flash: the embedded releases are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

// Releases returns the firmware releases for a PCI device id, the oldest first.
func Releases(device uint16) (list []Release) {
	all := groups()
	common := all[len(all)-1].Releases
	for _, g := range all {
		if !slices.Contains(g.Devices, fmt.Sprintf("%04x", device)) {
			continue
		}
		list = slices.Clone(g.Releases)
		for _, r := range common {
			if g.Prefix != "" && !limits.Older(r.Version, g.First) {
				list = append(list, Release{g.Prefix + r.Version, r.Date, r.ROM})
			}
		}
	}
	return list
}

// devices returns the PCI device ids with the same releases as a device.
func devices(device uint16) (list []uint16) {
	for _, g := range groups() {
		if slices.Contains(g.Devices, fmt.Sprintf("%04x", device)) {
			for _, text := range g.Devices {
				var n uint16
				if _, err := fmt.Sscanf(text, "%04x", &n); err == nil {
					list = append(list, n)
				}
			}
		}
	}
	if list == nil {
		return []uint16{device}
	}
	return list
}

// FindRelease returns the release of a version for a PCI device id.
func FindRelease(device uint16, version string) (Release, bool) {
	list := Releases(device)
	if at := slices.IndexFunc(list, func(r Release) bool { return r.Version == version }); at >= 0 {
		return list[at], true
	}
	return Release{}, false
}

// Latest returns the newest release for a PCI device id that is not newer than a version; empty for any.
func Latest(device uint16, version string) (found Release, ok bool) {
	for _, r := range Releases(device) {
		if version == "" || !limits.Older(version, r.Version) {
			found, ok = r, true
		}
	}
	return found, ok
}

// NewImage returns the image of a release for a board.
func NewImage(device uint16, r Release, psid string, settings map[string]uint32) image.Image {
	return image.Image{Devices: []uint16{device}, Version: r.Version, Date: r.Date, ROM: r.ROM, PSID: psid, Settings: settings}
}

// NewSource returns the source of a release, from which mlxburn builds images for boards.
func NewSource(device uint16, r Release) image.Image {
	return image.Image{Source: true, Devices: devices(device), Version: r.Version, Date: r.Date, ROM: r.ROM}
}

// IsOEM reports whether a PSID belongs to a board of another vendor, which the setup programs don't burn.
func IsOEM(psid string) bool { return !strings.HasPrefix(strings.ToUpper(psid), "MT_") }
