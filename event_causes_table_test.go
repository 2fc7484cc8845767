package main

import "fmt"

// eventCauses has a row for each event, sensor and return code.
var eventCauses = []eventCause{
	{key: "mlx5.vf-count-capped", lines: `
firmware set BlueField-2 SRIOV_EN=1 NUM_OF_VFS=4
reg set "Ethernet 10" '*SRIOV' 1
Set-NetAdapterSriov -Name "Ethernet 10" -NumVFs 64
host reboot
advance 2m`},
	{key: "mlx5.rss-stack-off", lines: `
reg set "Ethernet 7" EnableRSS 0 --force
adapter restart "Ethernet 7"
advance 5s`},
	{key: "mlx5.jumbo-capped", lines: `
reg set "Ethernet 7" '*JumboPacket' 9999 --force
adapter restart "Ethernet 7"
advance 5s`},
	{key: "mlx5.mtu-below-minimum", lines: atStart("firmware-small-mtu")},
	{key: "mlx5.stopped", lines: `adapter disable "Ethernet 7"`},
	{key: "mlx5.msix-below-minimum", lines: atStart("no-interrupt-vectors")},
	{key: "mlx5.link-up", lines: "cable pull \"Ethernet 7\"\nadvance 2s\ncable plug \"Ethernet 7\"\nadvance 10s"},
	{key: "mlx5.link-down", lines: "cable pull \"Ethernet 7\"\nadvance 2s"},
	{key: "mlx5.rss-off-adapter", lines: `
reg set "Ethernet 8" '*RSS' 0
adapter restart "Ethernet 8"
advance 5s`},
	{key: "mlx5.cq-error", lines: withFault("Ethernet 7", "cq-error", "1s")},
	{key: "mlx5.cqe-error", lines: withFault("Ethernet 7", "send-error", "1s")},
	{key: "mlx5.eq-stuck", lines: withFault("Ethernet 7", "event-queue-stuck", "17s")},
	{key: "mlx5.tx-timeout", lines: withFault("Ethernet 7", "send-hang", "21s")},
	{key: "mlx5.rx-timeout", lines: withFault("Ethernet 7", "receive-hang", "21s")},
	{key: "mlx5.no-flow-control", lines: `
reg set "Ethernet 6" '*FlowControl' 0
adapter restart "Ethernet 6"
advance 5s`},
	{key: "mlx5.multicast-mac", lines: `
reg set "Ethernet 8" NetworkAddress 01005E000001 --force
adapter restart "Ethernet 8"
advance 5s`},
	{key: "mlx5.reset-by-miniport", lines: withFault("Ethernet 7", "cq-error", "5s")},
	{key: "mlx5.reset-by-ndis", lines: withFault("Ethernet 7", "request-hang", "5s")},
	{key: "mlx5.reset-finished", lines: withFault("Ethernet 7", "request-hang", "9s")},
	{key: "mlx5.identity", lines: "adapter restart \"Ethernet 7\"\nadvance 5s"},
	{key: "mlx5.query-hca-cap-failed", lines: atStart("capability-query-fails")},
	{key: "mlx5.query-adapter-failed", lines: atStart("adapter-query-fails")},
	{key: "mlx5.msix-below-recommended", lines: atStart("few-interrupt-vectors")},
	{key: "mlx5.fw-command-failed", lines: withFault("Ethernet 7", "command-fails", "11s")},
	{key: "mlx5.too-many-rroce-ips", lines: manyAddresses},
	{key: "mlx5.too-few-eqs", lines: atStart("few-event-queues")},
	{key: "mlx5.fw-command-execution-failed", lines: withFault("Ethernet 7", "command-times-out", "61s")},
	{key: "mlx5.unsupported-port-type", lines: `
firmware set "ConnectX-5 Ex" LINK_TYPE_P1=1
host reboot
advance 2m`},
	{key: "mlx5.fw-requirements-missing", lines: atStart("firmware-lacks-requirements")},
	{key: "mlx5.flow-table-too-small", lines: atStart("firmware-small-flow-table")},
	{key: "mlx5.rx-wqe-too-large", lines: atStart("firmware-small-receives")},
	{key: "mlx5.wqe-size-too-small", lines: atStart("firmware-small-descriptors")},
	{key: "mlx5.no-cq-moderation", lines: atStart("firmware-no-moderation")},
	{key: "mlx5.no-cq-eq-remap", lines: atStart("firmware-no-remap")},
	{key: "mlx5.no-vport-counters", lines: atStart("firmware-no-vport-counters")},
	{key: "mlx5.no-lso", lines: atStart("firmware-no-lso")},
	{key: "mlx5.no-checksum", lines: atStart("firmware-no-checksum")},
	{key: "mlx5.ndis-reset-failed", lines: "fault set \"Ethernet 7\" reset-fails\n" + withFault("Ethernet 7", "request-hang", "5s")},
	{key: "mlx5.mstdump-fatal", lines: withFault("Ethernet 7", "event-queue-stuck", "17s")},
	{key: "mlx5.mstdump-oid", lines: `dump state "Ethernet 7"`},
	{key: "mlx4.eth-started", lines: withFault("Ethernet 3", "receive-error", "5s")},
	{key: "mlx4.eth-init-failed", lines: atStartWinOF("start-fails")},
	{key: "mlx4.eth-started-mac", lines: "adapter restart \"Ethernet 3\"\nadvance 5s"},
	{key: "mlx4.eth-reset", lines: withFault("Ethernet 3", "receive-error", "5s")},
	{key: "mlx4.eth-reset-failed", lines: "fault set \"Ethernet 3\" reset-fails\n" + withFault("Ethernet 3", "receive-error", "5s")},
	{key: "mlx4.eth-stopped", lines: `adapter disable "Ethernet 3"`},
	{key: "mlx4.eth-old-firmware", lab: "old-firmware", lines: "advance 1s"},
	{key: "mlx4.eth-link-up", lines: "cable pull \"Ethernet 3\"\nadvance 2s\ncable plug \"Ethernet 3\"\nadvance 10s"},
	{key: "mlx4.eth-link-down", lines: "cable pull \"Ethernet 3\"\nadvance 2s"},
	{key: "mlx4.eth-rss-mismatch", lines: `
reg set "Ethernet 3" '*RSS' 0
adapter restart "Ethernet 3"
advance 5s`},
	{key: "mlx4.eth-msix-short", lines: atStartWinOF("few-interrupt-vectors")},
	{key: "mlx4.fw-command-failed", lines: withFault("Ethernet 3", "command-fails", "11s")},
	{key: "mlx4.sriov-enabled", lab: "ethernet", lines: functionsWinOF},
	{key: "mlx4.port-type-not-changed", lines: `
reg set "ConnectX-3 Pro" PortType 0x44 --force
driver reload mlx4
advance 10s`},
	{key: "mlx4.vf-bad-command", lab: "ethernet", lines: functionsWinOF + `
vf fault "Ethernet 3" 0 vf-firmware-load
advance 30s`},
	{key: "mlx4.dropless-entered", lab: "ethernet", lines: droplessWinOF},
	{key: "mlx4.dropless-exited", lab: "ethernet", lines: droplessWinOF + "\ndropless set \"Ethernet 3\" off"},
	{key: "mlx4.delay-drop-timeout", lab: "ethernet", lines: `
reg set "Ethernet 3" DelayDropTimeout 1
adapter restart "Ethernet 3"
advance 5s
dropless set "Ethernet 3" on
processors set "Ethernet 3" 1%
workload scale "Backup to tape host" 10
advance 30s`},
	{key: "mlx5.delay-drop-timeout", lines: `
dropless set "Ethernet 6" on
processors set "Ethernet 6" 1%
advance 30s`},
	{key: "mlx5.dropless-entered", lines: `dropless set "Ethernet 6" on`},
	{key: "mlx5.dropless-exited", lines: "dropless set \"Ethernet 6\" on\ndropless set \"Ethernet 6\" off"},
	{key: "mlx4.dmn-created", lines: `
reg set "Ethernet 3" SHSensorsDumpMask 0x10000
` + withFault("Ethernet 3", "receive-error", "1s")},
	{key: "mlx4.dmn-failed", lines: `
reg set "Ethernet 3" DumpMeNowTotalCount 0
reg set "Ethernet 3" SHSensorsDumpMask 0x10000
driver reload mlx4
advance 10s
` + withFault("Ethernet 3", "receive-error", "1s")},
	{key: "mlx4.sh-hw-send-stall", lines: withFault("Ethernet 3", "send-hang", "21s")},
	{key: "mlx4.sh-sw-receive-stall", lines: withFault("Ethernet 3", "receive-hang", "21s")},
	{key: "mlx4.sh-receive-completion-error", lines: withFault("Ethernet 3", "receive-error", "1s")},
	{key: "mlx4.sh-send-completion-error", lines: withFault("Ethernet 3", "send-error", "1s")},
	{key: "mlx4.sh-sw-send-stall", lines: withFault("Ethernet 3", "completion-hang", "37s")},
	{key: "mlx4.sh-vf-channel-error", lab: "ethernet", lines: functionsWinOF + `
vf fault "Ethernet 3" 0 vf-channel-error
advance 1s`},
	{key: "mlx4.sh-flow-failed", lines: "fault set \"Ethernet 3\" reset-fails\n" + withFault("Ethernet 3", "receive-error", "1s")},
	{key: "mlx4.sh-restarted", lines: withFault("Ethernet 3", "send-error", "1s")},
	{key: "mlx4.sh-stopped", lines: "fault set \"Ethernet 3\" reset-stops\n" + withFault("Ethernet 3", "receive-error", "1s")},
	{key: "mlx4.sh-vf-second-tier", lab: "ethernet", lines: functionsWinOF + `
vf fault "Ethernet 3" 0 vf-send-hang
advance 45s`},
	{key: "mlx5.vf-cpu-monitor", lines: `
reg set "Ethernet 7" VfCpuMonEnable 1
reg set "Ethernet 7" VfCpuMonBatchPeriodSec 5
reg set "Ethernet 7" VfCpuMonFwCpuUsageMax 10
reg set "Ethernet 7" VfCpuMonErrors2FwMax 10
vf fault "Ethernet 7" 0 vf-firmware-load
advance 20s`},
	{key: "mlx5.vf-page-limit", lines: `
vm stop vm001
reg set "Ethernet 7" MaxFWPagesUsagePerVF 1100
vm start vm001
advance 10s`},
	{key: "mlx4.lost-eqe", lines: withFault("Ethernet 3", "event-queue-stuck", "17s")},
	{key: "mlx4.vf-load-no-resources", lab: "ethernet", lines: `
reg set "ConnectX-3 Pro" bus-driver/LogNumQP 9 --force
` + functionsWinOF},
	{key: "mlx4.removed-104", why: "the drivers of the lab's virtual machines no longer write it (5.40.54000)"},
	{key: "mlx4.removed-122", why: "the drivers of the lab's virtual machines no longer write it (5.40.54000)"},
	{key: "mlx4.removed-144", why: "the drivers of the lab's virtual machines no longer write it (5.40.54000)"},
	{key: "mlx4.ipoib-unknown-protocol", lines: withFault("Ethernet 4", "unknown-protocol", "11s")},
	{key: "mlx4.ipoib-mtu-high", lines: `
switch set "Ethernet 4" max-frame=2048
adapter restart "Ethernet 4"
advance 5s`},
	{key: "mlx4.bad-cable", lines: withFault("Ethernet 3", "bad-cable 0.05", "5s")},
	{key: "mlx4.duplicate-guid", lines: atStartWinOF("duplicate-guid")},
	{key: "mlx4.roce-mode-in-use", lines: "driver reload mlx4\nadvance 10s"},
	{key: "mlx4.smb-not-supported-cx2", why: "the driver writes it for ConnectX-2 cards, which a lab does not have"},
	{key: "mlx4.illegal-port-mix-auto", lines: `
reg set "Ethernet 3" driver-roce/roce_mode 4
reg set "ConnectX-3 Pro" PortType 0x33
driver reload mlx4
advance 10s`},
	{key: "mlx4.illegal-port-mix-manual", lines: `
reg set "Ethernet 3" driver-roce/roce_mode 4
adapter restart "Ethernet 3"
advance 5s`},
	{key: "mlx4.run-fw-failed", lines: atStartWinOF("firmware-does-not-run")},
	{key: "mlx4.ndfltr-mismatch", lines: atStartWinOF("old-filter-driver")},
	{key: "setup.1603", lines: "driver install mlx5 --result fatal-error"},
	{key: "setup.1633", lines: "driver install mlx5 --platform x86"},
	{key: "fwburn.1004", lines: "driver install mlx5 --result device-not-opened"},
	{key: "fwburn.1005", lines: "driver install mlx5 --result no-firmware-image"},
	{key: "fwburn.1006", lines: "driver install mlx5 --result several-firmware-images"},
	{key: "fwburn.1007", lines: "driver install mlx5 --result firmware-needs-force"},
	{key: "fwburn.1008", lines: "driver install mlx5 --result mixed-firmware"},
	{key: "restoreconf.3", lines: "driver install mlx5 --result settings-not-restored"},
	{key: "fwupgrade.9", lines: "driver install mlx4 --result firmware-not-upgraded"},
	{key: "installer.fw-or-restore-failed", lines: "driver install mlx5 --result incomplete"},
	{key: "installer.perf-tuning-failed", lines: "driver install mlx5 --result tuning-failed"},
}

// withFault injects a fault and lets time pass.
func withFault(connection, fault, time string) string {
	return "fault set \"" + connection + "\" " + fault + "\nadvance " + time
}

// atStart injects a fault that the driver finds at its start, on WinOF-2; atStartWinOF does on WinOF.
func atStart(fault string) string { return faultAtStart("Ethernet 7", fault) }

func atStartWinOF(fault string) string { return faultAtStart("Ethernet 3", fault) }

func faultAtStart(connection, fault string) string {
	return "fault set \"" + connection + "\" " + fault + "\nadapter restart \"" + connection + "\"\nadvance 5s"
}

// manyAddresses gives a port more addresses than RoCE uses.
var manyAddresses = func() (lines string) {
	for i := range 34 {
		lines += fmt.Sprintf("New-NetIPAddress -InterfaceAlias \"Ethernet 7\" -IPAddress 10.200.0.%d -PrefixLength 24\n", i+1)
	}
	return lines
}()

const (
	// functionsWinOF gives a machine a virtual function of the WinOF card.
	functionsWinOF = `
firmware set "ConnectX-3 Pro" SRIOV_EN=1 NUM_OF_VFS=8
host reboot
advance 2m
vswitch create S "Ethernet 3" --iov
vm create guest-01 --switch S --vf --guest-driver 24.4 --start
advance 10s`

	droplessWinOF = `
reg set "Ethernet 3" DelayDropTimeout 65535
adapter restart "Ethernet 3"
advance 5s
dropless set "Ethernet 3" on`
)
