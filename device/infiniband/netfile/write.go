package netfile

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/device/infiniband"
)

// id returns the name of a node in the file: a letter of its kind, and its GUID.
func id(n *infiniband.Node) string {
	return fmt.Sprintf("%c-%016x", [...]byte{'?', 'H', 'S', 'R'}[n.Kind], uint64(n.GUID))
}

// Write writes the fabric as a network of ibsim. The node at whose port the tools attach comes first. Only cables that are in are written.
func Write(w io.Writer, f *infiniband.Fabric, first int) error {
	out := new(strings.Builder)
	order := []int{first}
	for n := range f.Nodes {
		if n != first {
			order = append(order, n)
		}
	}
	for _, n := range order {
		writeNode(out, f, n)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func writeNode(out *strings.Builder, f *infiniband.Fabric, n int) {
	node := &f.Nodes[n]
	fmt.Fprintf(out, "vendid=0x%x\ndevid=0x%x\nsysimgguid=0x%x\n", node.Vendor, node.Device, uint64(node.System))
	switch node.Kind {
	case infiniband.Switch:
		fmt.Fprintf(out, "switchguids=0x%x\nSwitch\t%d \"%s\"\t\t# %q base port 0 lid 0 lmc 0\n", uint64(node.GUID), node.External(), id(node), node.Name)
	case infiniband.Router:
		fmt.Fprintf(out, "rtguids=0x%x\nRt\t%d \"%s\"\t\t# %q\n", uint64(node.GUID), node.External(), id(node), node.Name)
	default:
		fmt.Fprintf(out, "hcaguids=0x%x\nHca\t%d \"%s\"\t\t# %q\n", uint64(node.GUID), node.External(), id(node), node.Name)
	}
	for p := 1; p < len(node.Ports); p++ {
		port := &node.Ports[p]
		if port.Far == infiniband.Nowhere || port.Physical != infiniband.LinkUp {
			continue
		}
		speed := uint8(port.Enabled.Speeds>>infiniband.SDR) & 7
		extended := uint8(port.Enabled.Speeds>>infiniband.FDR) & 15
		fmt.Fprintf(out, "[%d]\t\"%s\"[%d]\tw=%d s=%d e=%d\n", p, id(f.Of(port.Far)), port.Far.Port, port.Enabled.Widths, speed, extended)
	}
	fmt.Fprintln(out)
}
