package local

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"cxdeck/perf"
)

// TestCountersOfRDMAOverEthernet makes an RDMA device over an interface of a machine made for it, and reads its counters.
func TestCountersOfRDMAOverEthernet(t *testing.T) {
	if os.Getenv("CXDECK_MACHINE") == "" {
		t.Skip("run it on a machine made for it: task qemu")
	}
	links, err := netlink.LinkList()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(links, func(link netlink.Link) bool { return link.Type() == "device" && link.Attrs().Name != "lo" })
	if at < 0 {
		t.Fatal("the machine has no interface")
	}
	if err := netlink.LinkSetUp(links[at]); err != nil {
		t.Fatal(err)
	}
	name := links[at].Attrs().Name
	if err := netlink.RdmaLinkAdd("cxrxe", "rxe", name); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := netlink.RdmaLinkDel("cxrxe"); err != nil {
			t.Error(err)
		}
	}()
	source, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var column perf.Column
	for range 2 {
		if err := source.Next(context.Background(), time.Second, &column); err != nil {
			t.Fatal(err)
		}
	}
	counted := map[string]int64{}
	for _, s := range source.Schema().Series {
		if s.Set == "Network Interface RDMA" && s.Instance == name {
			counted[s.Counter] = column.Cells[s.Cell]
		}
	}
	t.Logf("%d counters of RDMA: %v", len(counted), counted)
	for _, want := range []string{"sent_pkts", "rcvd_pkts", "ack_deferred", "link_downed"} {
		if value, ok := counted[want]; !ok || value == perf.Missing {
			t.Errorf("the counter %s has no value", want)
		}
	}
}
