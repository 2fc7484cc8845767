package widget

import (
	"math"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the tests need a zone with summer time wherever they run

	"cxdeck/themes"
)

func TestNiceScale(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]float64{
		0: 1, -3: 1, 0.95: 1, 1: 1, 1.01: 2, 2: 2, 2.2: 2.5, 2.6: 5, 5.1: 10, 87e9: 100e9, 100e9: 100e9, 240e6: 250e6,
		0.003: 0.005, 1e-9: 1e-9, 3e-12: 5e-12, math.Inf(1): 1, math.NaN(): 1,
	} {
		if got := NiceScale(value); math.Abs(got-want) > 1e-9*want {
			t.Errorf("NiceScale(%g) = %g, want %g", value, got, want)
		}
	}
	for v := 1e-6; v < 1e15; v *= 1.37 {
		if got := NiceScale(v); got < v*(1-1e-9) || got > 2.5*v {
			t.Errorf("NiceScale(%g) = %g is too small or too far", v, got)
		}
	}
}

// picture draws a chart without axes, in a glyph set, and returns its lines.
func picture(c *Chart, width, height int, glyphs *themes.Glyphs) []string {
	canvas := NewCanvas(width, height)
	canvas.SetGlyphs(glyphs)
	c.Draw(canvas.All())
	return strings.Split(strings.TrimSuffix(canvas.Text(), "\n"), "\n")
}

func flat(values ...float64) []Band {
	var bands []Band
	for _, v := range values {
		bands = append(bands, Band{v, v, v})
	}
	return bands
}

func TestChartCurves(t *testing.T) {
	t.Parallel()
	gap := math.NaN()
	for _, c := range []struct {
		name  string
		chart Chart
		want  string
	}{
		{"ends of the scale", Chart{High: 7, Series: []ChartSeries{{Bands: flat(0, 0, 7, 7)}}}, " ⡏|⣸"},
		{"beyond the scale", Chart{High: 7, Series: []ChartSeries{{Bands: flat(-9, -9, 99, 99)}}}, " ⡏|⣸"},
		{"a gap is not bridged", Chart{High: 7, Series: []ChartSeries{{Bands: flat(0, gap, gap, 7)}}}, " ⠈|⡀"},
		{"an envelope", Chart{High: 7, Series: []ChartSeries{{Bands: []Band{{0, 7, 3}, {2, 5, 3}}}}}, "⣧|⡟"},
		{"an envelope that is not known", Chart{High: 7, Series: []ChartSeries{{Bands: []Band{{gap, gap, 0}}}}}, "|⡀"},
		{"too few and too many bands", Chart{High: 7, Series: []ChartSeries{{Bands: flat(0)}, {Bands: flat(7, 7, 7, 7, 7, 7)}}}, "⠉⠉|⡀"},
		{"a logarithmic scale", Chart{Low: 1, High: 1e7, Log: true, Series: []ChartSeries{{Bands: flat(0, 1, 10, 100)}}}, "|⣀⠔"},
		{"no scale", Chart{Series: []ChartSeries{{Bands: flat(3, 3)}}}, "|⣀"},
		{"a pile", Chart{High: 8, Stacked: true, Series: []ChartSeries{{Bands: flat(4, 4)}, {Bands: flat(4, gap)}}}, "⠇|⣿"},
	} {
		got := strings.Join(picture(&c.chart, 2, 2, themes.UnicodeGlyphs()), "|")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestChartBoldCurveWinsWhereCurvesMeet(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(1, 1)
	c := Chart{High: 3, Series: []ChartSeries{
		{Role: themes.Series1, Bands: flat(1, 1)},
		{Role: themes.Series2, Bands: flat(1, 1), Bold: true},
		{Role: themes.Series3, Bands: flat(1, 1)},
	}}
	c.Draw(canvas.All())
	if style := canvas.All().At(0, 0).Style; style.Role != themes.Series2 || style.Attr != themes.Bold {
		t.Errorf("the cell has %+v, want the bold series", style)
	}
	c.Series[1].Bold = false
	c.Draw(canvas.All())
	if style := canvas.All().At(0, 0).Style; style.Role != themes.Series3 {
		t.Errorf("the cell has %+v, want the last series", style)
	}
}

func TestChartTimes(t *testing.T) {
	t.Parallel()
	c := Chart{From: start, To: start.Add(4 * time.Minute)}
	for x := range 37 {
		at := c.TimeAt(x, 37)
		if back, ok := c.column(at, 37); !ok || back != x {
			t.Errorf("column %d is %v, which is column %d", x, at, back)
		}
	}
	if x, ok := c.column(c.To, 37); !ok || x != 36 {
		t.Errorf("the end is in column %d, want the last", x)
	}
	if _, ok := c.column(c.To.Add(1), 37); ok {
		t.Error("a time after the end has a column")
	}
	if !c.TimeAt(5, 0).Equal(c.From) {
		t.Error("a plot without width has a time of its own")
	}
}

func TestTimeSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		span time.Duration
		n    int
		want time.Duration
	}{
		{time.Minute, 8, 10 * time.Second}, {5 * time.Minute, 8, time.Minute}, {10 * time.Minute, 8, 2 * time.Minute},
		{time.Hour, 8, 10 * time.Minute}, {24 * time.Hour, 8, 3 * time.Hour}, {7 * 24 * time.Hour, 8, 24 * time.Hour},
		{10 * 365 * 24 * time.Hour, 8, 16 * 28 * 24 * time.Hour}, {time.Millisecond, 8, time.Second},
	} {
		if got := timeStep(c.span, c.n); got != c.want {
			t.Errorf("%v in %d: %v, want %v", c.span, c.n, got, c.want)
		}
	}
}

func TestTicksAreRoundOnTheClock(t *testing.T) {
	t.Parallel()
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("CET", 3600), time.FixedZone("IST", 5*3600+1800)} {
		at := start.In(zone)
		for _, step := range timeSteps[:17] {
			tick := nextTick(at, step)
			if tick.Before(at) || tick.Sub(at) >= step || sinceMidnight(tick)%step != 0 {
				t.Errorf("%v after %v: %v", step, at, tick)
			}
			if again := nextTick(tick, step); !again.Equal(tick) {
				t.Errorf("a tick is not its own next tick: %v, %v", tick, again)
			}
		}
	}
}

// TestTicksWhenTheClockChanges covers the nights on which summer time begins and ends.
func TestTicksWhenTheClockChanges(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, night := range []time.Time{time.Date(2026, 3, 28, 22, 10, 0, 0, zone), time.Date(2026, 10, 24, 22, 10, 0, 0, zone)} {
		for _, step := range timeSteps[6:17] {
			for at, n := night, 0; at.Before(night.Add(24 * time.Hour)); n++ {
				tick := nextTick(at.Add(1), step)
				if !tick.After(at) || n > 2000 {
					t.Fatalf("%v: after %v comes %v", step, at, tick)
				}
				if left := sinceMidnight(tick) % step; left != 0 && left != time.Hour {
					t.Errorf("%v after %v: %v", step, at, tick)
				}
				at = tick
			}
		}
	}
}

func sinceMidnight(t time.Time) time.Duration {
	hour, minute, second := t.Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
}

func TestValueTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		chart Chart
		n     int
		want  []float64
	}{
		{Chart{High: 100}, 5, []float64{0, 20, 40, 60, 80, 100}},
		{Chart{High: 100}, 4, []float64{0, 25, 50, 75, 100}},
		{Chart{High: 250}, 5, []float64{0, 50, 100, 150, 200, 250}},
		{Chart{High: 1}, 2, []float64{0, 0.5, 1}},
		{Chart{Low: -100, High: 100}, 4, []float64{-100, -50, 0, 50, 100}},
		{Chart{Low: 1, High: 1e4, Log: true}, 5, []float64{1, 10, 100, 1e3, 1e4}},
		{Chart{Low: 1, High: 1e8, Log: true}, 4, []float64{1, 1e3, 1e6}},
		{Chart{Low: 5, High: 5}, 4, nil},
		{Chart{High: math.NaN()}, 4, nil},
		{Chart{Low: math.Inf(-1), High: math.Inf(1)}, 4, nil},
	} {
		got := c.chart.valueTicks(c.n, nil)
		if len(got) != len(c.want) {
			t.Errorf("%v to %v in %d: %v, want %v", c.chart.Low, c.chart.High, c.n, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-9*math.Abs(c.want[i]) {
				t.Errorf("%v to %v in %d: %v, want %v", c.chart.Low, c.chart.High, c.n, got, c.want)
			}
		}
	}
}

func TestSparkline(t *testing.T) {
	t.Parallel()
	bands := append(flat(0, 1, 2, 3, 3, 0), Band{math.NaN(), math.NaN(), math.NaN()}, Band{math.NaN(), math.NaN(), math.NaN()})
	for _, c := range []struct {
		glyphs *themes.Glyphs
		high   float64
		want   string
	}{
		{themes.UnicodeGlyphs(), 3, "⣠⣾⣇⠀"}, {themes.UnicodeGlyphs(), 0, "⣠⣾⣇⠀"}, {themes.UnicodeGlyphs(), 3e9, "⣀⣀⣀⠀"},
		{themes.ASCIIGlyphs(), 3, "_,+##_  "},
	} {
		got := strings.ReplaceAll(Sparkline(bands, c.high, c.glyphs), " ", "⠀")
		if want := strings.ReplaceAll(c.want, " ", "⠀"); got != want {
			t.Errorf("%s, high %g: %q, want %q", c.glyphs.Name, c.high, got, want)
		}
	}
	if got := Sparkline(nil, 0, themes.UnicodeGlyphs()); got != "" {
		t.Errorf("no bands: %q", got)
	}
}
