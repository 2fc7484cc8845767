package local

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"cxdeck/perf"
)

// Limits of the RDMA counters that are read.
const (
	rdmaPortLimit    = 256
	rdmaCounterLimit = 256
)

// rdmaPort is a port of an RDMA device with its counters.
type rdmaPort struct {
	path     string // "mlx5_0/ports/1", to find it again
	owner    *netInterface
	counters []rdmaCounter
	seen     bool
}

type rdmaCounter struct {
	file *os.File
	cell int
	// factor is 4 for the counters of data, which count words of four bytes.
	factor int64
}

// findRDMA looks for RDMA ports that came or went, and reports whether there are new series.
func (s *source) findRDMA() bool {
	root := filepath.Join(s.root, "class", "infiniband")
	added := false
	for _, port := range s.rdma {
		port.seen = false
	}
	for _, device := range entryNames(root) {
		for _, number := range entryNames(filepath.Join(root, device, "ports")) {
			path := filepath.Join(device, "ports", number)
			if port := s.rdma[path]; port != nil {
				port.seen = true
				continue
			}
			if len(s.rdma) == rdmaPortLimit {
				continue
			}
			if s.addRDMA(root, device, number, path) {
				added = true
			}
		}
	}
	for path, port := range s.rdma {
		if !port.seen {
			port.close()
			delete(s.rdma, path)
		}
	}
	return added
}

// entryNames returns the names in a folder; none when it can't be read.
func entryNames(folder string) []string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// addRDMA adds a port and the series of its counters.
func (s *source) addRDMA(root, device, number, path string) bool {
	if s.rdma == nil {
		s.rdma = map[string]*rdmaPort{}
	}
	port := &rdmaPort{path: path, owner: s.rdmaOwner(filepath.Join(root, device), device, number), seen: true}
	s.rdma[path] = port
	infiniband := attribute(filepath.Join(root, path), "link_layer") == "InfiniBand"
	for _, folder := range []string{"counters", "hw_counters"} {
		for _, name := range entryNames(filepath.Join(root, path, folder)) {
			if len(port.counters) == rdmaCounterLimit {
				break
			}
			if file, err := os.OpenFile(filepath.Join(root, path, folder, name), os.O_RDONLY|unix.O_NONBLOCK, 0); err == nil {
				s.addRDMACounter(port, name, file, folder == "hw_counters" || infiniband)
			}
		}
	}
	return len(port.counters) > 0
}

func (s *source) addRDMACounter(port *rdmaPort, name string, file *os.File, meant bool) {
	i := port.owner
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || name == "lifespan" {
		_ = file.Close() // nothing was written
		return
	}
	series := perf.Series{Set: perf.RDMASet, Instance: i.instance, Counter: counterName(name), Kind: perf.Cumulative, Unit: "events", Cell: s.cells}
	key := perf.FoldPath(series.Path())
	if cell, known := s.rdmaCells[key]; known { // the port came back, or a second device has the interface
		port.counters = append(port.counters, rdmaCounter{file, cell, dataFactor(name)})
		return
	}
	if s.rdmaCells == nil {
		s.rdmaCells = map[string]int{}
	}
	s.rdmaCells[key] = s.cells
	port.counters = append(port.counters, rdmaCounter{file, s.cells, dataFactor(name)})
	s.cells++
	if meaning, _, ok := perf.Statistics().Find(i.hardware.family(), name); ok {
		series.Unit, series.Kind, series.Width = meaning.Unit, meaning.Kind, meaning.Width
		if meant {
			s.addMeaning(i, name, series.Cell)
		}
	}
	s.series = append(s.series, series)
	series.Counter, series.Kind = series.Counter+"/sec", perf.Rate
	s.series = append(s.series, series)
}

func dataFactor(name string) int64 {
	if name == "port_rcv_data" || name == "port_xmit_data" {
		return 4
	}
	return 1
}

// rdmaOwner returns the interface of an RDMA port; a port without one has a name of its own.
func (s *source) rdmaOwner(folder, device, number string) *netInterface {
	if name := attribute(filepath.Join(folder, "ports", number, "gid_attrs", "ndevs"), "0"); name != "" && s.byName[name] != nil {
		return s.byName[name]
	}
	own := readDevice(s.root, folder)
	var same []*netInterface
	for _, i := range s.interfaces {
		if i.present && i.hardware.function != "" && i.hardware.function == own.function {
			same = append(same, i)
		}
	}
	for _, i := range same { // ConnectX-3 has both ports on one function
		if len(same) == 1 || strconv.FormatInt(i.hardware.port+1, 10) == number {
			return i
		}
	}
	if own.driver == "" && strings.HasPrefix(device, "mlx") { // a recorded tree without devices
		own.driver, _, _ = strings.Cut(device, "_")
	}
	name := device + " port " + number
	if i := s.portsOnly[name]; i != nil {
		return i
	}
	i := &netInterface{name: name, instance: s.instance(name), hardware: own}
	if s.portsOnly == nil {
		s.portsOnly = map[string]*netInterface{}
	}
	s.portsOnly[name] = i
	return i
}

// fillRDMA reads the counters of all RDMA ports.
func (s *source) fillRDMA(cells []int64) {
	var text [32]byte
	for _, port := range s.rdma {
		for _, c := range port.counters {
			n, err := c.file.ReadAt(text[:], 0)
			if err != nil && !errors.Is(err, io.EOF) {
				continue
			}
			if value, err := strconv.ParseUint(string(bytes.TrimSpace(text[:n])), 10, 64); err == nil {
				cells[c.cell] = int64(value) * c.factor
			}
		}
	}
}

func (p *rdmaPort) close() {
	for _, c := range p.counters {
		_ = c.file.Close() // nothing was written
	}
}
