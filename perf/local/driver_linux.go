package local

import (
	"fmt"

	"github.com/safchain/ethtool"

	"cxdeck/perf"
)

// driverReader asks the drivers of interfaces.
type driverReader interface {
	// statistics are the driver's own, by its own names; it fails for an interface whose driver has none. The map is
	// the caller's.
	statistics(name string) (map[string]uint64, error)
	// firmware is the version of the adapter's firmware, empty when the driver does not say.
	firmware(name string) string
	close()
}

// ethtoolReader asks through the ethtool calls of the kernel. It needs no privileges for what is asked here.
type ethtoolReader struct {
	handle *ethtool.Ethtool
	names  ethtool.EthtoolGStrings
	values ethtool.EthtoolStats
}

func newEthtoolReader() (*ethtoolReader, error) {
	handle, err := ethtool.NewEthtool()
	if err != nil {
		return nil, fmt.Errorf("open a socket for the drivers' statistics: %w", err)
	}
	return &ethtoolReader{handle: handle}, nil
}

func (r *ethtoolReader) close() { r.handle.Close() }

func (r *ethtoolReader) statistics(name string) (map[string]uint64, error) {
	return r.handle.StatsWithBuffer(name, &r.names, &r.values)
}

func (r *ethtoolReader) firmware(name string) string {
	info, err := r.handle.DriverInfo(name)
	if err != nil {
		return ""
	}
	return perf.CleanText(info.FwVersion, perf.NameLimit)
}

// noDriver is in where no socket for the drivers could be opened.
type noDriver struct{}

func (noDriver) statistics(name string) (map[string]uint64, error) {
	return nil, fmt.Errorf("the driver of %s can't be queried", name)
}
func (noDriver) firmware(string) string { return "" }
func (noDriver) close()                 {}
