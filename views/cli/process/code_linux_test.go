package process

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

const exampleMaps = `00400000-00404000 r--p 00000000 fe:00 1 /opt/a b/cxdeck
Rss:                  12 kB
Anonymous:             0 kB
Swap:                  0 kB
00404000-00f6a000 r-xp 00004000 fe:00 1                                  /opt/a b/cxdeck
Anonymous:             0 kB
Swap:                  0 kB
00f6a000-019f4000 r--p 00b6a000 fe:00 1                                  /opt/a b/cxdeck
Anonymous:             4 kB
Swap:                  0 kB
01a02000-01a05000 r--p 01642000 fe:00 1                                  /opt/a b/cxdeck
Anonymous:             0 kB
Swap:                 12 kB
01a05000-01af7000 rw-p 01645000 fe:00 1                                  /opt/a b/cxdeck
Anonymous:             0 kB
Swap:                  0 kB
7fca3986d000-7fca399c3000 r-xp 00026000 fe:00 326269                     /usr/lib/libc.so.6
Anonymous:             0 kB
7ffd3f1f6000-7ffd3f1f8000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             4 kB
`

// TestCodeRanges: the loader has written to the second range with constants, and a page of the third was swapped out.
func TestCodeRanges(t *testing.T) {
	got := codeRanges(strings.NewReader(exampleMaps), "/opt/a b/cxdeck")
	if want := []addressRange{{0x400000, 0x404000}, {0x404000, 0xf6a000}}; !slices.Equal(got, want) {
		t.Errorf("ranges %x, want %x", got, want)
	}
	for _, program := range []string{"", "cxdeck", "/opt/a b/cxdeck (deleted)"} {
		if got := codeRanges(strings.NewReader(exampleMaps), program); got != nil {
			t.Errorf("program %q: ranges %x", program, got)
		}
	}
	for _, line := range []string{"x-y r-xp 0 0 0 p", "2-1 r-xp 0 0 0 p", "r-xp", "", "Anonymous: 4 kB"} {
		if got := codeRanges(strings.NewReader(line), "p"); got != nil {
			t.Errorf("line %q has ranges %x", line, got)
		}
	}
}

// TestReleaseCode: the resident code gets less, and the program goes on.
func TestReleaseCode(t *testing.T) {
	before := residentFile(t)
	ReleaseCode()
	if after := residentFile(t); after >= before {
		t.Errorf("%d kB of files before, %d kB after", before, after)
	}
}

// TestReleaseSplitsPieces: of a file written in one piece, as the linker writes the program, a page that is used again returns without
// the megabytes around it.
func TestReleaseSplitsPieces(t *testing.T) {
	const size = 8 << 20
	file, err := os.Create(filepath.Join(t.TempDir(), "program"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Write(make([]byte, size)); err != nil {
		t.Fatal(err)
	}
	if err := file.Sync(); err != nil {
		t.Fatal(err)
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(memory) }()
	sum := byte(0)
	for at := 0; at < size; at += 4096 {
		sum += memory[at]
	}
	start := uintptr(unsafe.Pointer(&memory[0]))
	addressRange{start, start + size}.release()
	before := residentFile(t)
	for at := 0; at < size; at += 1 << 20 {
		sum += memory[at]
	}
	runtime.KeepAlive(sum)
	if grown := residentFile(t) - before; grown > 2<<10 {
		t.Errorf("8 pages, a megabyte apart, returned with %d kB", grown)
	}
}

// residentFile returns the kilobytes of files that are mapped into the process and in memory.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
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
