package firmware

import (
	_ "embed"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var firmwareTexts string

// Family returns the tools for firmware: mst, mlxconfig, mlxfwreset and flint.
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
		},
	}
}
