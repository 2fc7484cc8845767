package fleet

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cxdeck/perf"
)

// MaxPastHosts is the largest number of hosts whose past is read together.
const MaxPastHosts = 8

// The limits of the rows that are read at once.
const (
	chunkLength = 10 * time.Minute
	minRows     = 40
	maxRows     = 600
	keptChunks  = 4
)

// The time between two scrapes.
const (
	usualStep = 15 * time.Second
	minStep   = time.Second
	maxStep   = time.Minute
)

// horizons are the lengths of the past in which the first sample of a host is searched; a server with a limit for the length of a
// query answers the shorter ones.
var horizons = []time.Duration{366 * 24 * time.Hour, 30 * 24 * time.Hour, 24 * time.Hour}

// Past is an earlier time of a few hosts of a fleet, as a recording: it is a perf.Seeker and a perf.RangeReader. Its rows have the
// distance of the scrapes, and are read by range queries when they are played.
type Past struct {
	client   *client
	info     perf.SourceInfo
	matchers []string // of the targets
	from, to time.Time
	step     time.Duration
	at       time.Time // of the next row
	// table turns rows into columns; it belongs to the goroutine that plays the past. before is the time of its newest row.
	table  *Source
	before time.Time
	chunks []*chunk // the newest last

	mutex     sync.Mutex
	selectors []string
	kinds     []*meaning // of the same series
}

// chunk is a number of rows that were read at once.
type chunk struct {
	from       time.Time
	rows       int
	ups, times []lane
	series     []lane
}

// lane is a series with its values in the rows of a chunk, NaN for none.
type lane struct {
	labels []label
	values []float64
}

// OpenPast opens the past of hosts, from the first scrape of any of them until now.
func OpenPast(ctx context.Context, access Access, hosts []string) (*Past, error) {
	return openPast(ctx, access, hosts, time.Now)
}

func openPast(ctx context.Context, access Access, hosts []string, now func() time.Time) (*Past, error) {
	if len(hosts) == 0 || len(hosts) > MaxPastHosts {
		return nil, fmt.Errorf("the past has from 1 to %d hosts, not %d", MaxPastHosts, len(hosts))
	}
	client, err := newClient(access)
	if err != nil {
		return nil, err
	}
	address, _ := url.Parse(access.URL) // newClient has parsed it
	p := &Past{client: client, step: usualStep, table: newSource(client, now)}
	p.table.keepSelectors = true
	p.info = perf.SourceInfo{Kind: perf.PastSource, Name: nameOf(hosts), Host: perf.CleanText(address.Host, perf.NameLimit)}
	client.now = now
	if err := p.find(ctx, hosts, now); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the Prometheus at %s can't be read: %w", p.info.Host, err)
	}
	p.info.Started, p.table.info = p.from, p.info
	if err := p.Seek(p.from); err != nil {
		return nil, err
	}
	p.table.round++
	if err := client.query(ctx, p.all(p.series()), p.to, p.table.take); err != nil { // the schema
		return nil, fmt.Errorf("the Prometheus at %s can't be read: %w", p.info.Host, err)
	}
	p.publish()
	return p, nil
}

// series returns the form of the selector of all known series of a target.
func (p *Past) series() string { return strings.TrimSuffix(selector(), "}") + ",%s}" }

// nameOf names hosts for the header: "web-1", "web-1 and 2 more".
func nameOf(hosts []string) string {
	if len(hosts) > 1 {
		return fmt.Sprintf("%s and %d more", hosts[0], len(hosts)-1)
	}
	return hosts[0]
}

// find finds the targets of the hosts, the time between their scrapes, and their first sample.
func (p *Past) find(ctx context.Context, hosts []string, clock func() time.Time) error {
	if err := p.client.query(ctx, "up", clock(), func([]label, float64) {}); err != nil { // the time of the server
		return err
	}
	now := clock().Add(p.client.ahead)
	if err := p.table.readUp(ctx, now, func(labels []label, _ bool) {
		if t := p.table.targetOf(labels); t != nil && slices.Contains(hosts, t.host.name) && len(p.matchers) < 8*MaxPastHosts {
			matcher := matcherOf(labels, "job") + "," + matcherOf(labels, "instance")
			for _, name := range append(slices.Clip(hostLabels), p.table.clusters.labels...) {
				if len(find(labels, name)) > 0 || slices.Contains(p.table.clusters.labels, name) { // an empty one is a missing one
					matcher += "," + matcherOf(labels, name)
				}
			}
			if !slices.Contains(p.matchers, matcher) {
				p.matchers = append(p.matchers, matcher)
			}
		}
	}); err != nil {
		return err
	}
	told := p.table.clusters
	p.table = newSource(p.client, p.table.now)
	p.table.keepSelectors, p.table.clusters = true, told
	if len(p.matchers) == 0 {
		return fmt.Errorf("it has no host %s", strings.Join(hosts, ", "))
	}
	var apart []float64
	if err := p.client.queryRange(ctx, p.all("timestamp(up{%s})"), now.Add(-chunkLength), now, time.Second, func(_ []label, points []point) {
		for i := 1; i < len(points); i++ {
			if between := points[i].value - points[i-1].value; between > 0.05 {
				apart = append(apart, between)
			}
		}
	}); err != nil {
		return err
	}
	if len(apart) > 0 {
		slices.Sort(apart)
		// Scrapes come a few milliseconds early or late.
		p.step = max(minStep, min(time.Duration(math.Round(apart[len(apart)/2]*10))*100*time.Millisecond, maxStep))
	}
	p.to = now.Truncate(p.step)
	first, err := p.first(ctx, now)
	if err != nil {
		return err
	}
	if p.from = first.Truncate(p.step).Add(p.step); !p.from.Before(p.to) {
		p.from = p.to.Add(-p.step)
	}
	return nil
}

// first returns the time of the first sample of the targets.
func (p *Past) first(ctx context.Context, now time.Time) (time.Time, error) {
	query := "count(" + p.all("up{%s}") + ")"
	earliest := func(from, to time.Time, step time.Duration) (at time.Time, err error) {
		err = p.client.queryRange(ctx, query, from, to, step, func(_ []label, points []point) {
			if len(points) > 0 {
				at = time.UnixMilli(int64(points[0].at * 1e3))
			}
		})
		return at, err
	}
	var err error
	for _, horizon := range horizons {
		hour := now
		var at time.Time
		if at, err = earliest(now.Add(-horizon), now, time.Hour); err != nil {
			if ctx.Err() != nil {
				return at, ctx.Err()
			}
			continue
		}
		if !at.IsZero() {
			hour = at
		}
		if at, err = earliest(hour.Add(-time.Hour), hour, usualStep); err == nil && at.IsZero() {
			at = hour.Add(-time.Hour)
		}
		return at, err
	}
	return time.Time{}, err
}

// all joins a selector for each target; %s is its matchers.
func (p *Past) all(form string) string {
	list := make([]string, len(p.matchers))
	for i, matcher := range p.matchers {
		list[i] = strings.ReplaceAll(form, "%s", matcher)
	}
	return strings.Join(list, " or ")
}

// matcherOf returns the matcher of a label's value, which may be empty.
func matcherOf(labels []label, name string) string {
	return name + "=" + strconv.Quote(string(find(labels, name)))
}

// selectorOf returns the selector of a series by all its labels.
func selectorOf(labels []label) string {
	matchers := []string{}
	for _, l := range labels {
		name := string(l.name)
		if name == "" || strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			continue // it can't be written without quotes
		}
		matchers = append(matchers, name+"="+strconv.Quote(string(l.value)))
	}
	return "{" + strings.Join(matchers, ",") + "}"
}

// Info describes the source.
func (p *Past) Info() perf.SourceInfo { return p.info }

// Schema returns the newest schema.
func (p *Past) Schema() *perf.Schema { return p.table.schema }

// Inventory returns the newest inventory.
func (p *Past) Inventory() *perf.Inventory { return p.table.inventory }

// RowDistance returns the time between two rows.
func (p *Past) RowDistance() time.Duration { return p.step }

// Close ends the connections.
func (p *Past) Close() error {
	p.client.http.CloseIdleConnections()
	return nil
}

// Span returns the times of the first and last row.
func (p *Past) Span() (from, to time.Time) { return p.from, p.to }

// Seek makes Next return the first row at or after a time.
func (p *Past) Seek(to time.Time) error {
	p.at = to.Truncate(p.step)
	if p.at.Before(to) {
		p.at = p.at.Add(p.step)
	}
	p.before = time.Time{}
	return nil
}

// Next returns the next row; an answer that can't be used is a *perf.UnavailableError, after which the row is asked for again.
func (p *Past) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	if p.at.After(p.to) {
		return io.EOF
	}
	c, err := p.chunkAt(ctx, p.at)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &perf.UnavailableError{Err: err}
	}
	if p.before.IsZero() { // the row before gives the first rates; the rows of another time give none
		p.table.round++
		for _, t := range p.table.targets {
			t.scraped = 0
		}
		p.play(c, p.at.Add(-p.step))
	}
	p.play(c, p.at)
	p.publish()
	p.table.fill(column, p.at)
	p.at = p.at.Add(max(interval.Truncate(p.step), p.step))
	return nil
}

// publish publishes a new schema where it is due, and the selectors of new series for ReadRange.
func (p *Past) publish() {
	if p.table.changed || p.table.schema == nil {
		p.table.publish()
		p.table.inventory.TotalLabel = "Total (" + p.info.Name + ")"
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i := len(p.selectors); i < len(p.table.selectors); i++ {
		p.selectors, p.kinds = append(p.selectors, p.table.selectors[i]), append(p.kinds, p.table.cells[i].of)
	}
}

// play passes a row of a chunk to the table.
func (p *Past) play(c *chunk, at time.Time) {
	row := int(at.Sub(c.from) / p.step)
	if row < 0 || row >= c.rows {
		return
	}
	p.before = at
	p.table.round++
	ups, times := map[*target]bool{}, map[*target]float64{}
	for _, l := range c.ups {
		if t := p.table.targetOf(l.labels); t != nil && !math.IsNaN(l.values[row]) {
			ups[t] = l.values[row] == 1
		}
	}
	for _, l := range c.times {
		if t := p.table.targetOf(l.labels); t != nil && !math.IsNaN(l.values[row]) {
			times[t] = l.values[row]
		}
	}
	p.table.takeScrapes(at, ups, times)
	for i := range c.series {
		if value := c.series[i].values[row]; !math.IsNaN(value) {
			p.table.take(c.series[i].labels, value)
		}
	}
}

// chunkAt returns the rows with a time and the row before it.
func (p *Past) chunkAt(ctx context.Context, at time.Time) (*chunk, error) {
	for i, c := range p.chunks {
		if at.After(c.from) && at.Sub(c.from) < time.Duration(c.rows)*p.step {
			p.chunks = append(slices.Delete(p.chunks, i, i+1), c)
			return c, nil
		}
	}
	rows := max(minRows, min(int(chunkLength/p.step), maxRows))
	// The chunks have fixed places, each with the last row of the one before.
	length := time.Duration(rows) * p.step
	from := at.Truncate(length).Add(-p.step)
	c := &chunk{from: from, rows: rows + 1}
	last := from.Add(length)
	if last.After(p.to) {
		last = p.to
	}
	for _, part := range []struct {
		query string
		lanes *[]lane
	}{{p.all("up{%s}"), &c.ups}, {p.all("timestamp(up{%s})"), &c.times}, {p.all(p.series()), &c.series}} {
		if err := p.client.queryRange(ctx, part.query, from, last, p.step, func(labels []label, points []point) {
			if part.lanes == &c.series && meanings()[string(find(labels, "__name__"))] == nil {
				return
			}
			*part.lanes = append(*part.lanes, p.laneOf(c, labels, points))
		}); err != nil {
			return nil, err
		}
	}
	p.chunks = append(p.chunks, c)
	if len(p.chunks) > keptChunks {
		p.chunks = slices.Delete(p.chunks, 0, 1)
	}
	return c, nil
}

// laneOf copies a series of an answer.
func (p *Past) laneOf(c *chunk, labels []label, points []point) lane {
	l := lane{labels: cloneLabels(labels), values: make([]float64, c.rows)}
	for i := range l.values {
		l.values[i] = math.NaN()
	}
	for _, point := range points {
		if row := math.Round((point.at - seconds(c.from)) / p.step.Seconds()); row >= 0 && row < float64(c.rows) {
			l.values[int(row)] = point.value
		}
	}
	return l
}

// ReadRange appends the points of a series between from and to, both included. It asks for one point per scrape, or fewer
// where that would be more than a server answers: then a rate is the average over the time between two points. It may run beside Next.
func (p *Past) ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) ([]perf.Point, error) {
	p.mutex.Lock()
	if series < 0 || series >= len(p.selectors) {
		p.mutex.Unlock()
		return dst, nil
	}
	selector, of := p.selectors[series], p.kinds[series]
	p.mutex.Unlock()
	if from.Before(p.from) {
		from = p.from
	}
	if to.After(p.to) {
		to = p.to
	}
	if !from.Before(to) {
		return dst, nil
	}
	step := p.step
	if n := int64(to.Sub(from)) / int64(step) / (maxPoints - 1); n > 0 {
		step = time.Duration((n + 1) * int64(step))
	}
	start := from.Truncate(step)
	rate := of.counts()
	if rate {
		start = start.Add(-step) // for the first rate
	}
	values, times := []point{}, map[float64]float64{}
	if err := p.client.queryRange(ctx, selector, start, to, step, func(_ []label, points []point) { values = append(values, points...) }); err != nil {
		return dst, err
	}
	if rate {
		if err := p.client.queryRange(ctx, "timestamp("+selector+")", start, to, step, func(_ []label, points []point) {
			for _, point := range points {
				times[point.at] = point.value
			}
		}); err != nil {
			return dst, err
		}
	}
	if rate {
		toRates(values, times, step.Seconds())
	}
	for _, point := range values {
		if at := time.UnixMilli(int64(math.Round(point.at * 1e3))); !at.Before(from) {
			dst = append(dst, perf.Point{Time: at.UnixNano(), Value: point.value * of.factor})
		}
	}
	return dst, nil
}

// toRates replaces the values of a counter by its rates over the times between scrapes, NaN after a gap or a reset. times has the
// time of the scrape that each point is of.
func toRates(values []point, times map[float64]float64, step float64) {
	before, held := point{}, math.NaN()
	for i, now := range values {
		rate := math.NaN()
		if elapsed, rise := times[now.at]-times[before.at], now.value-before.value; i > 0 && now.at-before.at < 1.5*step {
			switch {
			case elapsed > 0 && rise >= 0:
				rate = rise / elapsed
			case elapsed == 0:
				rate = held // no newer scrape
			}
		}
		values[i].value, before, held = rate, now, rate
	}
}
