package topology

import (
	"fmt"

	"cxdeck/device/infiniband"
)

// Network is a named fabric; its manager runs on its first adapter.
type Network struct {
	Name  string
	build func(b *Builder)
}

// hosts cables adapters to the first ports of switches.
func hosts(b *Builder, each int, switches ...int) {
	for _, s := range switches {
		for i := range each {
			b.Cable(s, i+1, b.Adapter(fmt.Sprintf("host-%d-%d", s, i+1), 1), 1)
		}
	}
}

func grid(b *Builder, columns, rows int, wrapped bool) []int {
	var s []int
	for i := range columns * rows {
		s = append(s, b.Switch(fmt.Sprintf("sw-%d-%d", i%columns, i/columns), 12))
	}
	for y := range rows {
		for x := range columns {
			if x+1 < columns || wrapped {
				b.Cable(s[y*columns+x], 8, s[y*columns+(x+1)%columns], 9)
			}
			if y+1 < rows || wrapped {
				b.Cable(s[y*columns+x], 10, s[(y+1)%rows*columns+x], 11)
			}
		}
	}
	return s
}

func place(node, port int) infiniband.Place { return infiniband.Place{Node: node, Port: port} }

// Networks returns the fabrics on which tables and programs are compared with the real ones; three have faults, and the last one is
// large.
func Networks() []Network {
	return []Network{
		{"star", func(b *Builder) { hosts(b, 8, b.Switch("sw", 36)) }},
		{"chain", func(b *Builder) {
			var s []int
			for i := range 5 {
				s = append(s, b.Switch(fmt.Sprintf("sw-%d", i), 12))
				if i > 0 {
					b.Cable(s[i-1], 11, s[i], 12)
				}
			}
			hosts(b, 2, s...)
		}},
		{"ring", func(b *Builder) {
			s := grid(b, 6, 1, false)
			b.Cable(s[5], 8, s[0], 9)
			hosts(b, 2, s...)
		}},
		{"parallel links", func(b *Builder) {
			s, t := b.Switch("left", 36), b.Switch("right", 36)
			for i := range 4 {
				b.Cable(s, 20+i, t, 30-i)
			}
			hosts(b, 7, s, t)
		}},
		{"grid", func(b *Builder) { hosts(b, 2, grid(b, 4, 3, false)...) }},
		{"torus", func(b *Builder) { hosts(b, 2, grid(b, 4, 4, true)...) }},
		{"fat tree", func(b *Builder) { b.FatTree(4, 2, 4) }},
		{"broken spine", func(b *Builder) {
			_, spine := b.FatTree(6, 3, 5)
			b.SetUnplugged(place(spine[0], 2), true)
			b.SetUnplugged(place(spine[1], 5), true)
		}},
		{"two parts", func(b *Builder) {
			s := grid(b, 5, 1, false)
			hosts(b, 3, s...)
			b.SetUnplugged(place(s[2], 8), true)
		}},
		{"slow and disabled", func(b *Builder) {
			s := grid(b, 3, 3, false)
			hosts(b, 3, s...)
			b.SetEnabled(place(s[0], 8), infiniband.Mode{Widths: infiniband.Width(1).Bit(), Speeds: infiniband.UpTo(infiniband.SDR)})
			b.Reset(place(s[0], 8))
			b.SetDisabled(place(s[4], 10), true)
		}},
		{"648 ports", fatTree648},
	}
}

// Build returns the fabric, trained and without a manager, and the place of its manager.
func (n Network) Build() (*infiniband.Fabric, infiniband.Place) {
	b := New()
	n.build(b)
	for i := range b.Nodes {
		if b.Nodes[i].Kind == infiniband.Adapter {
			return b.Fabric, place(i, 1)
		}
	}
	return b.Fabric, infiniband.Nowhere
}

// fatTree648 is a two-level fat tree of 36-port switches with 648 hosts.
func fatTree648(b *Builder) { b.FatTree(36, 18, 18) }
