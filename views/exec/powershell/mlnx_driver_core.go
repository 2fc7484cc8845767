package powershell

import (
	"errors"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/exec"
)

// getDriverCore is Get-MlnxDriverCoreSetting: of what the driver of WinOF has for all its cards, the manual shows the
// RoCE mode alone, counted as the parameter of its twin counts: 0 off, 1 RoCE v1, 2 RoCE v2. A mode that the parameter
// has no number for, such as the v1.25 of a ConnectX-3, shows as 0, too.
func getDriverCore(p *invocation) (exec.Answer, error) {
	type coreRow struct {
		Caption     string `json:"caption"`
		Description string `json:"description"`
		System      string `json:"system_name"`
		RoCE        int    `json:"roce_mode"`
	}
	connection, err := p.driverCore()
	if err != nil {
		return exec.Answer{}, err
	}
	row := coreRow{"DriverCoreSettingData 'mlx4_bus'", "Mellanox Driver Option Settings", p.view.Name, 0}
	t, err := p.call.Target(connection)
	if err != nil {
		return exec.Answer{}, err
	}
	keys, err := p.call.Keys(t)
	if err != nil {
		return exec.Answer{}, err
	}
	for _, k := range keys {
		if k.Row.Name == "roce_mode" && k.Row.Scope == registry.RoCE && k.Effective.Exists() {
			row.RoCE = registry.RoCEInPowerShell(k.Effective.Number())
		}
	}
	return blocks([]block{{
		{"Caption", row.Caption}, {"Description", row.Description}, {"SystemName", row.System}, {"RoceMode",
			strconv.Itoa(row.RoCE)},
	}}, struct {
		Setting coreRow `json:"setting"`
	}{row}, ""), nil
}

// driverCore returns a connection of the driver of WinOF, which knows what the driver has for all its cards.
func (p *invocation) driverCore() (connection string, err error) {
	for i := range p.view.Adapters {
		if a := &p.view.Adapters[i]; a.Description.Family == description.WinOF && len(a.Ports) > 0 {
			return a.Ports[0].Description.Connection, nil
		}
	}
	return "", errors.New("the host does not run the WinOF driver")
}

// setDriverCore is Set-MlnxDriverCoreSetting, which counts RoCE modes in its own way (ROCE-1). It takes a mode that the
// firmware does not have: the driver then works with the highest that it has (ROCE-5).
func setDriverCore(p *invocation) (exec.Answer, error) {
	if _, err := p.need("RoceMode", "0 (off), 1 (RoCE v1) or 2 (RoCE v2)"); err != nil {
		return exec.Answer{}, err
	}
	n, err := strconv.Atoi(p.value("RoceMode"))
	mode, known := registry.RoCEOfPowerShell(n)
	if err != nil || !known {
		return exec.Answer{}, exec.Mistake("-RoceMode of %s must be 0 (off), 1 (RoCE v1) or 2 (RoCE v2), not %q", p.command,
			p.value("RoceMode"))
	}
	connection, err := p.driverCore()
	if err != nil {
		return exec.Answer{}, err
	}
	name := string(registry.RoCE) + "/roce_mode"
	set := edit.SetValue{Connection: connection, Key: name, Value: strconv.FormatUint(uint64(mode), 10)}
	return p.call.StoreKey(set, exec.KeyTarget{Connection: connection, Family: description.WinOF}, name)
}
