// Package winof2 implements mlx5cmd, the tool of the WinOF-2 driver. What the tool changes is in the driver, as Operations.
package winof2
