package cli

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseCode removes the pages of the program's code and constants from the process's resident memory. Most of them only the start
// used; the system reads a page that is needed again from its cache of the file, and keeps the cache as long as it has room for it.
func releaseCode() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return // a system without /proc: the pages stay
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	for _, r := range codeRanges(maps, program) {
		// An error leaves the pages where they are.
		_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, r.start, r.end-r.start, syscall.MADV_DONTNEED)
	}
}

// addressRange is the addresses from start to below end.
type addressRange struct{ start, end uintptr }

// codeRanges returns the addresses of a program's code and constants in a list with the form of /proc/PID/smaps. They can be read
// again from the file: mappings that can be written are left out, and ones with a page of their own, which the loader has written.
func codeRanges(smaps io.Reader, program string) (ranges []addressRange) {
	candidate := false // the last range, as long as it has no page of its own
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		// Address range, permissions, offset, device, inode, and the path, which may contain spaces.
		fields := strings.SplitN(lines.Text(), " ", 6)
		if name := fields[0]; strings.HasSuffix(name, ":") {
			if candidate && (name == "Anonymous:" || name == "Swap:") && !strings.HasSuffix(lines.Text(), " 0 kB") {
				candidate, ranges = false, ranges[:len(ranges)-1]
			}
			continue
		}
		candidate = false
		if len(fields) < 6 || fields[1] != "r-xp" && fields[1] != "r--p" || strings.TrimSpace(fields[5]) != program {
			continue
		}
		first, last, _ := strings.Cut(fields[0], "-")
		start, err := strconv.ParseUint(first, 16, 64)
		if err != nil {
			continue
		}
		end, err := strconv.ParseUint(last, 16, 64)
		if err != nil || end <= start {
			continue
		}
		candidate, ranges = true, append(ranges, addressRange{uintptr(start), uintptr(end)})
	}
	return ranges
}
