package catalog

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/health/installer"
	"cxdeck/driver/intent"
	"cxdeck/driver/journal"
	"cxdeck/driver/linux"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/qos"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/driver/virtualization"
)

// waitsByKind has a pattern for the wait that each kind of Operation causes; empty for a kind that is complete at once.
var waitsByKind = map[string]string{
	"restart-adapter": `^Ethernet \d+ restarts$`, "enable-adapter": `^Ethernet \d+ starts$`, "reload-driver": `^driver mlx\d reloads$`,
	"reboot": `^\S+ reboots$`, "reset-card": `^ConnectX-\S+ \S+ resets$`, "plug-cable": `^Ethernet \d+ link comes up$`,
	"set-num-vfs": `^Ethernet \d+ restarts$`, "attach-member": `^Ethernet \d+( and Ethernet \d+)? restarts?$`, "detach-member": `^Ethernet \d+ restarts$`,
	"delete-team": `^Ethernet \d+ restarts$`, "restore-team": `^Ethernet \d+ restarts$`,

	"pull-cable": "", "disable-adapter": "", "mark-management": "", "set-value": "", "delete-value": "", "store-values": "",
	"scale-flow": "", "burst-flow": "", "set-switch-port": "", "set-far-end": "", "set-slot": "", "set-processor-speed": "", "set-fault": "", "set-function-fault": "",
	"set-dropless": "", "reset-statistics": "", "start-capture": "", "stop-capture": "", "empty-capture": "", "create-team": "",
	"modify-team": "", "set-primary": "", "set-team-address": "", "add-vlan": "", "modify-vlan": "", "remove-vlan": "", "set-bios": "", "set-hyper-v-role": "", "set-firmware": "",
	"set-sriov-ports": "", "create-switch": "", "remove-switch": "", "set-switch": "", "create-vm": "", "remove-vm": "",
	"set-vm-state": "", "set-guest-driver": "", "set-netvsc": "", "power-down": "", "power-up": "restart", "add-vm-adapter": "", "remove-vm-adapter": "", "set-vm-adapter": "", "reset-vf": "",
	"quarantine": "", "release-port": "", "set-feature": "", "add-net-virtualization": "", "remove-net-virtualization": "",
	"restore-net-virtualization": "", "add-partition": "", "remove-partition": "",
	"set-dcb-feature": "", "set-startup-script": "", "keep-intent": "", "add-qos-policy": "", "set-qos-policy": "", "remove-qos-policy": "", "add-traffic-class": "", "set-traffic-class": "",
	"remove-traffic-class": "", "set-priority-flow-control": "", "set-dcbx": "", "set-class-limits": "", "set-adapter-qos": "",
	"dump-me-now": "", "dump-state": "", "remove-host-files": "", "stop-trace": "", "start-trace": "", "inject-fault": "", "burn-firmware": "", "extract-package": "", "set-setup-condition": "", "run-setup": `^Ethernet \d.* restarts?$`, "restore-firmware": "", "cut-burn": "", "reset-device": `^Ethernet \d+( and Ethernet \d+)? restarts?$`, "run-installer": `^Ethernet \d+( and Ethernet \d+)? restarts?$`,
	"create-service": "", "delete-service": "", "start-service": "", "stop-service": "", "configure-service": "", "start-opensm": "", "stop-opensm": "", "write-linux-file": "",
	"start-network-direct-test": "", "end-network-direct-test": "", "start-network-direct-server": "", "stop-network-direct-server": "",
	"set-smb": "", "set-network-direct": "", "add-ip-address": "", "remove-ip-address": "", "set-dns-servers": "", "set-dhcp": "", "set-execution-policy": "", "set-network-direct-provider": "", "set-mpi-host": "", "set-network-boot": "", "boot-from-network": "",
	"set-subnet-link": "", "set-subnet-port": "", "set-subnet-manager": "", "clear-subnet-counters": "",
}

// waitingPlans returns printedPlans, and plans of the kinds that are not printed.
func waitingPlans() []printedPlan {
	const name = "Ethernet 7"
	type ops = []driver.Operation
	test := stack.StartTest{Tool: "nd_send_bw", Connection: name, Local: netip.MustParseAddr("10.7.0.10"), Peer: netip.MustParseAddr("10.7.0.21"), Priority: -1, Sizes: []int{64}, Seconds: 1}
	server := stack.TestServer{Tool: "nd_send_bw", Address: test.Local}
	return append(printedPlans(),
		printedPlan{plan: ops{boot.Start{Connection: "Ethernet 3"}}},
		printedPlan{plan: ops{test}}, printedPlan{first: ops{test}, plan: ops{stack.EndTest{Tool: test.Tool, Connection: name}}},
		printedPlan{first: ops{stack.StartServer{Server: server}}, plan: ops{stack.StopServer{Server: server}}},
		printedPlan{plan: ops{hardware.PullCable{Connection: name}}},
		printedPlan{first: ops{hardware.PullCable{Connection: name}}, plan: ops{hardware.PlugCable{Connection: name}}},
		printedPlan{plan: ops{fabric.ScaleFlow{Flow: "Web front end", Scale: 2}}},
		printedPlan{plan: ops{fabric.BurstFlow{Flow: "Market data", Packets: 900}}},
		printedPlan{plan: ops{fabric.SetSwitchPort{Connection: name, MaxFrame: new(1522)}}},
		printedPlan{plan: ops{fabric.SetFarEnd{Connection: name, Settings: setup.FarEnd{DropsCNPs: true}}}},
		printedPlan{plan: ops{hardware.SetSlot{Adapter: "ConnectX-5 Ex", Generation: 2, Lanes: 8}}},
		printedPlan{plan: ops{subnet.SetLink{Port: "IB1/36", Unplugged: new(true)}}},
		printedPlan{plan: ops{subnet.SetPort{Port: "IB1/36", Disabled: new(true)}}},
		printedPlan{plan: ops{subnet.SetManager{Node: "IB1", Priority: new(uint8(3))}}},
		printedPlan{plan: ops{subnet.ClearCounters{Errors: true}}},
		printedPlan{plan: ops{hardware.SetProcessorSpeed{Connection: name, Speed: 0.5}}},
		printedPlan{plan: ops{adapters.MarkManagement{Connection: name, Carries: true}}},
		printedPlan{plan: ops{hardware.SetFault{Connection: name, Fault: description.BadCable, Share: 0.5}}},
		printedPlan{plan: ops{hardware.SetDropless{Connection: name, On: true}}},
		printedPlan{plan: ops{healing.InjectFault{Connection: name, Fault: "command-fails", On: true}}},
		printedPlan{plan: ops{linux.WriteFile{File: linux.File{Path: linux.Config, Text: "virt_enable 2\n"}}}},
		printedPlan{plan: ops{installer.Run{Driver: "mlx4"}}},
		printedPlan{plan: ops{flash.Burn{Adapter: "ConnectX-3 Pro", Image: flash.Content{Version: "2.43.1000", PSID: "MT_1090111019"}, Devices: []uint16{0x1007}}}},
		printedPlan{plan: ops{flash.Restore{Adapter: "ConnectX-3 Pro", Image: flash.Content{Version: "2.40.7000", PSID: "MT_1090111019"}}}},
		printedPlan{plan: ops{packages.SetCondition{Condition: "rdsh", On: true}}},
		printedPlan{plan: ops{flash.CutBurn{Adapter: "ConnectX-3 Pro", Percent: 40}}},
		printedPlan{plan: ops{virtualization.SetBIOS{Host: "LAB-N4", Above4G: new(true)}}},
		printedPlan{plan: ops{virtualization.SetGuestDriver{VM: "vm001", Version: "2.70"}}},
		printedPlan{plan: ops{power.Down{Host: "LAB-N4", Mode: power.Sleep}}},
		printedPlan{first: ops{power.Down{Host: "LAB-N4", Mode: power.Off}}, plan: ops{power.Up{Host: "LAB-N4"}}},
		printedPlan{plan: ops{virtualization.SetNetVSC{VM: "vm001", Stale: new(true), Unbound: new(true)}}},
		printedPlan{plan: ops{hardware.SetFunctionFault{Connection: name, Fault: description.FirmwareLoad, Share: 1}}},
		printedPlan{plan: ops{qos.SetStartup{Lines: []string{"Enable-NetQosFlowControl 3"}}}},
		printedPlan{plan: ops{intent.Keep{File: "rdma.toml", Data: []byte("[[AllNodes]]\nNodeName = \"localhost\"\n")}}},
		printedPlan{plan: ops{adapters.SetSriovPorts{Adapter: "ConnectX-3 Pro", Mode: 2, Port1: 8, Port2: 8}}},
	)
}

// TestWaitsOfOperations: each kind of Operation that restarts something causes a wait with its own text, until the restart is
// complete; other kinds cause none. A new kind must be in the table.
func TestWaitsOfOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for _, kind := range journal.Kinds() {
		if _, known := waitsByKind[kind]; !known {
			t.Errorf("%s: the table does not say what is waited for", kind)
		}
	}
	tried := map[string]bool{}
	var host *driver.Host
	look(t, newBench(t, nil), func(h *driver.Host) { host = h.Clone() })
	host.Advance(5 * time.Second)
	apply := func(h *driver.Host, operations ...driver.Operation) {
		t.Helper()
		if _, err := h.Apply(driver.Plan{Title: "x", Operations: operations}); err != nil {
			t.Fatalf("%s: %v", operations[0].Kind(), err)
		}
	}
	try := func(h *driver.Host, plan []driver.Operation) {
		t.Helper()
		h.Advance(10 * time.Second)
		if left := h.Waits(); len(left) > 0 {
			t.Fatalf("before %s: %+v", plan[0].Kind(), left)
		}
		review := h.ReviewWithoutRestarts(driver.Plan{Title: "x", Operations: plan})
		apply(h, plan...)
		waits := h.Waits()
		for _, o := range plan {
			tried[o.Kind()] = true
			if want := waitsByKind[o.Kind()]; want != "" && !slices.ContainsFunc(waits, func(w driver.Wait) bool {
				return regexp.MustCompile(want).MatchString(w.What) && w.Until.After(h.Now()) && len(w.Connections) > 0 && w.Return != "" && w.Done != ""
			}) {
				t.Errorf("%s: nothing is like %q: %+v", o.Kind(), want, waits)
			}
		}
		if len(waits) > 0 && !slices.ContainsFunc(plan, func(o driver.Operation) bool { return waitsByKind[o.Kind()] != "" }) {
			t.Errorf("%s: waits %+v", plan[0].Kind(), waits)
		}
		if i := &review.Impact; i.Down > 0 && len(waits) == 0 {
			t.Errorf("%s: %s are down for %s, and nothing is waited for", plan[0].Kind(), strings.Join(i.Connections, ", "), i.Down)
		}
		if n := len(waits); n > 0 {
			h.Advance(waits[n-1].Until.Sub(h.Now()) + device.Step)
			if left := h.Waits(); len(left) > 0 {
				t.Errorf("%s: waits after their end: %+v", plan[0].Kind(), left)
			}
		}
	}
	for _, plan := range waitingPlans() {
		h := host.Clone()
		for _, o := range plan.first {
			apply(h, o)
			h.Advance(10 * time.Second)
		}
		try(h, plan.plan)
		if plan.plan[0].Kind() == "delete-team" {
			if back := h.Inverse(h.Changes()); len(back.Operations) > 0 {
				try(h, back.Operations)
			}
		}
	}
	for _, kind := range journal.Kinds() {
		if !tried[kind] {
			t.Errorf("%s was not tried", kind)
		}
	}
}
