package counters

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
)

// TestComputedRateEqualsTheSourcesRate compares a counter shown as a rate with the source's own rate counter.
func TestComputedRateEqualsTheSourcesRate(t *testing.T) {
	t.Parallel()
	for _, samples := range []int{55, 200, 900} { // 900 are more than the window keeps as samples
		p := newPlay(t, 2, samples)
		p.Press("E")
		p.screen.addPaths([]string{`\Network Interface(Port 2)\Packets Received Discarded/sec`, `\Network Interface(Port 2)\Packets Received Discarded`})
		p.Press("down")
		p.Press("v")
		p.Text()
		rows := p.screen.picture.rows
		a, b := rows[0].statistics, rows[1].statistics
		if !near(a.Last, b.Last) || !near(a.Maximum, b.Maximum) || math.Abs(a.Average-b.Average) > 0.02*a.Maximum {
			t.Errorf("%d samples: the source's rate is %+v, the counter's %+v", samples, a, b)
		}
		for n := range rows[0].values {
			// With pieces shorter than the interval, the values of the two curves may be shifted by one sample.
			y, fits := rows[1].values[n].Average, false
			reach := 1 + int(samplePeriod/p.screen.picture.frame.PieceLength)
			for k := max(0, n-reach); k <= min(n+reach, len(rows[0].values)-1); k++ {
				x := rows[0].values[k].Average
				fits = fits || x != x || y != y || math.Abs(x-y) <= 0.02*a.Maximum
			}
			if !fits {
				t.Fatalf("%d samples, piece %d: %v", samples, n, y)
			}
		}
		if line := p.Line("b ━"); !strings.Contains(line, "/sec") || !strings.Contains(line, "p/s") && b.Last != 0 {
			t.Errorf("the row is %q", line)
		}
		p.Press("t")
		p.Want("a threshold watches the counter itself")
		p.Press("v")
		p.Text()
		if got := p.screen.picture.rows[1].statistics.Maximum; got < a.Maximum {
			t.Errorf("as a total its maximum is %v", got)
		}
		p.Press("up", "v")
		p.Want("it is not a cumulative counter")
	}
}

func TestRatesOfPoints(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		width := []int{0, 32}[random.IntN(2)]
		r := rateCurve{rated: true}
		if width > 0 {
			r.wrap = math.Ldexp(1, width)
		}
		value, at := uint64(random.Uint32()), int64(0)
		var points []perf.Point
		var want []float64
		for n := range 20 {
			rise, wait := random.Uint64N(1<<30), 1+random.Int64N(5)
			want = append(want, float64(rise)/float64(wait))
			if n == 0 {
				want[0] = math.NaN()
			}
			value, at = value+rise, at+wait*int64(time.Second)
			shown := value
			if width > 0 {
				shown &= 1<<width - 1
			}
			points = append(points, perf.Point{Time: at, Value: float64(shown)})
		}
		for n, point := range r.rates(points) {
			if !near(point.Value, want[n]) && (point.Value == point.Value || want[n] == want[n]) {
				t.Fatalf("rate %d is %v, want %v", n, point.Value, want[n])
			}
		}
	}
	reset := rateCurve{rated: true}.rates([]perf.Point{{Time: 0, Value: 9}, {Time: 1e9, Value: 2}, {Time: 2e9, Value: 5}, {Time: 3e9, Value: math.NaN()}, {Time: 4e9, Value: 7}})
	if reset[1].Value == reset[1].Value || reset[2].Value != 3 || reset[4].Value == reset[4].Value {
		t.Errorf("over a reset and a gap the rates are %v", reset)
	}
}
