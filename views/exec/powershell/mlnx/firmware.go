package mlnx

import (
	"errors"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/limits"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// firmwareIdentity is the running firmware of a WinOF card, with the properties of a software identity in CIM.
type firmwareIdentity struct {
	Name     string `json:"name"`
	Caption  string `json:"caption"`
	Instance string `json:"instance_id"`
	Version  string `json:"version"`
	PSID     string `json:"psid"`
	System   string `json:"system_name"`
	major    int
	minor    int
	build    int
}

// identityFixed is the version since which a disabled device does not make Get-MlnxFirmwareIdentity fail on a host with several.
const identityFixed = "4.90"

// getFirmwareIdentity implements Get-MlnxFirmwareIdentity, of which the manual has only the name and a fault.
func getFirmwareIdentity(p *powershell.Invocation) (exec.Answer, error) {
	rows, list := []firmwareIdentity{}, []powershell.Block{}
	cards, disabled := 0, false
	for i := range p.View.Adapters {
		a := &p.View.Adapters[i]
		if a.Description.Family != description.WinOF {
			continue
		}
		cards++
		for n := range a.Ports {
			disabled = disabled || a.Ports[n].State == driver.Stopped && limits.Older(a.Description.DriverVersion, identityFixed)
		}
		if name := p.Value("Name"); name != "" && !strings.EqualFold(name, a.HCA) && !strings.EqualFold(name, a.Description.Name) {
			continue
		}
		what := pciDescription(a.Description.DeviceID)
		row := firmwareIdentity{
			Name: a.HCA, Caption: "MLNX_FirmwareIdentity '" + what + "'", Instance: a.Functions[0].InstanceID, Version: a.Description.Firmware, PSID: a.Description.PSID,
			System: p.View.Name,
		}
		for n, part := range strings.SplitN(row.Version, ".", 3) {
			*[]*int{&row.major, &row.minor, &row.build}[n], _ = strconv.Atoi(part) // 0 for a version of another form
		}
		rows = append(rows, row)
		list = append(list, powershell.Block{
			{"Caption", row.Caption}, {"Description", what}, {"ElementName", row.Name}, {"InstanceID", row.Instance}, {"Name", row.Name},
			{"Manufacturer", "Mellanox Technologies"}, {"MajorVersion", strconv.Itoa(row.major)}, {"MinorVersion", strconv.Itoa(row.minor)},
			{"BuildNumber", strconv.Itoa(row.build)}, {"VersionString", row.Version}, {"PSID", row.PSID}, {"SystemName", row.System},
		})
	}
	switch {
	case cards == 0:
		return exec.Answer{}, errors.New("the host does not run the WinOF driver")
	case cards > 1 && disabled:
		return exec.Answer{}, errors.New("Get-MlnxFirmwareIdentity fails while a device is disabled; drivers since 4.90 don't have this fault")
	case len(rows) == 0:
		return exec.Answer{}, exec.Mistake("there is no WinOF card %q", p.Value("Name"))
	}
	return powershell.Blocks(list, struct {
		Firmware []firmwareIdentity `json:"firmware"`
	}{rows}, ""), nil
}
