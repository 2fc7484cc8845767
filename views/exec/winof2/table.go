package winof2

import (
	_ "embed"

	"cxdeck/driver/packages"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var winof2Texts string

// Family returns the commands of mlx5cmd, the tool of the WinOF-2 driver.
func Family() *exec.Family {
	return &exec.Family{
		Texts: winof2Texts,
		Tools: true, Product: packages.WinOF2,
		Commands: []exec.Command{
			{Name: "mlx5cmd -Qosconfig -Dcqcn", Min: 1, Max: exec.Any, Run: dcqcnConfig},
			{Name: "mlx5cmd -Dcqcn", Min: 1, Max: exec.Any, Run: dcqcnConfig},
			{Name: "mlx5cmd -Set", Min: 2, Max: exec.Any, Run: dcqcnShortSet},
			{Name: "mlx5cmd -Qosconfig -DefaultUntaggedPriority", Min: 1, Max: exec.Any, Run: untaggedPriority},
			{Name: "mlx5cmd -RegKeys", Max: 6, Pipes: true, Run: mlx5Keys},
			{Name: "mlx5cmd -stat", Run: stat},
			{Name: "MlxStat", Run: stat},
			{Name: "mlx5cmd -Features", Max: 2, Run: features},
			{Name: "mlx5cmd -Sniffer", Min: 1, Max: 6, Run: sniff},
			{Name: "mlx5cmd -dbg -ResourceDump", Min: 1, Max: exec.Any, Run: resourceDump},
		},
	}
}
