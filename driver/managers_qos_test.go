package driver

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/infiniband/qos"
	"cxdeck/driver/linux"
	"cxdeck/driver/opensm"
)

// TestQoSOfOpenSM: -Q, the options file of -F and the policy file of -Y act once the instance is the master, are saved, and end with the next
// master.
func TestQoSOfOpenSM(t *testing.T) {
	t.Parallel()
	h := infiniBandHost(t)
	write := func(path, text string) {
		t.Helper()
		if err := h.programSet().WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write(`C:\opensm.conf`, "# a comment\r\nsm_priority 15\r\nguid 0x0000000000000000\r\nlog_file (null)\r\nqos TRUE\r\nqos_max_vls 8\r\nqos_sl2vl 0,1,2,3\r\nqos_ca_sl2vl 0,1,1,1\r\n")
	write(`C:\policy.conf`, "qos-ulps\n  ipoib : 3\n  default : 1\nend-qos-ulps\n")
	write(`C:\bad.conf`, "qos_sl2vl 77\n")
	write(`C:\worse.conf`, "port-groups\n")
	for _, c := range []struct {
		line    string
		lane    int // of level 3 at adapters, -1 without QoS
		level   uint8
		missing string
	}{
		{"-p 15", -1, 0, ""},
		{"-p 15 -Q", 3, 0, ""},
		{`-F C:\opensm.conf`, 1, 0, ""},
		{`-F C:\opensm.conf -Y c:\policy.conf`, 1, 1, ""},
		{`-p 15 -Q -Y C:\none.conf`, 3, 0, `no file C:\none.conf`},
		{`-p 15 -Q -Y C:\worse.conf`, 3, 0, "must be a section qos-ulps"},
		{`-p 15 -Y C:\policy.conf`, -1, 0, "acts with QoS only"},
	} {
		mustApply(t, h, opensm.Start{Arguments: strings.Fields(c.line)})
		h.Advance(5 * time.Second)
		h, _ = RestoreHost(manualWinOF(t), mustSave(t, h))
		h.Advance(5 * time.Second)
		s, _ := h.lab.Subnet()
		running := h.OpenSM().Views()[0]
		if running.Role != opensm.Master || running.Priority != 15 {
			t.Fatalf("%s: %+v", c.line, running)
		}
		lane := -1
		if s.Fabric.QoS != nil {
			lane = int(s.Fabric.Tables().For(qos.Adapter).LaneOf[3])
		}
		if level := s.Fabric.LevelOf(1, 0x8001, s.Managers[0].Place); lane != c.lane || level != c.level {
			t.Errorf("%s: lane %d and level %d, not %d and %d", c.line, lane, level, c.lane, c.level)
		}
		if (c.missing == "") != (running.Missing == "") || !strings.Contains(running.Missing, c.missing) {
			t.Errorf("%s: %q is missing, not %q", c.line, running.Missing, c.missing)
		}
		mustApply(t, h, opensm.Stop{PID: running.PID})
		h.Advance(time.Minute)
		if s, _ := h.lab.Subnet(); s.Fabric.QoS != nil {
			t.Errorf("%s: the next master left the tables", c.line)
		}
	}
	for line, why := range map[string]string{`-F C:\none.conf`: `no file C:\none.conf`, `-F C:\bad.conf -Q`: "qos_sl2vl", "-F x": "begins with a disk"} {
		if _, err := h.Apply(Plan{Operations: []Operation{opensm.Start{Arguments: strings.Fields(line)}}}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, not %q", line, err, why)
		}
	}
	mustApply(t, h, linux.WriteFile{File: linux.File{Path: linux.Config, Text: "sm_priority 15\nlog_file /var/log/x\nqos TRUE\nqos_sl2vl 0,1,2,5\n"}})
	mustApply(t, h, opensm.Start{Host: linux.Host, GUID: linux.PortGUID})
	h.Advance(5 * time.Second)
	if s, _ := h.lab.Subnet(); s.Fabric.QoS == nil || s.Fabric.QoS.LaneOf[3] != 5 {
		t.Errorf("opensm.conf of the Linux host: %+v", s.Fabric.QoS)
	}
}
