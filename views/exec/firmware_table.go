package exec

import (
	_ "embed"
)

//go:embed texts/firmware.toml
var firmwareTexts string

// firmwareFamily are the tools for firmware: mst, mlxconfig, mlxfwreset and flint.
func firmwareFamily() *Family {
	return &Family{
		Texts:   firmwareTexts,
		Tools:   true,
		Respell: firmwareVerbFirst,
		Commands: []Command{
			{Name: "mst status", Max: Any, Run: mstStatus},
			{Name: "mlxconfig q", Max: Any, Run: mlxconfigQuery},
			{Name: "mlxconfig show_confs", Max: Any, Run: mlxconfigShow},
			{Name: "mlxconfig set", Max: Any, Changes: true, Asks: true, Run: mlxconfigSet},
			{Name: "mlxconfig reset", Max: Any, Changes: true, Asks: true, Run: mlxconfigReset},
			{Name: "mlxfwreset r", Max: Any, Changes: true, Interrupts: true, Asks: true, Run: mlxfwreset},
			{Name: "flint dc", Max: Any, Run: flintDump},
		},
	}
}
