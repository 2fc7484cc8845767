package firmware

import (
	_ "embed"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var firmwareTexts string

//go:embed images.toml
var imageTexts string

// Images returns the lab's own commands for firmware images.
func Images() *exec.Family {
	return &exec.Family{
		Texts: imageTexts,
		Commands: []exec.Command{
			{Name: "firmware releases", Max: 1, Run: exec.Bound(firmwareReleases)},
			{Name: "firmware download", Min: 3, Max: 3, Flags: exec.Flags("psid PSID", "source", "force"), Run: exec.Bound(firmwareDownload)},
			{Name: "firmware interrupt", Min: 2, Max: 2, Changes: true, Run: exec.Bound(firmwareInterrupt)},
		},
	}
}

// Family returns the tools for firmware: mst, mlxconfig, mlxfwreset, flint and mlxburn.
func Family() *exec.Family {
	return &exec.Family{
		Texts:   firmwareTexts,
		Tools:   true,
		Respell: firmwareVerbFirst,
		Commands: []exec.Command{
			{Name: "mst status", Max: exec.Any, Run: mstStatus},
			{Name: "mlxconfig q", Max: exec.Any, Run: mlxconfigQuery},
			{Name: "mlxconfig show_confs", Max: exec.Any, Run: mlxconfigShow},
			{Name: "mlxconfig set", Max: exec.Any, Changes: true, Asks: true, Run: mlxconfigSet},
			{Name: "mlxconfig reset", Max: exec.Any, Changes: true, Asks: true, Run: mlxconfigReset},
			{Name: "mlxfwreset r", Max: exec.Any, Changes: true, Interrupts: true, Asks: true, Run: mlxfwreset},
			{Name: "flint dc", Max: exec.Any, Run: flintDump},
			{Name: "flint q", Max: exec.Any, Run: flintQuery},
			{Name: "flint v", Max: exec.Any, Run: flintVerify},
			{Name: "flint ri", Max: exec.Any, Run: flintRead},
			{Name: "flint b", Max: exec.Any, Changes: true, Asks: true, Run: flintBurn},
			{Name: "mlxburn", Max: exec.Any, Changes: true, Asks: true, Run: mlxburn},
		},
	}
}
