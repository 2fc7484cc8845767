package main

import (
	"strings"

	"cxdeck/driver/health/healing"
)

// driverFaultRules are the rules that find the faults of drivers and firmware, by their names. A fault that changes only what
// others do has none.
var driverFaultRules = map[string]string{
	"completion-hang": "send-hang", "receive-hang": "send-hang receiver-stalled", "receive-error": "completion-errors", "send-error": "completion-errors",
	"cq-error": "completion-errors", "event-queue-stuck": "event-queue-stuck", "request-hang": "ndis-reset",
	"command-fails": "firmware-command", "command-times-out": "firmware-command", "command-no-memory": "firmware-command",
	"unknown-protocol": "ipoib-protocol", "no-interrupt-vectors": "msix-none", "few-interrupt-vectors": "msix-few",
	"few-event-queues": "start-lacks-firmware", "capability-query-fails": "start-command-failed", "adapter-query-fails": "start-command-failed",
	"firmware-small-mtu": "start-lacks-firmware", "firmware-lacks-requirements": "start-lacks-firmware", "firmware-small-flow-table": "start-lacks-firmware",
	"firmware-small-receives": "start-lacks-firmware", "firmware-small-descriptors": "start-lacks-firmware",
	"firmware-no-moderation": "firmware-lacks", "firmware-no-remap": "firmware-lacks", "firmware-no-vport-counters": "firmware-lacks",
	"firmware-no-lso": "firmware-lacks", "firmware-no-checksum": "firmware-lacks",
	"firmware-does-not-run": "run-fw-failed", "start-fails": "init-failed", "duplicate-guid": "duplicate-guid", "old-filter-driver": "ndfltr-mismatch",
}

// plantedDriverFaults returns a row of the table for each fault of drivers and firmware, at a port of the driver that has it.
func plantedDriverFaults() (list []plantedFault) {
	for _, f := range healing.Injectable(false) {
		rules := driverFaultRules[f.Name]
		if rules == "" {
			continue
		}
		connection := "Ethernet 7"
		switch {
		case f.Link != "":
			connection = "Ethernet 4"
		case len(f.WinOF2) == 0:
			connection = "Ethernet 3"
		}
		lines := []string{"fault set \"" + connection + "\" " + f.Name}
		if f.When == healing.AtStart {
			lines = append(lines, "adapter restart \""+connection+"\"")
		}
		wait := "12s"
		switch {
		case f.When == healing.AtCheck && f.Sensor == "sw-send":
			wait = "37s"
		case f.When == healing.AtCheck || f.Every > 10:
			wait = "21s"
			if f.Every > 20 {
				wait = "62s"
			}
		}
		list = append(list, plantedFault{name: "driver fault " + f.Name, lines: strings.Join(append(lines, "advance "+wait), "\n"), rules: rules})
	}
	for _, stops := range []string{"reset-fails", "reset-stops"} {
		list = append(list, plantedFault{name: "driver fault " + stops, rules: "healing-stopped reset-failed",
			lines: "fault set \"Ethernet 3\" " + stops + "\nfault set \"Ethernet 3\" receive-error\nadvance 5s"})
	}
	for _, result := range []string{"fatal-error", "device-not-opened", "settings-not-restored", "tuning-failed"} {
		list = append(list, plantedFault{name: "installer " + result, lines: "driver install mlx5 --result " + result + "\nadvance 12s", rules: "installation-failed"})
	}
	return append(list, plantedFault{name: "installer wrong platform", lines: "driver install mlx5 --platform x86", rules: "installer-platform"})
}
