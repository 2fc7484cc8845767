package fabric

import (
	"fmt"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// series holds what each counter of a port counted in a second, by the counter's index in mad.Counters, the newest last. A counter that
// never counted has none.
type series [][]float32

// counterName returns the name of a counter as perfquery prints it.
func counterName(c *mad.Counter) string {
	if c.Name != "" {
		return c.Name
	}
	return c.Extended.Name
}

// append appends the rates between two readings of a port; before is the number of rates that were measured earlier.
func (s *series) append(now, was *infiniband.Port, seconds float64, before int) {
	if *s == nil {
		*s = make(series, len(mad.Counters))
	}
	for i := range mad.Counters {
		value, earlier := *mad.Counters[i].Of(now), *mad.Counters[i].Of(was)
		rate := float32(float64(value-min(earlier, value)) / seconds) // a counter that was cleared begins again
		rates := (*s)[i]
		if rates == nil && rate == 0 {
			continue
		}
		if rates == nil {
			rates = make([]float32, before, kept)
		}
		if len(rates) >= kept {
			rates = rates[:copy(rates, rates[len(rates)-kept+1:])]
		}
		(*s)[i] = append(rates, rate)
	}
}

// bands returns the newest rates of a counter, of which number were measured.
func (s series) bands(counter, number, room int) []widget.Band {
	bands := make([]widget.Band, max(0, min(number, room)))
	if s == nil || s[counter] == nil {
		return bands
	}
	rates := s[counter]
	for i := range bands {
		if k := len(rates) - len(bands) + i; k >= 0 {
			rate := float64(rates[k])
			bands[i] = widget.Band{Min: rate, Max: rate, Average: rate}
		}
	}
	return bands
}

// drawCounter draws the curve of the chosen counter of a port.
func (d *dialog) drawCounter(area widget.Area, y int, c *curve, port *infiniband.Port) {
	counter := &mad.Counters[d.counter]
	room := min(area.Width-58, kept)
	bands := c.counters.bands(d.counter, len(c.sent), max(room, 1))
	area.Print(0, y, counterName(counter), themes.Style{Role: themes.Muted})
	area.PrintRight(43, y, fmt.Sprint(*counter.Of(port)), themes.Style{})
	if len(bands) > 0 {
		area.PrintRight(56, y, fmt.Sprintf("%.6g/s", bands[len(bands)-1].Average), themes.Style{})
	}
	if room > 0 {
		area.Print(58, y, widget.Sparkline(bands, 0, area.Glyphs()), themes.Style{Role: themes.Series3})
	}
}

// counterActions choose the counter whose curve is drawn.
func (d *dialog) counterActions() []ui.Action {
	move := func(by int) func() ui.Cmd {
		return func() ui.Cmd {
			d.counter = (d.counter + by + len(mad.Counters)) % len(mad.Counters)
			return nil
		}
	}
	return []ui.Action{
		{ID: "fabric.place", Keys: []string{"."}, Name: "counter", Help: "Draw the curve of the next counter of the selected port, as perfquery names it", Run: move(1)},
		{ID: "fabric.tab-before", Keys: []string{","}, Name: "previous counter", Hidden: true, Help: "Draw the curve of the counter before it", Run: move(-1)},
	}
}
