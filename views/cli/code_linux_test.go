package cli

import (
	"os"
	"strings"
	"testing"
)

const exampleMaps = `00400000-00404000 r--p 00000000 fe:00 1 /opt/a b/cxdeck
00404000-00f6a000 r-xp 00004000 fe:00 1                                  /opt/a b/cxdeck
00f6a000-019f4000 r--p 00b6a000 fe:00 1                                  /opt/a b/cxdeck
7fca3986d000-7fca399c3000 r-xp 00026000 fe:00 326269                     /usr/lib/libc.so.6
7ffd3f1f6000-7ffd3f1f8000 r-xp 00000000 00:00 0                          [vdso]
`

func TestCodeRange(t *testing.T) {
	start, end, found := codeRange(strings.NewReader(exampleMaps), "/opt/a b/cxdeck")
	if !found || start != 0x404000 || end != 0xf6a000 {
		t.Errorf("range %x to %x, found %v", start, end, found)
	}
	for _, program := range []string{"", "cxdeck", "/opt/a b/cxdeck (deleted)"} {
		if start, end, found := codeRange(strings.NewReader(exampleMaps), program); found {
			t.Errorf("program %q: range %x to %x", program, start, end)
		}
	}
	for _, line := range []string{"x-y r-xp 0 0 0 p", "2-1 r-xp 0 0 0 p", "r-xp", ""} {
		if _, _, found := codeRange(strings.NewReader(line), "p"); found {
			t.Errorf("line %q has a range", line)
		}
	}
}

// TestReleaseCode: the resident code gets less, and the program goes on.
func TestReleaseCode(t *testing.T) {
	before := residentFile(t)
	releaseCode()
	if after := residentFile(t); after >= before {
		t.Errorf("%d kB of files before, %d kB after", before, after)
	}
}

// residentFile returns the kilobytes of files that are mapped into the process and in memory.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	size := 0
	for _, digit := range strings.TrimSpace(rest) {
		if digit < '0' || digit > '9' {
			break
		}
		size = size*10 + int(digit-'0')
	}
	return size
}
