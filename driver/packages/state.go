package packages

import (
	"errors"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/flash"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// Installed is what the host has of a product.
type Installed struct {
	Product Product `json:"product"`
	// Version is the version of the package, empty without one: then Windows has its own driver, or none.
	Version string `json:"version,omitempty"`
	// Package and Driver are what a card shows.
	Package string `json:"package,omitempty"`
	Driver  string `json:"driver,omitempty"`
	// NoWMI reports that the WMI provider is not installed, which the cmdlets of WinOF need.
	NoWMI bool `json:"no_wmi,omitempty"`
	// Folder is where its programs are.
	Folder string `json:"folder,omitempty"`
	// Pending reports that the computer must be restarted to complete the installation.
	Pending bool `json:"pending_restart,omitempty"`
	// Untuned are the values of the whole host before the performance tuning, which an uninstallation restores; nil without a tuning.
	Untuned []SystemValue `json:"before_tuning,omitempty"`
}

// SystemValue is a value of the whole host in the registry; Value is nil for none.
type SystemValue struct {
	Key   string  `json:"key"`
	Value *uint32 `json:"value,omitempty"`
}

// State holds the products that a setup program has changed. Copies share its lists, which are replaced and never changed.
type State struct {
	Products []Installed `json:"products,omitempty"`
	// Conditions are the names of conditions of the host that stop a setup program.
	Conditions []string `json:"conditions,omitempty"`
}

// Condition is a condition of the host that a setup program meets.
type Condition struct {
	// Name is the operator's word, What a sentence without its full stop.
	Name, What string
	// Code is the return code that it causes.
	Code int
	// Product limits it to one product; empty for both.
	Product Product
}

const noImageCondition = "no-image"

// Conditions returns the conditions that the lab knows.
func Conditions() []Condition {
	return []Condition{
		{"rdsh", "The installation cannot be done while the RDSH service is enabled, please disable it. You may re-enable it after the installation is complete", fatal, WinOF},
		{"no-administrator", "the account that runs the setup program is no administrator", fatal, ""},
		{"disk-full", "the disk has less than 100 MB of free space", fatal, ""},
		{"fatal-error", "a fatal error ends the installation", fatal, ""},
		{noImageCondition, "the package has no firmware image for the boards of the cards; a card that was burned by hand needs none", noImage, ""},
		{"settings-not-restored", "the saved network settings could not be restored", notRestored, ""},
	}
}

// FindCondition returns a condition by its name.
func FindCondition(name string) (Condition, bool) {
	list := Conditions()
	at := slices.IndexFunc(list, func(c Condition) bool { return strings.EqualFold(c.Name, name) })
	if at < 0 {
		return Condition{}, false
	}
	return list[at], true
}

// Host is the part of the host that a setup program needs.
type Host interface {
	Lab() *device.Lab
	// Images returns the flashes of the cards.
	Images() flash.Set
	Running(port int) bool
	DriverPorts(driver string) ([]int, error)
	ReloadDriver(ports []int)
	Note(port int, event string, values ...string)
	// Stored returns a value in the registry; StoreAt stores one in a scope, or deletes it if it does not exist.
	Stored(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	StoreAt(port int, scope registry.Scope, key string, value registry.Value)
	// ResetSettings gives the settings of a port in the registry the values of a new installation.
	ResetSettings(port int)
	// Burn burns a firmware image, which fits.
	Burn(o flash.Burn) error
	// NetworkDirectPrograms returns the programs on some ports that hold files of the driver; CloseNetworkDirect ends them.
	NetworkDirectPrograms(ports []int) []string
	CloseNetworkDirect(ports []int)
	// KeepOldFilter has the programs keep the filter driver of the former version in memory.
	KeepOldFilter(ports []int) error
	// SetProviders installs or removes the NetworkDirect providers of a driver.
	SetProviders(driver string, installed bool) error
	// WriteFile writes a file of the host.
	WriteFile(path string, data []byte) error
	// FollowVersions brings the versions into effect.
	FollowVersions()
}

// Set is the state of the packages with the host.
type Set struct {
	Host
	*State
}

// Installed returns what the host has of a product.
func (s Set) Installed(product Product) Installed {
	if at := slices.IndexFunc(s.Products, func(i Installed) bool { return i.Product == product }); at >= 0 {
		return s.Products[at]
	}
	for i := range s.Lab().Description().Adapters {
		if a := &s.Lab().Description().Adapters[i]; a.Family == product.Family() {
			return Installed{Product: product, Version: a.Package[strings.LastIndexByte(a.Package, ' ')+1:], Package: a.Package, Driver: a.DriverVersion}
		}
	}
	return Installed{Product: product}
}

// Changed returns what a setup program has installed of a product; ok is false if none has run.
func (s *State) Changed(product Product) (i Installed, ok bool) {
	if at := slices.IndexFunc(s.Products, func(i Installed) bool { return i.Product == product }); at >= 0 {
		return s.Products[at], true
	}
	return Installed{}, false
}

func (s Set) set(i Installed) {
	s.Products = append(slices.DeleteFunc(slices.Clone(s.Products), func(other Installed) bool { return other.Product == i.Product }), i)
}

// Boot completes the installations that wait for a restart of the computer.
func (s *State) Boot() {
	if slices.ContainsFunc(s.Products, func(i Installed) bool { return i.Pending }) {
		s.Products = slices.Clone(s.Products)
		for i := range s.Products {
			s.Products[i].Pending = false
		}
	}
}

// Pending reports whether an installation waits for a restart of the computer.
func (s *State) Pending() bool {
	return slices.ContainsFunc(s.Products, func(i Installed) bool { return i.Pending })
}

// NoDriver reports whether the cards of a family have no driver: the package was removed, and Windows has none of its own.
func (s *State) NoDriver(family description.Family) bool {
	i, ok := s.Changed(ProductOf(family))
	return ok && i.Driver == ""
}

// tuned reports whether the kept values equal the values of the tuning, or no value is kept.
func (i *Installed) tuned() bool {
	for n, value := range i.Untuned {
		if len(i.Untuned) != len(tuning) || value.Key != tuning[n].key {
			return false
		}
	}
	return true
}

// Check validates a saved state.
func (s *State) Check() error {
	seen := map[Product]bool{}
	damaged := errors.New("the driver packages of the saved host are damaged")
	for _, i := range s.Products {
		for _, text := range []string{i.Version, i.Package, i.Driver, i.Folder} {
			if len(text) > request.MaxTarget {
				return damaged
			}
		}
		if i.Product != WinOF && i.Product != WinOF2 || seen[i.Product] || i.Version != "" && i.Driver == "" || !i.tuned() {
			return damaged
		}
		seen[i.Product] = true
	}
	for n, name := range s.Conditions {
		if c, ok := FindCondition(name); !ok || c.Name != name || slices.Contains(s.Conditions[:n], name) {
			return damaged
		}
	}
	return nil
}
