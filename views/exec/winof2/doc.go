// Package winof2 implements mlx5cmd, the tool of the WinOF-2 driver.
package winof2
