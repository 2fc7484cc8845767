package local

import (
	"fmt"

	"github.com/safchain/ethtool"

	"cxdeck/perf"
)

// driverReader queries the drivers of interfaces.
type driverReader interface {
	// statistics returns the driver's statistics under the driver's names; it fails for an interface whose driver has none. The
	// caller owns the map.
	statistics(name string) (map[string]uint64, error)
	// firmware returns the version of the adapter's firmware; empty when the driver does not report it.
	firmware(name string) string
	close()
}

// ethtoolReader uses the ethtool calls of the kernel. Its queries need no privileges.
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

// noDriver is the driverReader when no socket for the drivers can be opened.
type noDriver struct{}

func (noDriver) statistics(name string) (map[string]uint64, error) {
	return nil, fmt.Errorf("the driver of %s can't be queried", name)
}
func (noDriver) firmware(string) string { return "" }
func (noDriver) close()                 {}
