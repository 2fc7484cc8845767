// Package winof2 implements mlx5cmd, the tool of the WinOF-2 driver. Its changes are Operations of the driver.
package winof2
