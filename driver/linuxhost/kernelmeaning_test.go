package linuxhost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordedKernelLogs: messages of public kernel logs get the level and the meaning that an operator needs. The sources are reports on
// lore.kernel.org and in public repositories, of ConnectX-5, -6 Dx and -7 (firmware 16, 22 and 28).
func TestRecordedKernelLogs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "kernel.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		level   int
		adapter string
		text    string // a part of it
	}{
		{levelError, "0000:0d:00.0", "reached miss count (the firmware no longer answers"}, {levelInfo, "0000:0d:00.0", "assert_var[2] 0x00000000"},
		{levelInfo, "0000:0d:00.0", "assert_exit_ptr"}, {levelInfo, "0000:0d:00.0", "fw_ver 22.44.1036"},
		{levelError, "0000:41:00.0", "synd 0x10: High temperature (the reason"}, {levelError, "0000:00:00.0", "synd 0xff"},
		{levelError, "0000:00:00.1", "(the recovery failed"}, {levelInfo, "0000:08:01.0", "firmware version: 16.35.4506"}, {levelWarning, "0000:08:00.7", "ens9f0v5: Link down"},
		{levelError, "0000:08:01.0", "(the firmware did not answer a command in time)"}, {levelError, "0000:08:01.0", "(the driver did not start this function)"},
		{levelWarning, "0000:0b:00.1", "Cable unplugged (the module or the cable was pulled out)"}, {levelInfo, "0000:18:00.0", "Cable plugged"},
		{levelInfo, "0000:18:00.0", "sufficient power (75W)."}, {levelWarning, "0005:03:00.0", "eth2: Link down"},
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		m, ok := ParseMessage(line)
		if !ok || m.Level != want[i].level || m.Adapter != want[i].adapter || !strings.Contains(m.Text, want[i].text) {
			t.Errorf("%s: %+v", line, m)
		}
	}
}
