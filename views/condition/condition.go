// Package condition reads conditions on counters as operators type them, "drops on Ethernet 7 > 1k/s for 10s", and finds when
// recorded values met them. A condition is a threshold of perf/threshold that looks back. Reading the values is left to the
// caller.
package condition

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"cxdeck/driver/request"
	"cxdeck/perf"
	"cxdeck/perf/threshold"
	"cxdeck/views/counters/dimension"
	"cxdeck/views/counters/search"
)

// Condition is a parsed condition. Watches applies it to a schema.
type Condition struct {
	// Counter is a path with patterns, or words that name a counter, optionally with "on" and words of its instance.
	Counter string
	Below   bool
	// Level is the typed text: its unit depends on the counter.
	Level string
	// For is the minimum time that the condition must hold.
	For time.Duration
}

// maxFor is the largest For that Parse accepts.
const maxFor = 24 * time.Hour

var errForm = errors.New("write a condition as drops on Ethernet 7 > 1k/s for 10s")

// Is reports whether a text is meant to be a condition: it contains < or >.
func Is(text string) bool { return strings.ContainsAny(text, "<>") }

// Parse reads a condition: a counter, > or <, a level, and optionally "for" and a time.
func Parse(text string) (Condition, error) {
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return Condition{}, errForm
	}
	c := Condition{Counter: strings.TrimSpace(text[:at]), Below: text[at] == '<'}
	c.Level = strings.TrimSpace(strings.TrimPrefix(text[at+1:], "="))
	if before, after, ok := strings.Cut(c.Level, " for "); ok {
		held, err := time.ParseDuration(strings.ReplaceAll(strings.TrimSpace(after), " ", ""))
		if err != nil || held < 0 || held > maxFor {
			return Condition{}, request.Errorf("invalid duration %q: write 10s or 2m, up to 24h", strings.TrimSpace(after))
		}
		c.Level, c.For = strings.TrimSpace(before), held
	}
	if c.Counter == "" || c.Level == "" || strings.ContainsAny(c.Level, "<>") {
		return Condition{}, errForm
	}
	return c, nil
}

// MaxSeries is the maximum number of series of a condition: the samples of each are read from the disk completely.
const MaxSeries = 32

// Watch is a series to which a condition applies, with the rule for its unit.
type Watch struct {
	// Series is its index in the schema.
	Series int
	Rule   threshold.Rule
}

// ErrTooMany is returned for a condition that matches more than MaxSeries counters.
var ErrTooMany = errors.New("counters")

// ErrNoCounter is returned for a condition whose counter the schema does not have.
var ErrNoCounter = errors.New("there is no such counter")

// Watches finds the series of a schema that match a condition. It returns an error for more than MaxSeries, and for a level
// in another unit than the counter's.
func (c *Condition) Watches(schema *perf.Schema, inBytes bool) ([]Watch, error) {
	series, err := c.series(schema)
	if err != nil {
		return nil, err
	}
	if len(series) > MaxSeries {
		return nil, request.Errorf("%q matches %d %w: name an instance, or give a path", c.Counter, len(series), ErrTooMany)
	}
	var list []Watch
	for _, index := range series {
		s := schema.Series[index]
		dim, toBase := dimension.Of(s)
		level, percent, err := dim.Parse(c.Level, inBytes)
		if err != nil {
			return nil, request.Errorf("invalid level %q: %w", c.Level, err)
		}
		rule := threshold.Rule{Path: s.Path(), Below: c.Below, Level: level, Percent: percent, Clear: math.NaN(), For: c.For}
		if percent {
			if _, ok := s.LinePercent(); !ok {
				continue
			}
		} else {
			rule.Level /= toBase
		}
		if math.IsInf(rule.Level, 0) {
			return nil, request.Errorf("invalid level %q: the number is too large", c.Level)
		}
		list = append(list, Watch{index, rule})
	}
	if len(list) == 0 {
		return nil, request.Errorf("%q has no line rate for a percentage", c.Counter)
	}
	return list, nil
}

// series returns the indexes of the series that match the counter's words or pattern. For words, it prefers the counters of
// the console's own set, which are the same for every kind of port, and then rates.
func (c *Condition) series(schema *perf.Schema) ([]int, error) {
	if strings.HasPrefix(c.Counter, `\`) {
		list, err := schema.Match(c.Counter)
		if err == nil && len(list) == 0 {
			err = fmt.Errorf("%w as %s", ErrNoCounter, c.Counter)
		}
		return list, err
	}
	words := strings.Join(strings.Fields(strings.Replace(" "+c.Counter+" ", " on ", " ", 1)), " ")
	index := search.NewIndex(schema)
	found := index.Find(words)
	var list, rates, summary []int
	for _, set := range found.Sets {
		s := &index.Sets[set.Set]
		for _, counter := range set.Counters {
			for _, instance := range set.Instances {
				series, ok := s.Pairs[[2]int32{counter, instance}]
				if !ok || schema.Series[series].Sum != "" {
					continue
				}
				list = append(list, int(series))
				switch {
				case s.Name == perf.SummarySet:
					summary = append(summary, int(series))
				case schema.Series[series].PerSecond():
					rates = append(rates, int(series))
				}
			}
		}
	}
	switch {
	case len(summary) > 0:
		return summary, nil
	case len(rates) > 0 && len(list) > MaxSeries:
		return rates, nil
	case len(list) == 0:
		return nil, request.Errorf("%w as %q", ErrNoCounter, c.Counter)
	}
	return list, nil
}

// Period is a time during which a condition held.
type Period struct {
	From, To time.Time
	// Extreme is the largest value in it; the smallest for a condition with <.
	Extreme float64
}
