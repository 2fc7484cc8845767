package cli

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseCode removes the pages of the program's code from the process's resident memory. Most of them only the start used; the
// system reads a page that is needed again from its cache of the file, and keeps the cache as long as it has room for it.
func releaseCode() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return // a system without /proc: the pages stay
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	if start, end, found := codeRange(maps, program); found {
		// An error leaves the pages where they are.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, start, end-start, syscall.MADV_DONTNEED)
	}
}

// codeRange returns the addresses of the executable mapping of a program in a list with the form of /proc/PID/maps. Code is never
// written, so its pages can always be read again from the file.
func codeRange(maps io.Reader, program string) (start, end uintptr, found bool) {
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		// Address range, permissions, offset, device, inode, and the path, which may contain spaces.
		fields := strings.SplitN(lines.Text(), " ", 6)
		if len(fields) < 6 || fields[1] != "r-xp" || strings.TrimSpace(fields[5]) != program {
			continue
		}
		first, last, _ := strings.Cut(fields[0], "-")
		from, err := strconv.ParseUint(first, 16, 64)
		if err != nil {
			continue
		}
		to, err := strconv.ParseUint(last, 16, 64)
		if err != nil || to <= from {
			continue
		}
		return uintptr(from), uintptr(to), true
	}
	return 0, 0, false
}
