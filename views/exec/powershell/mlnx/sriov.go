package mlnx

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/registrykey"
)

// pciDeviceRow is a card with the properties of Get-MlnxPCIDeviceSriovSetting.
type pciDeviceRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Instance    string `json:"instance_id"`
	System      string `json:"system_name"`
	Port1       int    `json:"sriov_port1_num_vfs"`
	Port2       int    `json:"sriov_port2_num_vfs"`
	Mode        int    `json:"sriov_port_mode"`
	adapter     string
	// counts has the stored numbers of virtual functions of the ports, whatever the mode.
	counts [2]int
}

// pciDescription returns the name of a WinOF card in Device Manager, by its PCI device id.
func pciDescription(id uint16) string {
	name := "ConnectX-3"
	if id == 0x1007 {
		name += " PRO"
	}
	return fmt.Sprintf("Mellanox %s VPI (MT%05d) Network Adapter", name, id)
}

// pciDevices returns the WinOF cards that have virtual functions, with the stored shares of their ports.
func pciDevices(c *exec.Call, view *driver.View) (rows []pciDeviceRow, err error) {
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if a.Description.Family != description.WinOF || len(a.Ports) == 0 || a.Ports[0].SRIOV.FirmwareVFs == 0 {
			continue
		}
		s := &a.Ports[0].SRIOV
		row := pciDeviceRow{a.HCA, pciDescription(a.Description.DeviceID), a.Functions[0].InstanceID, view.Name, s.Port1VFs,
			s.Port2VFs, s.Mode,
			a.Description.Name, [2]int{}}
		t, err := registrykey.FindTarget(c, a.Ports[0].Description.Connection)
		if err != nil {
			return nil, err
		}
		keys, err := registrykey.List(c, t)
		if err != nil {
			return nil, err
		}
		stored := map[string]*int{"SriovPortMode": &row.Mode, "MaxVFPort1": &row.Port1, "MaxVFPort2": &row.Port2}
		for i := range keys {
			if k := &keys[i]; k.Row.Scope == registry.BusDevice && k.Stored.Exists() && stored[k.Row.Name] != nil {
				*stored[k.Row.Name] = int(k.Stored.Number())
			}
		}
		row.counts = [2]int{row.Port1, row.Port2}
		switch row.Mode { // modes 0 and 1 give all functions to one port
		case 0:
			row.Port1, row.Port2 = s.FirmwareVFs, 0
		case 1:
			row.Port1, row.Port2 = 0, s.FirmwareVFs
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// source is the value of Source in the driver's cmdlets.
const source = "3"

func getPCIDeviceSriov(p *powershell.Invocation) (exec.Answer, error) {
	devices, err := pciDevices(p.Call, p.View)
	if err != nil {
		return exec.Answer{}, err
	}
	rows, list := []pciDeviceRow{}, []powershell.Block{}
	for _, r := range devices {
		if name := p.Value("Name"); name != "" && !strings.EqualFold(name, r.Name) && !strings.EqualFold(name, r.adapter) {
			continue
		}
		rows = append(rows, r)
		list = append(list, powershell.Block{
			{"Caption", "MLNX_PCIDeviceSriovSettingData '" + r.Description + "'"}, {"Description", r.Description},
			{"ElementName", r.Name},
			{"InstanceID", r.Instance}, {"Name", r.Name}, {"Source", source}, {"SystemName", r.System},
			{"SriovPort1NumVFs", strconv.Itoa(r.Port1)}, {"SriovPort2NumVFs", strconv.Itoa(r.Port2)}, {"SriovPortMode",
				strconv.Itoa(r.Mode)},
			{"PSComputerName", ""},
		})
	}
	return powershell.Blocks(list, struct {
		Devices []pciDeviceRow `json:"devices"`
	}{rows}, "No WinOF card has virtual functions in its firmware."), nil
}

// maxInstance is the number of characters of an instance id in the question of Set-MlnxPCIDeviceSriovSetting.
const maxInstance = 39

func setPCIDeviceSriov(p *powershell.Invocation) (exec.Answer, error) {
	name, err := p.Required("Name", `the name of a card, such as "HCA 0"`)
	if err != nil {
		return exec.Answer{}, err
	}
	devices, err := pciDevices(p.Call, p.View)
	if err != nil {
		return exec.Answer{}, err
	}
	var names []string
	for _, r := range devices {
		if !strings.EqualFold(name, r.Name) && !strings.EqualFold(name, r.adapter) {
			names = append(names, r.Name)
			continue
		}
		return sharePorts(p, &r)
	}
	return exec.Answer{}, request.Errorf("there is no WinOF card %q with virtual functions in its firmware%s", name,
		exec.Suggest(name, names,
			"Get-MlnxPCIDeviceSriovSetting lists them"))
}

// sharePorts asks, and stores the shares of a card's ports in its virtual functions.
func sharePorts(p *powershell.Invocation, r *pciDeviceRow) (exec.Answer, error) {
	var in struct{ SriovPortMode, SriovPort1NumVFs, SriovPort2NumVFs *int }
	if err := p.Bind(&in); err != nil {
		return exec.Answer{}, err
	}
	if in.SriovPortMode == nil && in.SriovPort1NumVFs == nil && in.SriovPort2NumVFs == nil {
		return exec.Answer{}, exec.Mistake("%s requires -SriovPortMode, -SriovPort1NumVFs or -SriovPort2NumVFs", p.Command)
	}
	valueOr := func(n *int, byDefault int) int {
		if n == nil {
			return byDefault
		}
		return *n
	}
	o := adapters.SetSriovPorts{Adapter: r.adapter, Mode: valueOr(in.SriovPortMode, r.Mode), Port1: valueOr(in.SriovPort1NumVFs, r.counts[0]),
		Port2: valueOr(in.SriovPort2NumVFs, r.counts[1])}
	plan := driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}}
	if err := p.Call.Try(plan); err != nil {
		return exec.Answer{}, err
	}
	asked := !p.Call.WhatIf && (!p.Has(cmdlet.Confirm) || p.Flag(cmdlet.Confirm))
	if asked {
		instance := r.Instance
		if len(instance) > maxInstance {
			instance = instance[:maxInstance] + "..."
		}
		yes, err := p.Call.Ask(exec.Question{
			Before: exec.CleanLines([]string{
				"Confirm", "Are you sure you want to perform this action?",
				fmt.Sprintf("Performing the operation \"SetValue\" on target \"MLNX_PCIDeviceSriovSettingData: "+
					"MLNX_PCIDeviceSriovSettingData '%s' "+
					"(InstanceID = \"%s)\".", r.Description, instance),
			}),
			Text:  `[Y] Yes [A] Yes to All [N] No [L] No to All [S] Suspend [?] Help (default is "Y"):`,
			Usual: "Y", Yes: true,
		}, "")
		if err != nil {
			return exec.Answer{}, err
		}
		if !yes {
			return exec.Answer{}, errors.New("nothing was changed: the answer was no")
		}
	}
	entry, err := p.Call.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	a := exec.ChangeAnswer(entry)
	if asked && entry.ChangesNothing() == nil { // a real host prints nothing after the answer
		a.Text = nil
	}
	return a, nil
}
