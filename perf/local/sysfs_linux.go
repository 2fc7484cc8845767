package local

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cxdeck/perf"
)

// attributeLimit limits the bytes read from a file of sysfs: the kernel returns at most a page.
const attributeLimit = 4096

// attribute returns the text of a small file below a folder, without control characters; empty when there is none.
func attribute(folder, name string) string {
	return perf.CleanText(strings.TrimSpace(string(attributeText(folder, name))), attributeLimit)
}

// attributeText returns the beginning of a small file below a folder; empty when there is none.
func attributeText(folder, name string) []byte {
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return nil
	}
	defer file.Close() //nolint:errcheck // nothing was written
	text, err := io.ReadAll(io.LimitReader(file, attributeLimit))
	if err != nil {
		return nil
	}
	return text
}

// numberAttribute returns the number in a small file; ok is false when there is none.
func numberAttribute(folder, name string) (int64, bool) {
	n, err := strconv.ParseInt(attribute(folder, name), 0, 64)
	return n, err == nil
}

// sysfsReader reads the interfaces from sysfs, for systems that deny the routing socket. It keeps the statistics files open,
// because reading an open file again is ten times faster than opening it.
type sysfsReader struct {
	folder string // .../class/net
	open   map[string]*sysfsLink
	buffer []byte
}

type sysfsLink struct {
	files [statisticCount]*os.File
	// fixed holds the values that don't change while the interface exists.
	fixed linkReading
	seen  bool
}

func newSysfsReader(root string) *sysfsReader {
	return &sysfsReader{folder: filepath.Join(root, "class", "net"), open: make(map[string]*sysfsLink), buffer: make([]byte, 32)}
}

func (r *sysfsReader) close() {
	for name, link := range r.open {
		link.close()
		delete(r.open, name)
	}
}

func (l *sysfsLink) close() {
	for _, file := range l.files {
		if file != nil {
			_ = file.Close() // nothing was written
		}
	}
}

func (r *sysfsReader) read(dst []linkReading) ([]linkReading, error) {
	entries, err := os.ReadDir(r.folder)
	if err != nil {
		return dst, fmt.Errorf("list the interfaces: %w", err)
	}
	for _, link := range r.open {
		link.seen = false
	}
	for _, entry := range entries {
		folder := filepath.Join(r.folder, entry.Name())
		index, ok := numberAttribute(folder, "ifindex")
		if !ok {
			continue // bonding_masters and similar files are not interfaces
		}
		link := r.open[entry.Name()]
		if link != nil && link.fixed.index != int(index) { // removed and added again under the same name
			link.close()
			link = nil
		}
		if link == nil {
			link = openSysfsLink(folder, entry.Name(), int(index))
			r.open[entry.Name()] = link
		}
		link.seen = true
		dst = append(dst, r.reading(folder, link))
	}
	for name, link := range r.open {
		if !link.seen {
			link.close()
			delete(r.open, name)
		}
	}
	return dst, nil
}

func openSysfsLink(folder, name string, index int) *sysfsLink {
	const loopbackType = 772
	link := &sysfsLink{fixed: linkReading{name: name, index: index, kind: "device", address: attribute(folder, "address")}}
	kind, _ := numberAttribute(folder, "type")
	link.fixed.loopback = kind == loopbackType
	if other, ok := numberAttribute(folder, "iflink"); ok && int(other) != index {
		link.fixed.other = int(other)
	}
	if word := deviceType(folder); word != "" {
		link.fixed.kind = word
	}
	for i, statistic := range kernelStatistics {
		if file, err := os.Open(filepath.Join(folder, "statistics", statistic)); err == nil {
			link.files[i] = file
		}
	}
	return link
}

// deviceType returns the kernel's word for the kind of a virtual interface; hardware has none.
func deviceType(folder string) string {
	for line := range bytes.Lines(attributeText(folder, "uevent")) {
		if word, ok := bytes.CutPrefix(line, []byte("DEVTYPE=")); ok {
			return perf.CleanText(string(bytes.TrimSpace(word)), perf.NameLimit)
		}
	}
	return ""
}

func (r *sysfsReader) reading(folder string, link *sysfsLink) linkReading {
	reading := link.fixed
	switch attribute(folder, "operstate") {
	case "up":
		reading.running = true
	case "unknown":
		carrier, ok := numberAttribute(folder, "carrier")
		reading.running = ok && carrier == 1
	}
	if mtu, ok := numberAttribute(folder, "mtu"); ok {
		reading.mtu = int(mtu)
	}
	for i, file := range link.files {
		if file == nil {
			continue
		}
		n, err := file.ReadAt(r.buffer, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			continue
		}
		value, err := strconv.ParseUint(string(bytes.TrimSpace(r.buffer[:n])), 10, 64)
		if err == nil {
			reading.statistics[i] = value
		}
	}
	return reading
}
