package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/local"
	"cxdeck/perf/report"
	"cxdeck/views/cli/twin"
)

// linuxHost is a recorded machine with Linux, whose counters move as the counters of two ports of a lab.
type linuxHost struct {
	folder string
	lab    perf.Source
	column perf.Column
	// devices are the descriptions of the ports of the lab.
	devices map[string]string
	// statistics are what the driver of an interface says.
	statistics map[string]map[string]uint64
}

// linuxPorts are the interfaces of the recorded machine.
func linuxPorts() []string { return []string{"ens1f0np0", "ens1f1np1"} }

// newLinuxHost lays out the recorded machine of package linuxhost with both ports up and without its bond, and a lab.
func newLinuxHost(t *testing.T, root string, d *description.Description) *linuxHost {
	t.Helper()
	plant, err := device.NewPlant(d)
	if err != nil {
		t.Fatal(err)
	}
	h := &linuxHost{folder: t.TempDir(), statistics: map[string]map[string]uint64{}, devices: map[string]string{}}
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			h.devices[d.Adapters[a].Ports[i].Connection] = d.Adapters[a].Ports[i].Device
		}
	}
	if h.lab, err = lab.New(driver.NewHost(plant.New(7))); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(root, "driver", "linuxhost", "testdata", "host.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var err error
		if path, text, ok := strings.Cut(lines.Text(), " = "); ok && !strings.Contains(path, "/infiniband/") && !strings.Contains(path, "bond") {
			err = h.write(path, strings.ReplaceAll(text, `\n`, "\n"))
		} else if path, target, ok := strings.Cut(lines.Text(), " -> "); ok && !strings.Contains(path, "bond") {
			path = filepath.Join(h.folder, path)
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(target, path))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for n, name := range linuxPorts() {
		rdma := fmt.Sprintf("sys/class/infiniband/mlx5_%d/", n)
		err = errors.Join(err, h.write("sys/class/net/"+name+"/operstate", "up"), h.write("sys/class/net/"+name+"/speed", "100000"), h.write("sys/class/net/"+name+"/mtu", "9000"),
			h.write(rdma+"ports/1/link_layer", "Ethernet"), h.write(rdma+"ports/1/rate", "100 Gb/sec (4X EDR)"), h.write(rdma+"ports/1/gid_attrs/ndevs/0", name),
			os.Symlink(fmt.Sprintf("../../../devices/pci0000:00/0000:00:02.0/0000:04:00.%d", n), filepath.Join(h.folder, rdma, "device")))
	}
	if err = errors.Join(err, h.advance(0)); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *linuxHost) write(path, text string) error {
	path = filepath.Join(h.folder, path)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text+"\n"), 0o600))
}

// advance moves the time of the machine, and its counters.
func (h *linuxHost) advance(d time.Duration) error {
	err := h.lab.Next(context.Background(), d, &h.column)
	ports := h.ports()
	for n, name := range linuxPorts() {
		statistics := map[string]uint64{}
		for _, s := range perf.Statistics().Statistics {
			for _, counterpart := range s.Counterparts {
				set, counter, _ := strings.Cut(counterpart, "|")
				value, ok := h.count(set, ports[n], counter)
				switch {
				case !ok || strings.Contains(s.Name, "#") || s.Drivers[0] != "mlx5":
				case s.Group == "rdma":
					err = errors.Join(err, h.write(fmt.Sprintf("sys/class/infiniband/mlx5_%d/ports/1/hw_counters/%s", n, s.Name), fmt.Sprint(value)))
				case s.Group == "port" || s.Group == "vport":
					statistics[s.Name] = value
				}
			}
		}
		for _, sum := range perf.Statistics().Sums {
			set, counter, _ := strings.Cut(sum.Counterpart, "|")
			if value, ok := h.count(set, ports[n], counter); ok && len(sum.Drivers) == 0 && strings.HasPrefix(sum.Of[0], "rx_vport") || strings.HasPrefix(sum.Of[0], "tx_vport") {
				statistics[sum.Of[0]] = value
				statistics[strings.Replace(sum.Of[0], "unicast", "multicast", 1)] = 0
			}
		}
		h.statistics[name] = statistics
		for file, counter := range map[string]string{"rx_bytes": "Bytes Received/sec", "tx_bytes": "Bytes Sent/sec", "rx_packets": "Packets Received/sec", "tx_packets": "Packets Sent/sec",
			"rx_missed_errors": "Packets Received Discarded", "rx_errors": "Packets Received Errors", "tx_dropped": "Packets Outbound Discarded"} {
			value, ok := h.count("Network Interface", h.devices[ports[n]], counter)
			if !ok {
				return fmt.Errorf("the lab has no %s", counter)
			}
			err = errors.Join(err, h.write("sys/class/net/"+name+"/statistics/"+file, fmt.Sprint(value)))
		}
	}
	return err
}

// ports returns the ports of the lab that have RDMA.
func (h *linuxHost) ports() (names []string) {
	for _, s := range h.lab.Schema().Series {
		if s.Set == "RDMA Activity" && s.Counter == "RDMA Inbound Bytes/sec" {
			names = append(names, s.Instance)
		}
	}
	return names
}

// count returns the count of a counter of a port of the lab.
func (h *linuxHost) count(set, port, counter string) (uint64, bool) {
	for i := range h.lab.Schema().Series {
		s := &h.lab.Schema().Series[i]
		if s.Set == set && s.Instance == port && s.Counter == counter {
			return uint64(s.CellOf(&h.column)), true
		}
	}
	return 0, false
}

// recorded returns the machine for twin collect.
func (h *linuxHost) recorded() *twin.Recorded {
	return &twin.Recorded{Folder: h.folder, Open: func() (perf.Source, error) {
		return local.Recording{
			Folder: h.folder, Host: "node17", Now: func() time.Time { return h.column.Time },
			Statistics: func(name string) map[string]uint64 { return h.statistics[name] },
		}.Open()
	}}
}

// writeStatistics writes two minutes of the statistics of the drivers, under their own names, as cxdeck counters --format csv does.
func (h *linuxHost) writeStatistics(t *testing.T, path string) {
	t.Helper()
	source, err := h.recorded().Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var column perf.Column
	if err := source.Next(t.Context(), 0, &column); err != nil {
		t.Fatal(err)
	}
	var series []int
	for i, s := range source.Schema().Series {
		if s.Set == perf.DriverSet || s.Set == perf.RDMASet {
			series = append(series, i)
		}
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := report.New("csv", file, source.Schema(), series, report.Options{Host: "node17", Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	before := perf.Column{Time: column.Time, Cells: slices.Clone(column.Cells)}
	for range 121 {
		err := errors.Join(h.advance(time.Second), source.Next(t.Context(), time.Second, &column))
		values := make([]float64, len(series))
		for n, i := range series {
			values[n], _ = source.Schema().Series[i].Value(&before, &column)
		}
		if err := errors.Join(err, writer.Row(column.Time, values)); err != nil {
			t.Fatal(err)
		}
		before = perf.Column{Time: column.Time, Cells: slices.Clone(column.Cells)}
	}
	if err := errors.Join(writer.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}
