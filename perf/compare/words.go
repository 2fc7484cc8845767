package compare

import (
	"fmt"
	"math"

	"cxdeck/perf"
)

// Name names the series for a sentence: its instance, then its counter; the set comes first if the instance is a number, such
// as a processor's.
func (d *Difference) Name() string {
	switch instance := d.Series.Instance; {
	case instance == "":
		return d.Series.Counter
	case instance[0] >= '0' && instance[0] <= '9':
		return d.Series.Set + " " + instance + " " + d.Series.Counter
	default:
		return instance + " " + d.Series.Counter
	}
}

// Number formats a value in the unit of the series, per second for counters.
func (d *Difference) Number(value float64, inBytes bool) string {
	perSecond := d.Series.PerSecond() || d.Series.Kind == perf.Cumulative
	return perf.Number(value, d.Series.Unit, perSecond, inBytes)
}

// Percentage formats the change in percent of the value before: "+182%", "new" from 0, "x 12.4" for a tenfold change or more.
func (d *Difference) Percentage() string {
	switch {
	case math.IsInf(d.Percent, 0):
		return "new"
	case d.Percent >= 900:
		return "x " + ratioText(1+d.Percent/100)
	case math.Abs(d.Percent) < 0.01:
		return fmt.Sprintf("%+.2f%%", d.Percent)
	}
	return fmt.Sprintf("%+.3g%%", d.Percent)
}

// ratioText formats a ratio with three digits and without an exponent: 12.4, 1240, 1.24 M.
func ratioText(ratio float64) string {
	switch {
	case ratio < 999.5:
		return fmt.Sprintf("%.3g", ratio)
	case ratio < 1e5:
		return fmt.Sprintf("%.0f", ratio)
	}
	return perf.Number(ratio, "", false, false)
}

// Sigma formats the change in standard deviations of the values before; "-" where these were all equal.
func (d *Difference) Sigma() string {
	if math.IsInf(d.Deviations, 0) || math.IsNaN(d.Deviations) {
		return "-"
	}
	return fmt.Sprintf("%+.1f", d.Deviations)
}

// NoiseRatio returns the ratio of the change to the noise, infinite for a series that was constant before.
func (d *Difference) NoiseRatio() float64 {
	if d.Periods > 0 {
		return math.Abs(d.Change) / d.Noise
	}
	return math.Abs(d.Deviations)
}

// CountChanged counts the differences that are beyond their noise and returns the first of them, nil if there is none.
func CountChanged(found []Difference) (first *Difference, count int) {
	for i := range found {
		if !found[i].BeyondNoise() {
			continue
		}
		if first == nil {
			first = &found[i]
		}
		count++
	}
	return first, count
}

// ChangeText formats the change and its ratio to the noise; see SentenceWithNoise for noise and when.
func (d *Difference) ChangeText(inBytes bool, noise, when string) string {
	text := fmt.Sprintf("%s went from %s to %s", d.Name(), d.Number(d.Before.Mean, inBytes), d.Number(d.After.Mean, inBytes))
	if ratio := d.NoiseRatio(); !math.IsInf(ratio, 0) {
		return text + fmt.Sprintf(", %s times %s", ratioText(ratio), noise)
	}
	return text + ", and was constant " + when
}

// Sentence names the counter that changed most, and the number of counters that changed by more than their noise.
func Sentence(found []Difference, inBytes bool) string {
	return SentenceWithNoise(found, inBytes, "its noise", "before")
}

// SentenceWithNoise is Sentence with a name for the noise, "the noise of the hour before", and for the time in which it was
// measured, "in the hour before".
func SentenceWithNoise(found []Difference, inBytes bool, noise, when string) string {
	first, count := CountChanged(found)
	if first == nil {
		return "No counter changed by more than " + noise + "."
	}
	text := first.ChangeText(inBytes, noise, when)
	switch count {
	case 1:
		return text + "; no other counter changed by more than its noise."
	case 2:
		return text + "; one more counter changed by more than its noise."
	}
	return fmt.Sprintf("%s; %d more counters changed by more than their noise.", text, count-1)
}
