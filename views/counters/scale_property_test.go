package counters

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/timeline"
	"cxdeck/views/deck"
)

// everyCounter returns a series for each counter of the catalogue, and for the rate of each cumulative one.
func everyCounter() []perf.Series {
	var list []perf.Series
	for _, set := range perf.Catalogue().Sets() {
		for _, counter := range set.Counters {
			series := perf.Series{Set: set.Name, Instance: "Ethernet 7", Counter: counter.Name, Kind: counter.Kind, Unit: counter.Unit, Line: 100e9}
			list = append(list, series)
			if series.Kind == perf.Cumulative {
				series.Kind, series.Counter, series.Line = perf.Rate, series.Counter+"/sec", 0
				list = append(list, series)
			}
		}
	}
	return list
}

// TestLegendValueTimesScaleIsDrawn draws counters of all units in one chart: the value in the legend, times the scale in the
// legend, must be the position of the curve on the axis, both without SI prefixes.
func TestLegendValueTimesScaleIsDrawn(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	all := everyCounter()
	if len(all) < 400 {
		t.Fatalf("the catalogue has %d counters", len(all))
	}
	checked := 0
	for n := range 3 * len(all) {
		s := New(&deck.Deck{InBytes: n%2 == 0})
		s.scale = scaleMode(random.IntN(int(scaleCount)))
		s.manual = math.Pow(10, 12*random.Float64())
		s.log = random.IntN(4) == 0
		chosen := []perf.Series{all[n%len(all)], all[random.IntN(len(all))], all[random.IntN(len(all))]}
		s.curves = chosenCurves(chosen...)
		for i := range s.curves {
			s.curves[i].counter = chosen[i].Counter
			if random.IntN(5) == 0 {
				s.curves[i].scale = math.Pow10(random.IntN(9) - 4)
			}
		}
		if random.IntN(2) == 0 {
			s.highlight = s.curves[random.IntN(len(s.curves))].path
		}
		p := &s.picture
		p.look.width, p.read.dots = 120, 1
		p.frame = timeline.Frame{From: time.Unix(0, 0), To: time.Unix(60, 0), PieceLength: time.Minute}
		for range s.curves {
			v := math.Round(math.Pow(10, 12*random.Float64())) // identifiers have no decimals
			p.rows = append(p.rows, row{values: []widget.Band{{Min: v, Max: v, Average: v}},
				statistics: window.Statistics{Last: v, Average: v, Minimum: v, Maximum: v, P95: v, P99: v, Count: 1}})
			p.extents = append(p.extents, extent{v, v})
		}
		s.prepare(nil)
		drawn := 0
		for i := range s.curves {
			if p.axis.factors[i] == 0 {
				continue
			}
			checkScale(t, s, i, p.chart.Series[drawn].Bands[0].Average)
			drawn++
			checked++
		}
	}
	if checked < 3*len(all) {
		t.Errorf("%d curves were drawn", checked)
	}
}

// checkScale compares the cells of a row with the position of its curve.
func checkScale(t *testing.T, s *Screen, i int, drawn float64) {
	t.Helper()
	c, cells, a := &s.curves[i], &s.picture.rows[i].cells, &s.picture.axis
	if c.Unit == "bitmask" { // hexadecimal digits have no scale
		return
	}
	value, percent, err := c.Parse(cells[columnLast], s.deck.InBytes)
	if err != nil {
		t.Fatalf("%s: %q can't be read: %v", c.path, cells[columnLast], err)
	}
	if percent {
		t.Fatalf("%s: %q is a percentage", c.path, cells[columnLast])
	}
	value *= c.Shown(s.deck.InBytes)
	scale, err := strconv.ParseFloat(cells[columnScale], 64)
	if cells[columnScale] == "% of line" {
		scale, err = 100/float64(c.info.Line), nil
		if s.deck.InBytes {
			scale *= 8
		}
	}
	if err != nil {
		t.Fatalf("%s: the scale %q is not a number", c.path, cells[columnScale])
	}
	if want := value * scale; math.Abs(drawn-want) > 0.006*math.Abs(want) {
		t.Errorf("%s in a chart of %s: %s x %s is %g, and %g is drawn (in bytes %t, %s)", c.path, a.lead.Name(s.deck.InBytes),
			cells[columnLast], cells[columnScale], want, drawn, s.deck.InBytes, scaleNames[s.scale])
	}
}
