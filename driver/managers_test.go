package driver

import (
	"strings"
	"testing"
	"time"

	managing "cxdeck/device/infiniband/opensm"
	"cxdeck/driver/linux"
	"cxdeck/driver/opensm"
	"cxdeck/driver/services"
)

// TestOneElection: a lab without a described subnet has one election, and the subnet's managers have the roles of the instances.
func TestOneElection(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	roles := func() (list []string) {
		s, _ := h.lab.Subnet()
		for _, m := range s.Managers {
			if m.Running {
				list = append(list, s.Fabric.Of(m.Place).Name+" "+m.Role.String())
			}
		}
		return list
	}
	expect := func(when string, want ...string) {
		t.Helper()
		h.Advance(3 * time.Second)
		if got := roles(); strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: %q, not %q", when, got, want)
		}
	}
	const beside, own = "peer-of-IB1 HCA-1", "LAB-N4LABJSS5EE HCA-1"
	expect("at first", "IB1 SMINFO_MASTER")
	mustApply(t, h, opensm.Start{Arguments: []string{"-p", "3"}})
	expect("beside a better one", "IB1 SMINFO_MASTER", own+" SMINFO_STANDBY")
	expectRoles(t, h, "beside a better one", opensm.Standby)
	mustApply(t, h, opensm.Start{Host: linux.Host, GUID: linux.PortGUID, Arguments: []string{"-p", "15"}})
	expect("with the Linux host", "IB1 SMINFO_STANDBY", own+" SMINFO_STANDBY", beside+" SMINFO_MASTER")
	expectRoles(t, h, "with the Linux host", opensm.Standby, opensm.Master)
	back, err := RestoreHost(manualWinOF(t), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	expectRoles(t, back, "restored", opensm.Standby, opensm.Master)
	if s, _ := back.lab.Subnet(); len(s.Managers) != 3 || s.Managers[2].Role != managing.Master {
		t.Error("the restored subnet has other managers")
	}
	for _, v := range h.OpenSM().Views() {
		mustApply(t, h, opensm.Stop{PID: v.PID})
	}
	h.Advance(time.Minute)
	expect("at the end", "IB1 SMINFO_MASTER")
}

// TestLogInOrder: two instances write one log, of which one keeps lines back; its lines stand in the order of their times.
func TestLogInOrder(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	mustApply(t, h, services.Create{Service: openSMService(services.Automatic)})
	mustApply(t, h, opensm.Start{Arguments: []string{"-v", "-p", "3"}})
	h.Advance(25 * time.Second)
	mustApply(t, h, services.Start{Name: "OpenSM"})
	h.Advance(25 * time.Second)
	mustApply(t, h, services.Stop{Name: "OpenSM"})
	mustApply(t, h, opensm.Stop{PID: h.OpenSM().Views()[0].PID})
	lines := strings.Split(strings.TrimSpace(string(h.programSet().ReadFile(opensm.DefaultLog))), "\n")
	if len(lines) < 8 {
		t.Fatalf("the log has %d lines", len(lines))
	}
	for n := 1; n < len(lines); n++ {
		if before, after := lines[n-1][:15], lines[n][:15]; before > after {
			t.Errorf("line %d is of %s, the one before of %s", n+1, after, before)
		}
	}
}
