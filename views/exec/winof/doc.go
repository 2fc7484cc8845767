// Package winof implements the tools of the WinOF driver: vlan_config, part_man, mlxtool and perf_tuning. Their syntax and
// output follow the manual's transcripts. Their changes are Operations of the driver.
package winof
