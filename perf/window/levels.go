package window

import "math"

const (
	// levelStep is the length of a level's periods in nanoseconds, levelCount the number of kept periods: 24 hours.
	levelStep  = 30 * int64(1e9)
	levelCount = levelHours * hourCount
	levelHours = 24
	hourCount  = 60 * 2
)

// levels are the 24 hours of the chosen series in periods of 30 seconds, on the full and half minutes. Their memory is
// allocated by the hour, and reused after 24 hours.
type levels struct {
	// next is the number of the period after the newest, counted since 1970; 0 without periods. The kept periods are [first,
	// next).
	first, next int64
	chosen      map[int]*level
}

// level has the periods of one series. Seven digits are stored, as only three are shown.
type level struct {
	hours [levelHours]*[hourCount]summary // nil for an hour without values
}

// summary aggregates 30 seconds.
type summary struct {
	min, max float32
	sum      float64
	count    uint32
}

func (s *summary) add(value float64) {
	if math.IsNaN(value) {
		return
	}
	if s.count == 0 {
		s.min, s.max = float32(value), float32(value)
	}
	s.min, s.max = min(s.min, float32(value)), max(s.max, float32(value))
	s.sum += value
	s.count++
}

// add adds a level for a series; false when it has one already.
func (l *levels) add(series int) bool {
	if l.chosen == nil {
		l.chosen = make(map[int]*level)
	}
	if l.chosen[series] != nil {
		return false
	}
	l.chosen[series] = new(level)
	return true
}

func (l *levels) clear() {
	l.first, l.next = 0, 0
	for _, chosen := range l.chosen {
		*chosen = level{}
	}
}

// periodToAdd returns a period for adding values, and allocates its hour if necessary.
func (l *level) periodToAdd(number int64) *summary {
	hour := &l.hours[number%levelCount/hourCount]
	if *hour == nil {
		*hour = new([hourCount]summary)
	}
	return &(*hour)[number%hourCount]
}

// period returns a period, empty for one without values.
func (l *level) period(number int64) summary {
	if hour := l.hours[number%levelCount/hourCount]; hour != nil {
		return hour[number%hourCount]
	}
	return summary{}
}

// clearPeriod empties a period.
func (l *level) clearPeriod(number int64) {
	if hour := l.hours[number%levelCount/hourCount]; hour != nil {
		hour[number%hourCount] = summary{}
	}
}

// push adds the newest column of the window.
func (l *levels) push(w *Recent, now int64) {
	l.begin(now)
	number := now / levelStep
	if number < 0 {
		return
	}
	for series, chosen := range l.chosen {
		chosen.periodToAdd(number).add(w.newest(series))
	}
}

// pushBatch adds the columns of the window from a number on.
func (l *levels) pushBatch(w *Recent, times []int64, from uint64) {
	for _, now := range times {
		l.begin(now)
	}
	for series := range l.chosen {
		l.fill(w, series, max(from, w.columns.oldest()))
	}
}

// begin empties the periods up to a time that have not begun before.
func (l *levels) begin(now int64) {
	number := now / levelStep
	if number < 0 {
		return
	}
	if l.next == 0 {
		l.first, l.next = number, number
	}
	for from := max(l.next, number-levelCount+1); from <= number; from++ {
		for _, chosen := range l.chosen {
			chosen.clearPeriod(from)
		}
	}
	l.next = max(l.next, number+1)
	l.first = max(l.first, l.next-levelCount)
}

// backfill fills a new level from the columns at full rate.
func (l *levels) backfill(w *Recent, series int) { l.fill(w, series, w.columns.oldest()) }

// fill adds the values of a series in the columns from a number on.
func (l *levels) fill(w *Recent, series int, from uint64) {
	c := w.columns
	s := w.series(series)
	if s == nil || c.next == 0 {
		return
	}
	buffer := w.buffers.get()
	defer w.buffers.put(buffer)
	for i, value := range buffer.valuesOf(c, s, from, c.next) {
		if number := c.time(from+uint64(i)) / levelStep; number >= l.first && number < l.next {
			l.chosen[series].periodToAdd(number).add(value)
		}
	}
}

// oldest returns the beginning of the oldest period.
func (l *levels) oldest() (time int64, ok bool) {
	return l.first * levelStep, l.next > 0 && len(l.chosen) > 0
}

// sum adds up the periods in [from, to) of several series. Minimum and maximum are sums of minimums and maximums: bounds of the
// sum. A range within one period gives that period.
func (l *levels) sum(series []int, from, to int64) (bucket Bucket, ok bool) {
	for _, index := range series {
		level := l.chosen[index]
		if level == nil {
			continue
		}
		if part, some := level.span(l, from, to); some {
			bucket.Min += part.Min
			bucket.Max += part.Max
			bucket.Average += part.Average
			ok = true
		}
	}
	return bucket, ok
}

// span merges the periods that begin in [from, to), or returns the one that contains from.
func (l *level) span(all *levels, from, to int64) (Bucket, bool) {
	first, last := (from+levelStep-1)/levelStep, (to-1)/levelStep
	if last < first {
		first = last
	}
	var whole summary
	for number := max(first, all.first); number <= min(last, all.next-1); number++ {
		period := l.period(number)
		if period.count == 0 {
			continue
		}
		if whole.count == 0 {
			whole.min, whole.max = period.min, period.max
		}
		whole.min, whole.max = min(whole.min, period.min), max(whole.max, period.max)
		whole.sum += period.sum
		whole.count += period.count
	}
	if whole.count == 0 {
		return Bucket{}, false
	}
	return Bucket{Min: float64(whole.min), Max: float64(whole.max), Average: whole.sum / float64(whole.count)}, true
}
