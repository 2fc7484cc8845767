package regedit

import (
	"slices"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// installedValues are the values that Windows and the INF file of a driver write into the class key of a network adapter when
// they install it, in lower case. They are not settings.
var installedValues = []string{
	"*iftype", "*mediatype", "*ndisdevicetype", "*physicalmediatype", "busnumber", "bustype", "characteristics",
	"componentid", "componentguid", "deviceinstanceid", "driverdate", "driverdatedata", "driverdesc",
	"driverversion", "friendlyname", "includedinfs", "infpath", "infsection", "infsectionext", "installtimestamp",
	"matchingdeviceid", "netcfginstanceid", "netluidindex", "networkinterfaceinstalltimestamp", "portnumber",
	"providername",
}

// describesInstallation reports whether a wanted value describes the installation of an adapter of this host: its name and place
// among devices, and the texts of its property dialog in the keys below its class key.
func (w *wantedValue) describesInstallation(g edit.Registry) bool {
	return w.Row == nil && !g.Get(w.Place, w.name).Exists() && w.isInstalled(g)
}

// isInstalled reports whether Windows writes a value that is not in the catalogue when it installs an adapter of this host.
func (w *wantedValue) isInstalled(g edit.Registry) bool {
	if w.Place.Scope == registry.Miniport {
		return slices.Contains(installedValues, strings.ToLower(w.name))
	}
	if below, ok := registry.BelowPath(w.path, systemClassKey); ok && strings.Count(below, `\`) == 1 {
		return slices.Contains(installedValues, strings.ToLower(w.name)) // of a bus device
	}
	below, ok := registry.BelowPath(w.path, networkClassKey)
	if !ok || w.Place.Scope != registry.OtherPath {
		return false
	}
	index, _, deeper := strings.Cut(strings.TrimPrefix(below, `\`), `\`)
	return deeper && g.HasClass(index)
}

// networkClassKey and systemClassKey are the registry keys with the class keys of network adapters and of bus devices.
const (
	networkClassKey = `HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}`
	systemClassKey  = `HKLM\SYSTEM\CurrentControlSet\Control\Class\{4d36e97d-e325-11ce-bfc1-08002be10318}`
)
