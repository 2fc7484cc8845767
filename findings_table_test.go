package main

// plantedFaults are the scenes, the faults and the misconfigurations of the lab.
var plantedFaults = []plantedFault{
	{"scene incast", `
scene run incast
advance 8s`, "slot-narrow pause-out pause-out-always receive-drops", ""},
	{"scene receiver-too-slow", `
scene run receiver-too-slow
advance 8s`, "receiver-slow", ""},
	{"scene mtu-mismatch", `
scene run mtu-mismatch
advance 8s`, "mtu-mismatch", ""},
	{"scene pause-storm", `
scene run pause-storm
advance 8s`, "pause-storm", ""},
	{"scene cable-pulled", `
scene run cable-pulled
advance 8s`, "cable-out", ""},
	{"scene slot-too-narrow", `
scene run slot-too-narrow
advance 8s`, "slot-narrow", ""},
	{"scene pfc-one-side", `
scene run pfc-one-side
advance 8s`, "pfc-switch-missing pfc-modes", ""},
	{"scene wrong-dscp-trust", `
scene run wrong-dscp-trust
advance 8s`, "trust-wrong", ""},
	{"scene ets-starvation", `
scene run ets-starvation
advance 8s`, "ets-starvation strict-class", ""},
	{"scene congestion-spreading", `
scene run congestion-spreading
advance 8s`, "far-congestion", ""},
	{"scene cnps-lost", `
scene run cnps-lost
advance 8s`, "cnps-dropped", ""},
	{"scene dcbx-both-willing", `
scene run dcbx-both-willing
advance 8s`, "dcbx-replaces", ""},
	{"scene dcbx-neither-willing", `
scene run dcbx-neither-willing
advance 8s`, "dcbx-stubborn", ""},
	{"scene stall-unmonitored", `
scene run stall-unmonitored
advance 8s`, "receiver-stalled", ""},
	{"scene stall-monitored", `
scene run stall-monitored
advance 8s`, "receiver-stalled", ""},
	{"scene burst-ring-only", `
scene run burst-ring-only
advance 8s`, "receiver-slow", ""},
	{"scene burst-threaded", `
scene run burst-threaded
advance 8s`, "ring-small", ""},
	{"scene burst-polling", `
scene run burst-polling
advance 8s`, "receive-polling", ""},
	{"fault link-flap", `
fault set "Ethernet 9" link-flap 1
advance 10s`, "port-no-link", ""},
	{"fault far-end-pause", `
fault set "Ethernet 6" far-end-pause 0.97
advance 5s`, "pause-storm", ""},
	{"fault bad-cable", `
fault set "Ethernet 7" bad-cable 0.02
advance 5s`, "damaged-frames", ""},
	{"fault congestion", `
fault set "Ethernet 7" congestion 0.9
advance 5s`, "rdma-throttled-long pause-in-long pause-storm", ""},
	{"fault long-frames", `
fault set "Ethernet 5" long-frames 0.05
advance 5s`, "mtu-mismatch", ""},
	{"fault stall", `
fault set "Ethernet 7" stall 1
advance 5s`, "receiver-stalled", ""},
	{"fault debugger", `
fault set "Ethernet 7" debugger 1
advance 5s`, "debugger", ""},
	{"fault few-receives", `
fault set "Ethernet 7" few-receives 0.2
advance 5s`, "rnr-retries", ""},
	{"fault wrong-key", `
fault set "Ethernet 7" wrong-key 0.01
advance 5s`, "wrong-memory-keys", ""},
	{"fault bad-request", `
fault set "Ethernet 7" bad-request 0.01
advance 5s`, "malformed-requests", ""},
	{"fault remote-failure", `
fault set "Ethernet 7" remote-failure 0.01
advance 5s`, "remote-failures", ""},
	{"fault application-exit", `
fault set "Ethernet 7" application-exit 1
advance 5s`, "applications-ended", ""},
	{"fault send-hang", `
fault set "Ethernet 7" send-hang 1
advance 3s`, "send-hang send-stuck", ""},
	{"fault send-hang, after the reset", `
fault set "Ethernet 7" send-hang 1
advance 25s`, "send-hang send-stuck", ""},
	{"fault many-queue-pairs", `
fault set "Ethernet 7" many-queue-pairs 1
advance 5s`, "many-queue-pairs", ""},
	{"fault wrong-sizes", `
fault set "Ethernet 5" wrong-sizes 0.05
advance 5s`, "misshapen-frames", ""},
	{"fault far-end-pause on WinOF", `
switch set "Ethernet 3" pause-share=0.97 pause-priority=3
advance 5s`, "pause-storm", ""},
	{"fault bad-cable on InfiniBand", `
fault set "Ethernet 4" bad-cable 0.01
advance 5s`, "damaged-frames", ""},
	{"fault wrong-key on WinOF", `
fault set "Ethernet 3" wrong-key 0.01
advance 5s`, "wrong-memory-keys", ""},
	{"VF fault vf-wrong-address", `
vf fault "Ethernet 7" 0 vf-wrong-address 0.5
advance 3s`, "vf-wrong-address", ""},
	{"VF fault vf-barred-type", `
reg set "Ethernet 7" VFAllowedTxEtherTypeListEnable 1
reg set "Ethernet 7" VFAllowedTxEtherType0 0x0800
reg set "Ethernet 7" VFAllowedTxEtherType1 0x0806
adapter restart "Ethernet 7"
advance 5s
vf fault "Ethernet 7" 0 vf-barred-type 0.5
advance 3s`, "vf-barred-type vf-drops", ""},
	{"VF fault vf-firmware-load", `
vf fault "Ethernet 7" 0 vf-firmware-load 0.9
advance 3s`, "vf-firmware-load", ""},
	{"VF fault vf-storm", `
vf fault "Ethernet 7" 0 vf-storm 0.5
advance 3s`, "vf-storm", ""},
	{"RSS off", `
reg set "Ethernet 8" '*RSS' 0
adapter restart "Ethernet 8"
advance 5s`, "rss-off", ""},
	{"RSS off with SR-IOV", `
reg set "Ethernet 7" '*RSS' 0
adapter restart "Ethernet 7"
advance 5s`, "rss-off-vf", ""},
	{"RSS differs between the ports of a card", `
reg set "Ethernet 3" '*RSS' 0
adapter restart "Ethernet 3"
advance 5s`, "rss-differs rss-off", ""},
	{"key stored and not in effect", `
reg set "Ethernet 7" '*ReceiveBuffers' 1024`, "keys-pending", ""},
	{"value above the range", `
reg set "Ethernet 7" '*ReceiveBuffers' 99999 --force
adapter restart "Ethernet 7"
advance 5s`, "keys-replaced", ""},
	{"one-sided flow control", `
reg set "Ethernet 6" '*FlowControl' 1
adapter restart "Ethernet 6"
advance 5s`, "pause-one-sided", ""},
	{"small receive ring", `
reg set "Ethernet 10" '*ReceiveBuffers' 256
adapter restart "Ethernet 10"
advance 5s
scene run burst-ring-only "Ethernet 10"
advance 5s`, "ring-small receiver-slow", ""},
	{"jumbo frames at the host alone", `
reg set "Ethernet 10" '*JumboPacket' 9614
adapter restart "Ethernet 10"
advance 5s`, "mtu-above-switch", ""},
	{"TcpWindowSize", `
reg set "Ethernet 7" TcpWindowSize 16384
adapter restart "Ethernet 7"
advance 3s`, "tcp-window keys-pending", ""},
	{"IgnoreFCS", `
reg set "Ethernet 3" IgnoreFCS 1
adapter restart "Ethernet 3"
advance 5s`, "fcs-ignored", ""},
	{"interrupt moderation off", `
reg set "Ethernet 8" '*InterruptModeration' 0
adapter restart "Ethernet 8"
advance 5s`, "moderation-off", ""},
	{"checksum offload off", `
reg set "Ethernet 5" '*TCPUDPChecksumOffloadIPv4' 0
adapter restart "Ethernet 5"
advance 5s`, "offloads-off", ""},
	{"large send offload off", `
reg set "Ethernet 5" '*LsoV2IPv4' 0
adapter restart "Ethernet 5"
advance 5s`, "offloads-off", ""},
	{"RoCE off", `
reg set "Ethernet 7" '*NetworkDirect' 0
adapter restart "Ethernet 7"
advance 5s`, "rdma-not-used rdma-stops", ""},
	{"RoCE v1 among v2", `
reg set "Ethernet 8" roce_mode 0
adapter restart "Ethernet 8"
advance 5s`, "roce-modes rdma-not-used", ""},
	{"multicast MAC address", `
reg set "Ethernet 8" NetworkAddress 01005E000001 --force
adapter restart "Ethernet 8"
advance 5s`, "multicast-mac", ""},
	{"duplicate MAC address", `
reg set "Ethernet 8" NetworkAddress 248A071C2B3C
adapter restart "Ethernet 8"
advance 5s`, "same-mac", ""},
	{"RSS off in Windows", `
reg set "Ethernet 7" EnableRSS 0 --force
adapter restart "Ethernet 7"
advance 5s`, "rss-stack-off", ""},
	{"stall monitor off", `
reg set "Ethernet 7" DeviceRxStallTimeout 0
adapter restart "Ethernet 7"
advance 5s`, "stall-monitor-off", ""},
	{"adapter disabled", `
adapter disable "Ethernet 7"
advance 3s`, "driver-stopped", ""},
	{"cable out of a WinOF port", `
cable pull "Ethernet 3"
advance 3s`, "cable-out", ""},
	{"cable out of InfiniBand", `
cable pull "Ethernet 4"
advance 3s`, "cable-out", ""},
	{"no subnet manager", `
switch set "Ethernet 4" subnet_manager=absent
advance 5s`, "ib-init", ""},
	{"subnet manager down", `
switch set "Ethernet 4" subnet_manager=down
advance 5s`, "ib-manager-down", ""},
	{"slot of one lane", `
slot set "ConnectX-4 Lx" 3 1
advance 3s`, "slot-narrow", ""},
	{"slot with half the lanes", `
slot set "BlueField-2" 4 8
advance 3s`, "slot-narrow", ""},
	{"switch port without flow control", `
switch set "Ethernet 7" flow_control=off
advance 5s`, "pfc-modes", ""},
	{"switch port with global pause", `
switch set "Ethernet 7" flow_control=global
advance 5s`, "pfc-modes", ""},
	{"switch port with PFC on another priority", `
switch set "Ethernet 7" lossless=4
advance 5s`, "pfc-switch-missing pfc-host-missing", ""},
	{"switch port forwards 1522 bytes", `
switch set "Ethernet 7" max_frame=1522
advance 5s`, "mtu-above-switch mtu-mismatch", ""},
	{"switch port at a lower speed", `
switch set "Ethernet 7" speed=40
advance 5s`, "port-slow", ""},
	{"trunk without the VLAN", `
switch set "Ethernet 7" trunk=on vlans=70
advance 5s`, "workload-vlan", ""},
	{"switch port trusts the DSCP", `
switch set "Ethernet 7" trust=dscp
advance 5s`, "trust-wrong", ""},
	{"switch pauses the host", `
switch set "Ethernet 7" pause-share=0.95 pause-priority=3
advance 5s`, "pause-storm", ""},
	{"marking off under congestion", `
switch set "Ethernet 7" mark_probability=0
advance 5s`, "ecn-off marking-off", ""},
	{"PFC removed in Windows", `
Disable-NetQosFlowControl 3
advance 3s`, "pfc-host-missing pfc-modes rdma-unprotected qos-off", ""},
	{"adapter QoS off", `
Disable-NetAdapterQos "Ethernet 7"
advance 3s`, "qos-off pfc-modes pfc-host-missing", ""},
	{"DCB feature removed", `
Uninstall-WindowsFeature Data-Center-Bridging
advance 3s`, "dcb-missing qos-off", ""},
	{"QoS policy of SMB Direct removed", `
Remove-NetQosPolicy SMBDirect -Confirm:$false
advance 3s`, "rdma-unprotected", ""},
	{"strict traffic class", `
New-NetQosTrafficClass "SMB Direct" -Priority 3 -Algorithm Strict
workload scale "SMB Direct writes, volume 1" 5
advance 5s`, "ets-starvation strict-class", ""},
	{"SMB signing", `
Set-SmbClientConfiguration -RequireSecuritySignature $true -Confirm:$false
advance 3s`, "rdma-not-used", ""},
	{"SMB multichannel off", `
Set-SmbClientConfiguration -EnableMultiChannel $false -Confirm:$false
advance 3s`, "rdma-not-used", ""},
	{"SMB encryption", `
Set-SmbServerConfiguration -EncryptData $true -Confirm:$false
advance 3s`, "rdma-not-used", ""},
	{"Network Direct off", `
Set-NetOffloadGlobalSetting -NetworkDirect Disabled
advance 3s`, "network-direct-off", ""},
	{"IP address removed", `
Remove-NetIPAddress 10.7.0.10 -Confirm:$false
advance 3s`, "workload-gid rdma-not-used rdma-stops", ""},
	{"peers' switch port without PFC", `
far set "Ethernet 7" flow_control=off
advance 5s`, "far-switch", ""},
	{"peers without flow control", `
far set "Ethernet 7" adapter_flow_control=off
advance 5s`, "far-adapter", ""},
	{"peers' switch port trusts the DSCP", `
far set "Ethernet 7" trust=dscp
advance 5s`, "far-marks", ""},
	{"peers ignore CNPs", `
far set "Ethernet 7" reacts=none
advance 5s`, "far-congestion", ""},
	{"peers send no CNPs", `
far set "Ethernet 7" notifies=none
advance 5s`, "far-congestion", ""},
	{"congestion control on another priority", `
reg set "Ethernet 7" DcqcnEnablePrio5 1
reg set "Ethernet 7" DcqcnEnablePrio3 0
adapter restart "Ethernet 7"
advance 15s`, "congestion-control-stray", ""},
	{"CNPs dropped", `
far set "Ethernet 7" drops_notices=on
advance 5s`, "cnps-dropped", ""},
	{"slow peer", `
far set "Ethernet 7" slow-peer=10.7.0.21:0.05
advance 5s`, "slow-peer pause-storm pause-in-long rdma-throttled-long", ""},
	{"processors slow", `
processors set "Ethernet 10" 2
advance 5s`, "receiver-slow", ""},
	{"processors of WinOF slow", `
processors set "Ethernet 3" 1
advance 5s`, "receiver-slow receive-discards card-no-descriptors receive-drops send-ring-full", ""},
	{"team member without cable", `
team create A SFT "Ethernet 5" "Ethernet 6"
advance 6s
cable pull "Ethernet 6"
advance 5s`, "team-degraded cable-out", ""},
	{"team disconnected", `
team create A SFT "Ethernet 5" "Ethernet 6"
advance 6s
cable pull "Ethernet 6"
cable pull "Ethernet 5"
advance 5s`, "team-down", ""},
	{"team of unlike speeds", `
team create A SFT "Ethernet 6" "Ethernet 10"
advance 6s`, "team-speeds", ""},
	{"virtual machine without a function", `
vm create extra --vf --guest-driver 24.4.26429 --start
advance 3s`, "vm-without-function", ""},
	{"virtual machines stopped", `
vm stop vm001 vm002 vm003 vm004
advance 3s`, "workload-machine", ""},
	{"firmware setting without a reset", `
firmware set "ConnectX-5 Ex" NUM_OF_VFS=16
advance 1s`, "firmware-waits", ""},
	{"port type not supported", `
firmware set "ConnectX-5 Ex" LINK_TYPE_P1=1
adapter reset "ConnectX-5 Ex"
advance 10s`, "wrong-port-type", ""},
	{"port type differs from the far end", `
firmware set "ConnectX-3 Pro" LINK_TYPE_P2=2
host reboot
advance 90s`, "port-type-differs", ""},
	{"virtual switch without functions", `
firmware set "ConnectX-5 Ex" SRIOV_EN=0
adapter reset "ConnectX-5 Ex"
advance 10s`, "sriov-short switch-no-ports vm-without-function", ""},
	{"partition without membership", `
part_man add "Ethernet 4" ipoib_9 8009
advance 3s`, "partition-idle", ""},
}

// healthyHosts are hosts with changes that break nothing.
var healthyHosts = []plantedFault{
	{name: "untouched", lines: `
`, lab: ""},
	{name: "a minute later", lines: `
advance 60s`, lab: ""},
	{name: "two minutes later", lines: `
advance 120s`, lab: ""},
	{name: "a quarter of an hour later", lines: `
advance 15m`, lab: ""},
	{name: "SMB Direct reads, volume 1 at 50%", lines: `
workload scale "SMB Direct reads, volume 1" 0.5
advance 5s`, lab: ""},
	{name: "SMB Direct reads, volume 1 at 120%", lines: `
workload scale "SMB Direct reads, volume 1" 1.2
advance 5s`, lab: ""},
	{name: "SMB Direct writes, volume 1 at 50%", lines: `
workload scale "SMB Direct writes, volume 1" 0.5
advance 5s`, lab: ""},
	{name: "SMB Direct writes, volume 1 at 130%", lines: `
workload scale "SMB Direct writes, volume 1" 1.3
advance 5s`, lab: ""},
	{name: "Web front end at 50%", lines: `
workload scale "Web front end" 0.5
advance 5s`, lab: ""},
	{name: "Web front end at 130%", lines: `
workload scale "Web front end" 1.3
advance 5s`, lab: ""},
	{name: "Cluster storage, disaggregated at 70%", lines: `
workload scale "Cluster storage, disaggregated" 0.7
advance 5s`, lab: ""},
	{name: "Cluster storage, disaggregated at 120%", lines: `
workload scale "Cluster storage, disaggregated" 1.2
advance 5s`, lab: ""},
	{name: "Archive over SMB Direct at 150%", lines: `
workload scale "Archive over SMB Direct" 1.5
advance 5s`, lab: ""},
	{name: "Virtual machines, web tier at 130%", lines: `
workload scale "Virtual machines, web tier" 1.3
advance 5s`, lab: ""},
	{name: "Virtual machines, builds at 200%", lines: `
workload scale "Virtual machines, builds" 2
advance 5s`, lab: ""},
	{name: "Message queue at 200%", lines: `
workload scale "Message queue" 2
advance 5s`, lab: ""},
	{name: "Telemetry at 150%", lines: `
workload scale "Telemetry" 1.5
advance 5s`, lab: ""},
	{name: "Market data at 150%", lines: `
workload scale "Market data" 1.5
advance 5s`, lab: ""},
	{name: "Cluster interconnect at 120%", lines: `
workload scale "Cluster interconnect" 1.2
advance 5s`, lab: ""},
	{name: "SMB Direct mirror at 130%", lines: `
workload scale "SMB Direct mirror" 1.3
advance 5s`, lab: ""},
	{name: "Backup of virtual machines at 50%", lines: `
workload scale "Backup of virtual machines" 0.5
advance 5s`, lab: ""},
	{name: "Web, short requests at 60%", lines: `
workload scale "Web, short requests" 0.6
advance 5s`, lab: ""},
	{name: "a workload stopped", lines: `
workload scale "Message queue" 0
advance 5s`, lab: ""},
	{name: "all of SMB Direct stopped", lines: `
workload scale "SMB Direct reads, volume 1" 0
workload scale "SMB Direct writes, volume 1" 0
advance 5s`, lab: ""},
	{name: "restart of Ethernet 7", lines: `
adapter restart "Ethernet 7"
advance 12s`, lab: ""},
	{name: "restart of Ethernet 8", lines: `
adapter restart "Ethernet 8"
advance 12s`, lab: ""},
	{name: "restart of Ethernet 9", lines: `
adapter restart "Ethernet 9"
advance 12s`, lab: ""},
	{name: "restart of Ethernet 3", lines: `
adapter restart "Ethernet 3"
advance 12s`, lab: ""},
	{name: "restart of Ethernet 10", lines: `
adapter restart "Ethernet 10"
advance 12s`, lab: ""},
	{name: "restart of Ethernet 6", lines: `
adapter restart "Ethernet 6"
advance 12s`, lab: ""},
	{name: "restart of Ethernet 4", lines: `
adapter restart "Ethernet 4"
advance 12s`, lab: ""},
	{name: "larger receive rings", lines: `
reg set "Ethernet 7" '*ReceiveBuffers' 4096
adapter restart "Ethernet 7"
advance 5s
advance 8s`, lab: ""},
	{name: "more RSS queues", lines: `
reg set "Ethernet 7" '*NumRSSQueues' 16
adapter restart "Ethernet 7"
advance 5s
advance 8s`, lab: ""},
	{name: "fewer RSS queues", lines: `
reg set "Ethernet 8" '*NumRSSQueues' 4
adapter restart "Ethernet 8"
advance 5s
advance 8s`, lab: ""},
	{name: "a reserve for bursts", lines: `
reg set "Ethernet 10" AsyncReceiveIndicate 1
adapter restart "Ethernet 10"
advance 5s
advance 8s`, lab: ""},
	{name: "a low-latency profile", lines: `
reg set "Ethernet 8" RxIntModerationProfile 0
adapter restart "Ethernet 8"
advance 5s
advance 8s`, lab: ""},
	{name: "jumbo frames at both ends", lines: `
reg set "Ethernet 5" '*JumboPacket' 9014
adapter restart "Ethernet 5"
advance 12s`, lab: ""},
	{name: "PFC off at both ends of a port without RDMA", lines: `
qos setup pause "Ethernet 10" on
advance 10s`, lab: ""},
	{name: "lossless again", lines: `
qos setup lossless "Ethernet 7"
advance 10s`, lab: ""},
	{name: "a share of 60%", lines: `
qos setup lossless "Ethernet 7" --share 60
advance 10s`, lab: ""},
	{name: "congestion control tuned", lines: `
qos setup congestion "Ethernet 7" DcqcnRpgAiRate=20
advance 10s`, lab: ""},
	{name: "a team of Windows", lines: `
team create A SFT "Ethernet 5" "Ethernet 6"
advance 15s
`, lab: ""},
	{name: "a virtual machine restarted", lines: `
vm stop vm001
advance 3s
vm start vm001
advance 20s`, lab: ""},
	{name: "a function detached", lines: `
vf detach vm002
advance 5s`, lab: ""},
	{name: "a function attached again", lines: `
vf detach vm002
advance 3s
vf attach vm002
advance 5s`, lab: ""},
	{name: "a virtual machine paused", lines: `
vm pause vm003
advance 5s`, lab: ""},
	{name: "a function reset", lines: `
vf reset "Ethernet 7" 1
advance 8s`, lab: ""},
	{name: "a cable pulled and plugged in", lines: `
cable pull "Ethernet 9"
advance 3s
cable plug "Ethernet 9"
advance 25s`, lab: ""},
	{name: "a scene that ended", lines: `
scene run pause-storm
advance 10s
scene end pause-storm
advance 25s`, lab: ""},
	{name: "a fault that was cleared", lines: `
fault set "Ethernet 7" wrong-key 0.05
advance 5s
fault clear "Ethernet 7" wrong-key
advance 25s`, lab: ""},
	{name: "an incast that ended", lines: `
scene run incast
advance 10s
scene end incast
advance 25s`, lab: ""},
	{name: "a key changed and undone", lines: `
reg set "Ethernet 7" '*ReceiveBuffers' 1024
undo --yes
advance 5s`, lab: ""},
	{name: "a plan of QoS undone", lines: `
Disable-NetQosFlowControl 3
advance 3s
undo --yes
advance 20s`, lab: ""},
	{name: "a reboot", lines: `
host reboot
advance 60s`, lab: ""},
	{name: "a card reset", lines: `
adapter reset "ConnectX-5 Ex"
advance 20s`, lab: ""},
	{name: "a driver reloaded", lines: `
driver reload mlx4
advance 20s`, lab: ""},
	{name: "the management connection moved", lines: `
management set "Ethernet 10"
advance 2s`, lab: ""},
	{name: "statistics cleared", lines: `
statistics reset "Ethernet 3"
advance 2s`, lab: ""},
	{name: "marking at all switch ports", lines: `
switch set "Ethernet 3" mark_probability=0.01
advance 5s`, lab: ""},
	{name: "host of the WinOF manual", lines: `
`, lab: "manual-winof"},
	{name: "host of the WinOF-2 manual", lines: `
`, lab: "manual-winof2"},
	{name: "large lab", lines: `
`, lab: "large"},
	{name: "large lab later", lines: `
advance 40s`, lab: "large"},
}
