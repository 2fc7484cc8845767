package exec

import (
	_ "embed"
)

//go:embed texts/winof2.toml
var winof2Texts string

// winof2Family are the commands of mlx5cmd, the tool of the WinOF-2 driver.
func winof2Family() *Family {
	return &Family{
		Texts: winof2Texts,
		Tools: true,
		Commands: []Command{
			{Name: "mlx5cmd -Qosconfig -Dcqcn", Min: 1, Max: Any, Run: dcqcnConfig},
			{Name: "mlx5cmd -Dcqcn", Min: 1, Max: Any, Run: dcqcnConfig},
			{Name: "mlx5cmd -Qosconfig -DefaultUntaggedPriority", Min: 1, Max: Any, Run: untaggedPriority},
			{Name: "mlx5cmd -RegKeys", Max: 6, Run: mlx5Keys},
			{Name: "mlx5cmd -Features", Max: 2, Run: features},
			{Name: "mlx5cmd -dbg -ResourceDump", Min: 1, Max: Any, Run: resourceDump},
		},
	}
}
