package lab

import (
	"math"
	"time"

	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// sparkSpan is the time that a sparkline covers.
const sparkSpan = time.Minute

// sparks caches the sparklines of the visible workloads for one state.
type sparks struct {
	state *labstate.State
	count int // of bands
	texts map[int]string
	bands []widget.Band
}

// spark returns the sparkline of a workload's rate in the last minute, scaled to its maximum.
func (v *View) spark(glyphs *themes.Glyphs, flow int) string {
	s := &v.sparks
	count := v.tables[flowsPart].Columns[flowSpark].Width
	if glyphs.Braille {
		count *= 2
	}
	if s.state != v.state || s.count != count || s.texts == nil {
		*s = sparks{state: v.state, count: count, texts: map[int]string{}, bands: make([]widget.Band, count)}
	}
	if text, made := s.texts[flow]; made {
		return text
	}
	spreadRates(v.state.Recent, flow, v.now, s.bands)
	text := widget.Sparkline(s.bands, 0, glyphs)
	s.texts[flow] = text
	return text
}

// spreadRates converts the rates of a workload in the last minute to bands of equal length. Each rate lasts until the next one.
func spreadRates(recent []labstate.Rates, flow int, now time.Time, bands []widget.Band) {
	for i := range bands {
		bands[i] = widget.Band{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	}
	from := now.Add(-sparkSpan)
	held := -1
	for _, r := range recent {
		if flow >= len(r.Rates) || r.Time.Before(from) || r.Time.After(now) {
			continue
		}
		at := min(int(int64(len(bands))*int64(r.Time.Sub(from))/int64(sparkSpan)), len(bands)-1)
		for held >= 0 && held+1 < at {
			held++
			bands[held] = bands[held-1]
		}
		value := float64(r.Rates[flow])
		if b := &bands[at]; !(b.Max >= value) {
			*b = widget.Band{Min: value, Max: value, Average: value}
		}
		held = at
	}
}
