package main

import (
	"slices"
	"strings"
	"testing"
)

// TestTerminalSRIOV sets up SR-IOV on an unconfigured host, including the required reboot, until a virtual machine
// runs on a virtual function; then it undoes all of it.
func TestTerminalSRIOV(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := startTerminal(t, 120, 40, home, "--lab", "manual-winof2", "--speed", "50")
	c.waitText("Ethernet 2", "REC")
	c.press("5")
	c.waitText("Firmware ✕ no", "n enable SR-IOV")
	c.waitFor("the host as it was", asItWas)
	c.press("n")
	c.waitText("Enable SR-IOV", "to do")
	c.press("enter")
	c.waitText("NUM_OF_VFS", "SRIOV_EN")
	c.press("enter")
	c.waitText("minimum of 16 in the", "16 VFs")
	c.press("enter")
	c.waitText("recreated with SR-IOV")
	c.press("enter")
	c.waitText("advice for 100 GbE: 8")
	c.press("enter")
	c.waitText("Part 1 of 2", "mlxconfig -d mt4115_pciconf0", "[ Apply ]", "It interrupts", "Apply it anyway?")
	c.press("enter") // back, and here again
	c.waitText("advice for 100 GbE: 8")
	c.press("enter")
	c.waitText("Part 1 of 2", "Apply it anyway?")
	c.press("tab", "enter")
	c.waitText("part 1 of 2 done", "Continue with driver")
	c.press("esc")
	c.waitText("resume SR-IOV setup")
	c.press("n")
	c.waitText("minimum of 16 in the", "16 VFs")
	c.press("enter", "enter", "enter")
	c.waitText("Create the SR-IOV switch", "[ Apply ]", "Apply it anyway?")
	c.press("tab", "enter")
	c.waitText("vm runs on VF 0 of Ethernet")
	c.press("esc")
	c.waitText("16 VFs, 1 attached", "● attached")
	c.waitFor("traffic on the function", func(screen string) bool {
		for line := range strings.SplitSeq(screen, "\n") {
			if strings.Contains(line, "● attached") && strings.Contains(line, "b/s") {
				return true
			}
		}
		return false
	})
	c.press("u")
	c.waitText("Undo change", "by console", "in this run", "Undo it anyway?")
	c.press("y")
	c.waitText("✕ no", "no VFs")
	c.press("u")
	c.waitText("* Reboot", "Undo it anyway?")
	c.press("y")
	c.waitText("Firmware ✕ no", "n enable SR-IOV")
	c.press("n")
	c.waitText("Requirements")
	c.press("enter")
	c.waitText("SRIOV_EN    N/A  now")
	c.press("esc")
	c.waitFor("the host as it was", asItWas)
	c.press("ctrl+c")
	c.exit()
}

// asItWas reports whether a screen shows the host of manual-winof2 before any change: firmware, driver and
// switch are without SR-IOV, no port has functions, and the filter platform of the switch blocks the machine's adapter.
func asItWas(screen string) bool {
	return strings.Contains(screen, "Firmware ✕ no  Driver ✕ no  Switch ✕ no") && strings.Count(screen, "○ no VFs") == 2 &&
		slices.ContainsFunc(strings.Split(screen, "\n"), func(line string) bool {
			fields := strings.Fields(line)
			return len(fields) > 5 && strings.Join(fields[:5], " ") == "- vm ▲ blocked none"
		})
}
