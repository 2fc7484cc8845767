package mlnx

import (
	"errors"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/registrykey"
)

// getDriverCore implements Get-MlnxDriverCoreSetting. Of the settings that the WinOF driver has for all cards, the manual shows
// only the RoCE mode, with the numbers of Set-MlnxDriverCoreSetting: 0 off, 1 RoCE v1, 2 RoCE v2. A mode without a number
// there, such as v1.25 of a ConnectX-3, is printed as 0, too.
func getDriverCore(p *powershell.Invocation) (exec.Answer, error) {
	type coreRow struct {
		Caption     string `json:"caption"`
		Description string `json:"description"`
		System      string `json:"system_name"`
		RoCE        int    `json:"roce_mode"`
	}
	connection, err := driverCoreConnection(p)
	if err != nil {
		return exec.Answer{}, err
	}
	row := coreRow{"DriverCoreSettingData 'mlx4_bus'", "Mellanox Driver Option Settings", p.View.Name, 0}
	t, err := registrykey.FindTarget(p.Call, connection)
	if err != nil {
		return exec.Answer{}, err
	}
	keys, err := registrykey.List(p.Call, t)
	if err != nil {
		return exec.Answer{}, err
	}
	for _, k := range keys {
		if k.Row.Name == "roce_mode" && k.Row.Scope == registry.RoCE && k.Effective.Exists() {
			row.RoCE = registry.RoCEInPowerShell(k.Effective.Number())
		}
	}
	return powershell.Blocks([]powershell.Block{{
		{"Caption", row.Caption}, {"Description", row.Description}, {"SystemName", row.System}, {"RoceMode",
			strconv.Itoa(row.RoCE)},
	}}, struct {
		Setting coreRow `json:"setting"`
	}{row}, ""), nil
}

// driverCoreConnection returns the first connection of the WinOF driver: every connection has the settings for all cards.
func driverCoreConnection(p *powershell.Invocation) (connection string, err error) {
	for i := range p.View.Adapters {
		if a := &p.View.Adapters[i]; a.Description.Family == description.WinOF && len(a.Ports) > 0 {
			return a.Ports[0].Description.Connection, nil
		}
	}
	return "", errors.New("the host does not run the WinOF driver")
}

// setDriverCore implements Set-MlnxDriverCoreSetting, which has its own numbers for RoCE modes (ROCE-1). For a mode that the
// firmware does not support the driver uses the highest supported one (ROCE-5).
func setDriverCore(p *powershell.Invocation) (exec.Answer, error) {
	if _, err := p.Required("RoceMode", "0 (off), 1 (RoCE v1) or 2 (RoCE v2)"); err != nil {
		return exec.Answer{}, err
	}
	n, err := strconv.Atoi(p.Value("RoceMode"))
	mode, known := registry.RoCEOfPowerShell(n)
	if err != nil || !known {
		return exec.Answer{}, exec.Mistake("-RoceMode of %s must be 0 (off), 1 (RoCE v1) or 2 (RoCE v2), not %q", p.Command,
			p.Value("RoceMode"))
	}
	connection, err := driverCoreConnection(p)
	if err != nil {
		return exec.Answer{}, err
	}
	name := string(registry.RoCE) + "/roce_mode"
	set := edit.SetValue{Connection: connection, Key: name, Value: strconv.FormatUint(uint64(mode), 10)}
	return registrykey.Store(p.Call, set, registrykey.Target{Connection: connection, Family: description.WinOF}, name)
}
