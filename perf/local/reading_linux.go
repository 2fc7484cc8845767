package local

import (
	"errors"
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// The kernel's statistics of a link, in the order of kernelStatistics. All are 64 bits wide.
const (
	rxPackets = iota
	txPackets
	rxBytes
	txBytes
	rxErrors
	txErrors
	rxDropped
	txDropped
	rxMulticast
	linkCollisions
	rxLengthErrors
	rxOverErrors
	rxChecksumErrors
	rxFrameErrors
	rxFifoErrors
	rxMissedErrors
	txAbortedErrors
	txCarrierErrors
	txFifoErrors
	txHeartbeatErrors
	txWindowErrors
	rxCompressed
	txCompressed
	statisticCount
)

// kernelStatistics are the names of the statistics' files in sysfs.
var kernelStatistics = [statisticCount]string{
	"rx_packets", "tx_packets", "rx_bytes", "tx_bytes", "rx_errors", "tx_errors", "rx_dropped", "tx_dropped",
	"multicast", "collisions", "rx_length_errors", "rx_over_errors", "rx_crc_errors", "rx_frame_errors",
	"rx_fifo_errors", "rx_missed_errors", "tx_aborted_errors", "tx_carrier_errors", "tx_fifo_errors",
	"tx_heartbeat_errors", "tx_window_errors", "rx_compressed", "tx_compressed",
}

// linkReading is one reading of an interface from the kernel.
type linkReading struct {
	name  string
	index int
	// kind is the kernel's word: "device" for hardware, "veth", "bond", "vlan", ...; empty when the kernel gives none.
	kind string
	// other is the index of the link below, or at the other end of a pair; 0 for none.
	other    int
	loopback bool
	// running reports that frames can flow: the interface is up, and so is its carrier or lower interface.
	running    bool
	mtu        int
	address    string
	statistics [statisticCount]uint64
	functions  []functionReading
}

// linkReader reads all interfaces in one call.
type linkReader interface {
	read(dst []linkReading) ([]linkReading, error)
	close()
}

// netlinkReader queries the kernel through a routing socket: one request for all interfaces.
type netlinkReader struct{ handle *netlink.Handle }

func newNetlinkReader() (*netlinkReader, error) {
	handle, err := netlink.NewHandle(unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("open a routing socket: %w", err)
	}
	return &netlinkReader{handle}, nil
}

func (r *netlinkReader) close() { r.handle.Close() }

func (r *netlinkReader) read(dst []linkReading) ([]linkReading, error) {
	links, err := r.handle.LinkList()
	// An interrupted dump means that an interface was added or removed meanwhile: the data is valid, and the next dump is complete.
	if err != nil && !errors.Is(err, netlink.ErrDumpInterrupted) {
		return dst, fmt.Errorf("list the interfaces: %w", err)
	}
	for _, link := range links {
		dst = append(dst, netlinkReading(link.Attrs(), link.Type()))
	}
	return dst, nil
}

func netlinkReading(a *netlink.LinkAttrs, kind string) linkReading {
	r := linkReading{
		name: a.Name, index: a.Index, kind: kind, other: a.ParentIndex, mtu: a.MTU,
		loopback: a.Flags&net.FlagLoopback != 0, functions: readFunctions(a.Vfs),
		address: a.HardwareAddr.String(),
		running: a.Flags&net.FlagUp != 0 && (a.OperState == netlink.OperUp ||
			a.OperState == netlink.OperUnknown && a.RawFlags&unix.IFF_LOWER_UP != 0),
	}
	if s := a.Statistics; s != nil {
		r.statistics = [statisticCount]uint64{
			s.RxPackets, s.TxPackets, s.RxBytes, s.TxBytes, s.RxErrors, s.TxErrors, s.RxDropped, s.TxDropped,
			s.Multicast, s.Collisions, s.RxLengthErrors, s.RxOverErrors, s.RxCrcErrors, s.RxFrameErrors,
			s.RxFifoErrors, s.RxMissedErrors, s.TxAbortedErrors, s.TxCarrierErrors, s.TxFifoErrors,
			s.TxHeartbeatErrors, s.TxWindowErrors, s.RxCompressed, s.TxCompressed,
		}
	}
	return r
}
