package fabric

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/topology"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// opened returns a dialog that has read a network twice, a second apart.
func opened(network int) *dialog {
	f, at := topology.Networks()[network].Build()
	s := opensm.New(f, []*opensm.Manager{{Place: at, Running: true, Partitions: opensm.DefaultPartitions()}})
	d := &dialog{folded: map[int]bool{}, curves: map[infiniband.Place]*curve{}, table: widget.Table{ID: "rows", Focused: true, SortColumn: -1, Columns: columns()}}
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	d.take(readMsg{now: &reading{Subnet: s.Clone(), at: now}})
	s.Fabric.At(at).Counters.SentData += 250_000_000
	s.Fabric.At(s.Fabric.At(at).Far).Counters.SymbolErrors = 7
	d.take(readMsg{now: &reading{Subnet: s.Clone(), at: now.Add(time.Second)}})
	return d
}

func picture(d *dialog, width, height int) string {
	c := widget.NewCanvas(width, height)
	c.SetGlyphs(themes.UnicodeGlyphs())
	d.Draw(c.All())
	return c.Text()
}

// TestTree: nodes and ports with their other ends, states, rates and errors; a folded node has no ports.
func TestTree(t *testing.T) {
	t.Parallel()
	d := opened(0)
	got := picture(d, 110, 40)
	for _, want := range []string{"9 nodes, 8 cables; subnet manager on host-0-1, min-hop routing", "sw ", "host-0-1/1", "4X FDR", "8.00 Gb/s", "Active", "  7"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	d.folded[0] = true
	d.list(infiniband.Nowhere)
	if len(d.rows) != 1+2*8 {
		t.Errorf("%d rows with a folded switch", len(d.rows))
	}
	for _, size := range [][2]int{{1, 1}, {12, 6}, {80, 20}, {200, 60}} {
		picture(d, size[0], size[1])
	}
}

// TestTopology: switches stand above their adapters, and a broken link is drawn in the colour of what is wrong.
func TestTopology(t *testing.T) {
	t.Parallel()
	d := opened(6)
	d.drawn = true
	got := picture(d, 160, 40)
	if spine, leaf, host := strings.Index(got, "Spine-1"), strings.Index(got, "Leaf-1"), strings.Index(got, "Host-2 "); spine < 0 || leaf < spine || host < leaf {
		t.Errorf("the order of the rows is wrong:\n%s", got)
	}
	if got := picture(d, 60, 20); !strings.Contains(got, "4 nodes") {
		t.Errorf("the adapters of a leaf are not in one box:\n%s", got)
	}
	d.now.Fabric.SetUnplugged(infiniband.Place{Node: d.now.Fabric.Named("Spine-1"), Port: 1}, true)
	c := widget.NewCanvas(160, 40)
	c.SetGlyphs(themes.UnicodeGlyphs())
	d.Draw(c.All())
	bad := 0
	for y := range 40 {
		for _, cell := range c.Row(y) {
			if cell.Style.Role == themes.Bad {
				bad++
			}
		}
	}
	if bad == 0 {
		t.Error("the broken link is not drawn as one")
	}
	for _, size := range [][2]int{{1, 3}, {12, 6}, {80, 20}} {
		picture(d, size[0], size[1])
	}
}

// TestCounterCurves: each counter of perfquery has a curve, with what it counted in each second, also after it was cleared.
func TestCounterCurves(t *testing.T) {
	t.Parallel()
	d := opened(0)
	at := d.now.Fabric.Nodes[d.now.Fabric.Named("host-0-1")].Ports[1].Far
	d.list(at)
	now := d.now.at
	for second, value := range []uint64{10, 40, 40, 0, 5} {
		now = now.Add(time.Second)
		s := d.now.Clone()
		for i := range mad.Counters {
			*mad.Counters[i].Of(s.Fabric.At(at)) = value * uint64(i+1)
		}
		d.take(readMsg{now: &reading{Subnet: s, at: now}})
		d.list(at)
		for i := range mad.Counters {
			want := float64([]uint64{10, 30, 0, 0, 5}[second] * uint64(i+1))
			if i == 0 && second == 0 {
				want = 3 // it had counted 7 before
			}
			bands := d.curves[at].counters.bands(i, len(d.curves[at].sent), kept)
			if got := bands[len(bands)-1].Average; got != want || len(bands) != second+2 {
				t.Fatalf("second %d, %s: %g in %d rates, expected %g", second, counterName(&mad.Counters[i]), got, len(bands), want)
			}
		}
	}
	for i := range mad.Counters {
		name := counterName(&mad.Counters[i])
		if got := picture(d, 110, 40); !strings.Contains(got, name) || !strings.Contains(got, fmt.Sprintf("%d/s", 5*(i+1))) {
			t.Errorf("%s is not drawn:\n%s", name, got)
		}
		ui.Perform(d.counterActions(), ".", false)
	}
	if ui.Perform(d.counterActions(), ",", false); d.counter != len(mad.Counters)-1 {
		t.Errorf("the comma chooses counter %d", d.counter)
	}
	for _, size := range [][2]int{{76, 18}, {110, 40}} { // the room of a screen of 80x24, and a large one
		if got := picture(d, size[0], size[1]); !strings.Contains(got, counterName(&mad.Counters[d.counter])) || !strings.Contains(got, "Other end") ||
			!strings.Contains(got, cure(d.now.Fabric.At(at))) {
			t.Errorf("%v lacks the curve, the other ends or the cure:\n%s", size, got)
		}
	}
	for range 3 * kept {
		now = now.Add(time.Second)
		d.take(readMsg{now: &reading{Subnet: d.now.Clone(), at: now}})
	}
	if bands := d.curves[at].counters.bands(0, len(d.curves[at].sent), kept); len(bands) != kept || len(d.curves[at].counters[0]) != kept {
		t.Errorf("%d rates are kept", len(bands))
	}
}

// TestTraps: a cable that is taken out is a trap in the list.
func TestTraps(t *testing.T) {
	t.Parallel()
	d := opened(1)
	d.traps = true
	if got := picture(d, 80, 12); !strings.Contains(got, "no trap") {
		t.Errorf("a subnet without traps:\n%s", got)
	}
	s := d.now.Clone()
	for n := range s.Fabric.Nodes {
		if at := (infiniband.Place{Node: n, Port: 2}); s.Fabric.Nodes[n].Kind == infiniband.Switch {
			s.Fabric.SetUnplugged(at, true)
			break
		}
	}
	s.Advance(time.Second)
	d.take(readMsg{now: &reading{Subnet: s, at: d.now.at.Add(time.Second)}})
	if got := picture(d, 110, 12); !strings.Contains(got, "128   Urgent") || !strings.Contains(got, "Link state change") {
		t.Errorf("the trap is not in the list:\n%s", got)
	}
	picture(d, 3, 3)
}

// TestCures: each state of a port has a sentence on what to do.
func TestCures(t *testing.T) {
	t.Parallel()
	for want, port := range map[string]infiniband.Port{
		"carries traffic":   {State: infiniband.Active, Physical: infiniband.LinkUp},
		"no subnet manager": {State: infiniband.Initialize, Physical: infiniband.LinkUp},
		"not activated":     {State: infiniband.Armed, Physical: infiniband.LinkUp},
		"enable it":         {State: infiniband.Down, Physical: infiniband.Disabled},
		"plug it in":        {State: infiniband.Down, Physical: infiniband.Polling, Unplugged: true},
		"at the other end":  {State: infiniband.Down, Physical: infiniband.Polling},
	} {
		if got := cure(&port); !strings.Contains(got, want) {
			t.Errorf("%s: %s", want, got)
		}
	}
}

// BenchmarkDraw648 draws a fabric of 648 ports, as a tree and as a topology: the budget is 50 ms.
func BenchmarkDraw648(b *testing.B) {
	d := opened(len(topology.Networks()) - 1)
	c := widget.NewCanvas(200, 60)
	c.SetGlyphs(themes.UnicodeGlyphs())
	for name, drawn := range map[string]bool{"tree": false, "topology": true} {
		b.Run(name, func(b *testing.B) {
			d.drawn = drawn
			for b.Loop() {
				c.Clear()
				d.list(d.place())
				d.Draw(c.All())
			}
		})
	}
}
