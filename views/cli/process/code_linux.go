package process

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// ReleaseCode removes the pages of the program's code and constants from the process's resident memory. Most of them only the start
// used; the system reads a page that is needed again from its cache of the file, and keeps the cache as long as it has room for it.
func ReleaseCode() {
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
		r.release()
	}
}

// release removes the pages of a range from the resident memory, so that they return one by one.
func (r addressRange) release() {
	for address := r.start; address < r.end; address += pieceStep {
		advise(address, os.Getpagesize(), madviseCold)
	}
	advise(r.start, int(r.end-r.start), syscall.MADV_DONTNEED)
}

// Linux caches a file in pieces of up to 2 MB, as large as the linker wrote it, and gives a process that touches a page the whole piece.
// A piece of which one page is called cold is split into pages; each step of 64 kB finds the pieces that are worth it.
const (
	pieceStep   = 64 << 10
	madviseCold = 20 // MADV_COLD, which the package syscall does not name
)

// advise tells the system how the program will use a part of its memory. An error leaves the pages where they are.
func advise(start uintptr, length, advice int) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, start, uintptr(length), uintptr(advice))
}

// FlushProgram has the program's file written to the disk, as the system would do half a minute after the build: it doesn't split what it
// has yet to write.
func FlushProgram() {
	file, err := os.Open("/proc/self/exe")
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	_ = syscall.Fdatasync(int(file.Fd())) // without success the pages stay as they are
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
