// Package winof implements the tools of the WinOF driver: vlan_config, part_man, mlxtool and perf_tuning. They take and print
// what the manual's transcripts show. What the tools change is in the driver, as Operations.
package winof
