package report

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"cxdeck/perf"
)

// Chart holds curves over the time of the report, in buckets of equal length.
type Chart struct {
	Title string
	// Drops is set for a chart of lost packets.
	Drops  bool
	Curves []Curve
	// Peak is the largest value; Unit and PerSecond are the unit of all values.
	Peak      float64
	Unit      perf.Unit
	PerSecond bool
}

// Curve holds the average and the maximum of each bucket, NaN for an empty one.
type Curve struct {
	Name              string
	Averages, Maximum []float64
}

// Number formats a value of the chart with its unit.
func (c *Chart) Number(value float64, inBytes bool) string {
	return perf.Number(value, c.Unit, c.PerSecond, inBytes)
}

const (
	// buckets is the number of periods of a chart: more than a screen or a sheet of paper shows.
	buckets = 480
	// maxPorts is the maximum number of ports with charts.
	maxPorts = 16
)

// addCharts reads throughput and drops of all ports together, then of each port with traffic.
func (d *Document) addCharts(ctx context.Context, source perf.Source, inventory *perf.Inventory, progress func(done, all int)) error {
	type subject struct {
		name                 string
		receive, send, drops []int
	}
	subjects := []subject{{"All ports", inventory.Receive, inventory.Send, inventory.Drops}}
	for i := range inventory.Nodes {
		if n := &inventory.Nodes[i]; n.Kind == perf.PortNode && len(subjects) <= maxPorts {
			subjects = append(subjects, subject{n.Name, n.Receive, n.Send, n.Drops})
		}
	}
	for i, subject := range subjects {
		if progress != nil {
			progress(i, len(subjects))
		}
		throughput, err := d.chart(ctx, source, subject.name+": throughput", []string{"received", "sent"}, subject.receive, subject.send)
		if err != nil {
			return err
		}
		drops, err := d.chart(ctx, source, subject.name+": packets dropped", []string{"dropped"}, subject.drops)
		if err != nil {
			return err
		}
		drops.Drops = true
		for _, chart := range []Chart{throughput, drops} {
			if chart.Peak > 0 || i == 0 && len(chart.Curves) > 0 {
				d.Charts = append(d.Charts, chart)
			}
		}
	}
	if progress != nil {
		progress(len(subjects), len(subjects))
	}
	return nil
}

// chart makes a chart with a curve for each list of series; it adds up the series of a list, which have one unit.
func (d *Document) chart(ctx context.Context, source perf.Source, title string, names []string, series ...[]int) (Chart, error) {
	chart := Chart{Title: title}
	schema := source.Schema()
	for i, indexes := range series {
		if len(indexes) == 0 {
			continue
		}
		curve := Curve{names[i], make([]float64, buckets), make([]float64, buckets)}
		for b := range buckets {
			curve.Averages[b], curve.Maximum[b] = math.NaN(), math.NaN()
		}
		for _, index := range indexes {
			if index < 0 || index >= len(schema.Series) {
				continue
			}
			s := &schema.Series[index]
			chart.Unit, chart.PerSecond = s.Unit, s.PerSecond()
			bands, err := source.(perf.BandReader).ReadBands(ctx, index, d.From, d.To, d.To.Sub(d.From)/buckets, nil)
			if err != nil {
				return chart, err
			}
			curve.add(bands, d.From, d.To)
		}
		for _, value := range curve.Maximum {
			if value > chart.Peak {
				chart.Peak = value
			}
		}
		chart.Curves = append(chart.Curves, curve)
	}
	return chart, nil
}

// add adds a series to the curve, bucket by bucket. A band longer than a bucket fills all buckets within it.
func (c *Curve) add(bands []perf.Band, from, to time.Time) {
	var sums, largest [buckets]float64
	var counts [buckets]int64
	start, length := from.UnixNano(), float64(max(1, to.UnixNano()-from.UnixNano()))
	bucketAt := func(time int64) int { return min(buckets-1, max(0, int(float64(time-start)*buckets/length))) }
	for i := range bands {
		band := &bands[i]
		if band.Count == 0 {
			continue
		}
		first, last := bucketAt(band.From), bucketAt(band.To)
		if float64(band.Step) <= length/buckets {
			last = first
		}
		for b := first; b <= last; b++ {
			sums[b] += band.Average * float64(band.Count)
			if counts[b] == 0 || band.Max > largest[b] {
				largest[b] = band.Max
			}
			counts[b] += band.Count
		}
	}
	for b, count := range counts {
		if count == 0 {
			continue
		}
		if math.IsNaN(c.Averages[b]) {
			c.Averages[b], c.Maximum[b] = 0, 0
		}
		c.Averages[b] += sums[b] / float64(count)
		c.Maximum[b] += largest[b]
	}
}

// The size of a chart in the units of its picture.
const (
	chartWidth  = 960
	chartHeight = 160
)

// path returns the values as the commands of an SVG path, each at the middle of its bucket. The line bridges up to gap empty
// buckets, because samples may be further apart than buckets; more empty buckets interrupt it.
func (c *Curve) path(values []float64, peak float64) string {
	var b strings.Builder
	missing := gap + 1
	for i, value := range values {
		if math.IsNaN(value) {
			missing++
			continue
		}
		command := 'L'
		if missing > gap {
			command = 'M'
		}
		missing = 0
		x := (float64(i) + 0.5) * chartWidth / buckets
		y := chartHeight * (1 - min(1, max(0, value/peak)))
		fmt.Fprintf(&b, "%c%.1f %.1f", command, x, y)
	}
	return b.String()
}

// gap is the maximum number of empty buckets within a line: a minute of samples fills an eighth of the buckets.
const gap = 12
