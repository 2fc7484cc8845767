package driver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/linux"
	"cxdeck/driver/opensm"
	"cxdeck/driver/services"
)

// openSMService is the service of the WinOF manual.
func openSMService(start services.StartType) services.Service {
	return services.Service{Name: "OpenSM", Binary: opensm.Program + " -service", Start: start}
}

func infiniBandHost(t *testing.T) *Host {
	t.Helper()
	lab, err := device.New(manualWinOF(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	return NewHost(lab)
}

// manualWinOF returns the lab of the WinOF manual, with two InfiniBand ports.
func manualWinOF(t *testing.T) *description.Description {
	t.Helper()
	return labNamed(t, "manual-winof")
}

func labNamed(t *testing.T, name string) *description.Description {
	t.Helper()
	for _, lab := range description.NamedLabs() {
		if lab.Name == name {
			d, err := description.ParseText(lab.Text())
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatal("there is no lab " + name)
	return nil
}

func portStates(h *Host) (list []string) {
	for _, port := range h.OpenSM().InfiniBand() {
		list = append(list, h.lab.State(port).Subnet.String())
	}
	return list
}

func expectPorts(t *testing.T, h *Host, when, want string) {
	t.Helper()
	if got := strings.Join(portStates(h), " "); got != want {
		t.Errorf("%s: the ports are %s, not %s", when, got, want)
	}
}

func expectRoles(t *testing.T, h *Host, when string, want ...opensm.Role) {
	t.Helper()
	var got []opensm.Role
	for _, i := range h.OpenSM().Views() {
		got = append(got, i.Role)
	}
	if len(got) != len(want) {
		t.Fatalf("%s: the roles are %v, not %v", when, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: the roles are %v, not %v", when, got, want)
		}
	}
}

// withoutManager takes the subnet manager of the switch away, so that all ports wait.
func withoutManager(t *testing.T, h *Host) {
	t.Helper()
	for _, port := range h.OpenSM().InfiniBand() {
		absent := description.SubnetAbsent
		mustApply(t, h, fabric.SetSwitchPort{Connection: h.connection(port), SubnetManager: &absent})
	}
	h.Advance(5 * time.Second)
	expectPorts(t, h, "without a manager", "INIT INIT")
}

// TestOpenSMServiceActivatesPorts: the service takes the ports out of INIT, a stop leaves them active, and a port that comes up again
// waits. A service with the start type auto is back after a boot, one on demand is not.
func TestOpenSMServiceActivatesPorts(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	withoutManager(t, h)
	mustApply(t, h, services.Create{Service: openSMService(services.Automatic)})
	h.Advance(time.Minute)
	expectPorts(t, h, "with a service that was not started", "INIT INIT")
	mustApply(t, h, services.Start{Name: "opensm"})
	expectPorts(t, h, "at the start", "INIT INIT")
	h.Advance(3 * time.Second)
	expectPorts(t, h, "with OpenSM", "ACTIVE ACTIVE")
	expectRoles(t, h, "alone", opensm.Master)
	if !strings.Contains(string(h.programSet().ReadFile(opensm.DefaultLog)), "SUBNET UP") {
		t.Error("the log has no SUBNET UP")
	}

	back, err := RestoreHost(manualWinOF(t), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	expectRoles(t, back, "restored", opensm.Master)
	expectPorts(t, back, "restored", "ACTIVE ACTIVE")

	mustApply(t, h, services.Stop{Name: "OpenSM"})
	h.Advance(time.Minute)
	expectPorts(t, h, "after the stop", "ACTIVE ACTIVE")
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 5"})
	mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 5"})
	h.Advance(30 * time.Second)
	expectPorts(t, h, "after the cable came back", "ACTIVE INIT")

	mustApply(t, h, adapters.Reboot{Host: h.View().Name})
	if len(h.OpenSM().Instances) != 0 {
		t.Error("OpenSM runs while the host is down")
	}
	h.Advance(3 * time.Minute)
	expectRoles(t, h, "after a boot", opensm.Master)
	expectPorts(t, h, "after a boot", "ACTIVE ACTIVE")

	mustApply(t, h, services.Configure{Name: "OpenSM", Start: new(services.Manual)})
	mustApply(t, h, adapters.Reboot{Host: h.View().Name})
	h.Advance(3 * time.Minute)
	expectRoles(t, h, "after a boot on demand")
	if v, err := h.Services().Find("OpenSM"); err != nil || v.Running || v.PID != 0 {
		t.Errorf("the service is %+v, %v", v, err)
	}
}

// TestMasterAndStandby: the higher priority is the master, and with equal ones the lower GUID. A standby takes over when its polls had no
// answer, and a better one by a handover.
func TestMasterAndStandby(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	mustApply(t, h, opensm.Start{})
	h.Advance(30 * time.Second)
	expectRoles(t, h, "beside the switch", opensm.Standby)
	withoutManagerRunning(t, h)
	h.Advance(20 * time.Second)
	expectRoles(t, h, "soon after the switch stopped", opensm.Standby)
	h.Advance(40 * time.Second)
	expectRoles(t, h, "after the switch stopped", opensm.Master)

	mustApply(t, h, opensm.Start{Arguments: []string{"-p", "3"}})
	h.Advance(5 * time.Second) // its port tells the master of a new manager
	expectRoles(t, h, "after the handover", opensm.Standby, opensm.Master)
	expectPorts(t, h, "after the handover", "ACTIVE ACTIVE")

	mustApply(t, h, opensm.Stop{PID: h.OpenSM().Views()[1].PID})
	h.Advance(20 * time.Second)
	expectRoles(t, h, "after the master ended", opensm.Standby)
	h.Advance(40 * time.Second)
	expectRoles(t, h, "when the polls had no answer", opensm.Master)
}

// withoutManagerRunning stops the subnet manager of the switch.
func withoutManagerRunning(t *testing.T, h *Host) {
	t.Helper()
	for _, port := range h.OpenSM().InfiniBand() {
		down := description.SubnetDown
		mustApply(t, h, fabric.SetSwitchPort{Connection: h.connection(port), SubnetManager: &down})
	}
}

// TestSameTimeInSteps: the roles do not depend on the steps in which time passes.
func TestSameTimeInSteps(t *testing.T) {
	t.Parallel()
	var saved []string
	for _, step := range []time.Duration{time.Minute, 7 * time.Second, device.Step} {
		h := infiniBandHost(t)
		withoutManager(t, h)
		mustApply(t, h, services.Create{Service: openSMService(services.Automatic)})
		mustApply(t, h, services.Start{Name: "OpenSM"})
		mustApply(t, h, opensm.Start{Arguments: []string{"-v", "-p", "1", "-f", `C:\Temp\second.log`}})
		for passed := time.Duration(0); passed < 7*time.Minute; passed += step {
			h.Advance(step)
		}
		saved = append(saved, string(mustSave(t, h)))
	}
	if saved[0] != saved[1] || saved[1] != saved[2] {
		t.Error("the host depends on the steps")
	}
}

// TestProgramsAreUndone: undo takes away what each Operation did.
func TestProgramsAreUndone(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	auto := services.Delayed
	for _, o := range []Operation{
		services.Create{Service: openSMService(services.Manual)}, services.Configure{Name: "OpenSM", Start: &auto, Description: new("for the subnet")},
		services.Start{Name: "OpenSM"}, opensm.Start{Arguments: []string{"-e"}}, services.Delete{Name: "OpenSM"},
	} {
		before := h.Services().All()
		running := len(h.OpenSM().Instances)
		mustApply(t, h, o)
		if _, err := h.Undo(); err != nil {
			t.Fatalf("undo of %s: %v", o.Describe(), err)
		}
		after := h.Services().All()
		for i := range after {
			after[i].PID, before[i].PID = 0, 0 // a service that starts again is another process
			if len(after) != len(before) || after[i] != before[i] {
				t.Errorf("undo of %s: %v, not %v", o.Describe(), after[i], before[i])
			}
		}
		if len(h.OpenSM().Instances) != running {
			t.Errorf("undo of %s: %d instances, not %d", o.Describe(), len(h.OpenSM().Instances), running)
		}
		mustApply(t, h, o)
	}
}

// TestProgramsAreRefused: what Windows and OpenSM refuse is refused, and nothing changes.
func TestProgramsAreRefused(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	mustApply(t, h, services.Create{Service: services.Service{Name: "Off", Binary: opensm.Program + " -service", Start: services.Disabled}})
	mustApply(t, h, services.Create{Service: services.Service{Name: "Hand", Binary: opensm.Program, Start: services.Manual}})
	mustApply(t, h, services.Create{Service: services.Service{Name: "Gone", Binary: `C:\none.exe`, Start: services.Manual}})
	mustApply(t, h, opensm.Start{})
	for _, c := range []struct {
		o   Operation
		why string
	}{
		{services.Create{Service: services.Service{Name: "off", Binary: "x.exe", Start: services.Manual}}, "exists already"},
		{services.Create{Service: services.Service{Name: "lanmanserver", Binary: "x.exe", Start: services.Manual}}, "exists already"},
		{services.Create{Service: services.Service{Name: "a/b", Binary: "x.exe", Start: services.Manual}}, "/ or"},
		{services.Create{Service: services.Service{Name: "a", Start: services.Manual}}, "command line"},
		{services.Create{Service: services.Service{Name: "a", Binary: "x.exe", Start: "boot"}}, "start type"},
		{services.Start{Name: "Off"}, "disabled"}, {services.Start{Name: "Hand"}, "-service"}, {services.Start{Name: "Gone"}, "cannot find the file"},
		{services.Start{Name: "OpenSM"}, "no service"}, {services.Stop{Name: "LanmanServer"}, "belongs to the host"}, {services.Stop{Name: "Off"}, "does not run"},
		{services.Delete{Name: "EventLog"}, "belongs to the host"}, {services.Configure{Name: "Off"}, "setting is required"},
		{services.Configure{Name: "Off", Start: new(services.Disabled)}, "already"},
		{opensm.Start{Arguments: []string{"-g", "0x24be05ffffb9e2e1"}}, "bind to port"}, {opensm.Start{Arguments: []string{"-g", "0x1"}}, "no port has the GUID"},
		{opensm.Start{Arguments: []string{"-g", "0"}}, "give the GUID"}, {opensm.Start{Arguments: []string{"-p", "16"}}, "0 to 15"},
		{opensm.Start{Arguments: []string{"--nonsense"}}, "no option"}, {opensm.Start{Arguments: []string{"-service"}}, "service manager"},
		{opensm.Stop{PID: 1}, "no process"},
	} {
		before := string(mustSave(t, h))
		_, err := h.Apply(Plan{Title: "x", Operations: []Operation{c.o}})
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, not %q", c.o.Describe(), err, c.why)
		}
		if entry := h.Newest(); err != nil && entry.Err == "" && string(mustSave(t, h)) != before {
			t.Errorf("%s changed the host", c.o.Describe())
		}
	}
	mustApply(t, h, opensm.Start{})
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{opensm.Start{}}}); err == nil {
		t.Error("a third instance has no port, and starts")
	}
}

// TestOtherHosts: OpenSM of the Linux host takes part in the election, manages virtual ports if its configuration says so, and stays while this host
// reboots.
func TestOtherHosts(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	withoutManager(t, h)
	other := opensm.Start{Host: linux.Host, GUID: linux.PortGUID, Virtual: true, Arguments: []string{"-p", "2"}}
	mustApply(t, h, other)
	h.Advance(5 * time.Second)
	expectPorts(t, h, "with the other host", "ACTIVE ACTIVE")
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{other}}); err == nil {
		t.Error("a second OpenSM starts on the port of the other host")
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{opensm.Start{Virtual: true}}}); err == nil {
		t.Error("OpenSM of this host manages virtual ports")
	}
	ports := h.OpenSM().InfiniBand()
	ignores := true
	mustApply(t, h, fabric.SetSwitchPort{Connection: h.connection(ports[0]), IgnoresVirtual: &ignores})
	if !h.lab.ManagesVirtual(ports[0]) {
		t.Error("the other host does not manage virtual ports")
	}
	mustApply(t, h, opensm.Start{Arguments: []string{"-p", "1"}})
	h.Advance(20 * time.Second)
	expectRoles(t, h, "beside the other host", opensm.Master, opensm.Standby)
	back, err := RestoreHost(manualWinOF(t), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	expectRoles(t, back, "restored", opensm.Master, opensm.Standby)
	mustApply(t, h, adapters.Reboot{Host: h.View().Name})
	h.Advance(3 * time.Minute)
	expectRoles(t, h, "after a boot of this host", opensm.Master)
	mustApply(t, h, opensm.Stop{PID: h.OpenSM().Views()[0].PID})
	if h.lab.ManagesVirtual(ports[0]) {
		t.Error("virtual ports are managed without the other host")
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	h.Advance(5 * time.Second)
	expectRoles(t, h, "after undo", opensm.Master)
}

// TestGuestOverLinux: the port of a guest comes up with a subnet manager and a GUID, and has the partitions that the Linux host maps.
func TestGuestOverLinux(t *testing.T) {
	t.Parallel()
	d := labNamed(t, "kvm-guest")
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	write := func(path, text string) {
		t.Helper()
		mustApply(t, h, linux.WriteFile{File: linux.File{Path: path, Text: text}})
		h.Advance(5 * time.Second)
	}
	mustApply(t, h, opensm.Start{Host: linux.Host, GUID: linux.PortGUID})
	h.Advance(5 * time.Second)
	expectPorts(t, h, "without a GUID", "INIT")
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{opensm.Start{}}}); err == nil || !strings.Contains(err.Error(), "guest") {
		t.Errorf("OpenSM in the guest: %v", err)
	}
	write(linux.GUIDFile, "0x0014050000000021\n")
	expectPorts(t, h, "with a GUID", "ACTIVE")
	keys := []description.PKey{0x8123}
	mustApply(t, h, fabric.SetSwitchPort{Connection: "Ethernet", PKeys: &keys})
	expectKeys := func(want string) {
		t.Helper()
		if got := fmt.Sprint(h.PKeys(0)); got != want {
			t.Errorf("the table is %s, not %s", got, want)
		}
	}
	expectKeys("[FFFF]")
	write(linux.PKeyFile(1), "1\n")
	expectKeys("[FFFF 8123]")
	write(linux.PKeyFile(0), "1\n")
	write(linux.PKeyFile(1), "0\n")
	write(linux.PKeyFile(2), "77\n")
	expectKeys("[8123 FFFF]")
	back, err := RestoreHost(d, mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(back.PKeys(0)); got != "[8123 FFFF]" {
		t.Errorf("restored: %s", got)
	}
	write(linux.GUIDFile, "0x0\n")
	expectPorts(t, back, "restored", "ACTIVE")
	for _, f := range []linux.File{{Path: linux.GUIDFile, Text: "x"}, {Path: linux.PKeyFile(0), Text: "128"}, {Path: linux.PKeyFile(8), Text: "0"}, {Path: linux.GUIDFile, Gone: true}} {
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{linux.WriteFile{File: f}}}); err == nil {
			t.Errorf("%+v is written", f)
		}
	}
}
