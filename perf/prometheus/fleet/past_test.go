package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// archive is a Prometheus that has scraped web-1 every 15 seconds from begun to now; the host restarts at reset.
type archive struct {
	*httptest.Server
	begun, reset, now float64
	fail              atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
	largest           atomic.Int64 // number of points of a series
}

const scrapeLabels = `"job":"n","instance":"web-1:9100"`

func newArchive(tb testing.TB) *archive {
	tb.Helper()
	a := &archive{begun: 1_700_000_005, now: 1_700_090_000}
	a.reset = a.begun + 3600
	a.Server = httptest.NewServer(http.HandlerFunc(a.serve))
	tb.Cleanup(a.Close)
	return a
}

// scraped returns the time of the newest scrape at a time, which comes up to 3 ms late; ok is false before the first one, and after
// the last one for 5 minutes.
func (a *archive) scraped(at float64) (float64, bool) {
	n := math.Floor((at - a.begun) / 15)
	scrape := a.begun + 15*n + math.Mod(n, 4)/1000
	if scrape > at {
		scrape -= 15
	}
	return scrape, n >= 0 && scrape >= a.begun
}

func (a *archive) serve(w http.ResponseWriter, r *http.Request) {
	if fail := a.fail.Load(); fail != nil && (*fail)(w, r) {
		return
	}
	_ = r.ParseForm()
	w.Header().Set("Date", time.Unix(int64(a.now), 0).UTC().Format(http.TimeFormat))
	query := r.Form.Get("query")
	number := func(name string) float64 { v, _ := strconv.ParseFloat(r.Form.Get(name), 64); return v }
	if strings.HasSuffix(r.URL.Path, "/query") && strings.HasPrefix(query, "{") {
		vector(w, twoExporters(a.now-a.begun))
		return
	}
	if strings.HasSuffix(r.URL.Path, "/query") {
		vector(w, sampleText("up", scrapeLabels, "1")+","+sampleText("up", `"job":"n","instance":"web-2:9100"`, "1"))
		return
	}
	start, end, step := number("start"), number("end"), number("step")
	if points := (end - start) / step; points > 11_000 {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution of 11,000 points per timeseries."}`) // the reader fails
		return
	} else if int64(points) > a.largest.Load() {
		a.largest.Store(int64(points))
	}
	if !strings.Contains(query, `job="n",instance="web-1:9100"`) && !strings.Contains(query, `instance="web-1:9100",job="n"`) && !strings.Contains(query, `instance="web-1:9100",device="ens1"`) {
		http.Error(w, "the selector is wrong: "+query, http.StatusBadRequest)
		return
	}
	order, points := []string{}, map[string][]string{}
	for at := start; at <= end+1e-6; at += step {
		scrape, ok := a.scraped(at)
		if !ok {
			continue
		}
		text := sampleText("up", scrapeLabels, "1")
		switch {
		case strings.HasPrefix(query, "timestamp({"):
			text = sampleText("", scrapeLabels, fmt.Sprintf("%.3f", scrape))
		case strings.HasPrefix(query, "timestamp("):
			text = sampleText("", scrapeLabels, fmt.Sprintf("%.3f", scrape))
		case strings.HasPrefix(query, "count("):
			text = `{"metric":{},"value":[1,"1"]}`
		case strings.HasPrefix(query, "{"):
			age := scrape - a.begun
			if scrape > a.reset {
				age = scrape - a.reset
			}
			text = twoExporters(age)
			if strings.HasPrefix(query, `{__name__="`) {
				name, _, _ := strings.Cut(strings.TrimPrefix(query, `{__name__="`), `"`)
				for _, part := range strings.Split(text, `,{"metric"`) {
					if strings.Contains(part, name) && strings.Contains(part, "ens1") {
						text = `{"metric"` + strings.TrimPrefix(part, `{"metric"`)
						break
					}
				}
			}
		}
		err := scanVector([]byte(`{"status":"success","data":{"resultType":"vector","result":[`+text+`]}}`), func(labels []label, value float64) {
			key := ""
			for _, l := range labels {
				key += fmt.Sprintf(",%q:%q", l.name, l.value)
			}
			if points[key] == nil {
				order = append(order, key)
			}
			points[key] = append(points[key], fmt.Sprintf(`[%.3f,"%s"]`, at, strconv.FormatFloat(value, 'g', -1, 64)))
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	io.WriteString(w, `{"status":"success","data":{"resultType":"matrix","result":[`) // the reader fails
	for i, key := range order {
		if i > 0 {
			io.WriteString(w, ",") // the reader fails
		}
		fmt.Fprintf(w, `{"metric":{%s},"values":[%s]}`, strings.TrimPrefix(key, ","), strings.Join(points[key], ",")) // the reader fails
	}
	io.WriteString(w, "]}}") // the reader fails
}

func (a *archive) open(tb testing.TB) *Past {
	tb.Helper()
	past, err := openPast(context.Background(), Access{URL: a.URL}, []string{"web-1"}, func() time.Time { return time.Unix(int64(a.now), 0) })
	if err != nil {
		tb.Fatal(err)
	}
	return past
}

func failWith(fail func(w http.ResponseWriter, r *http.Request) bool) *func(http.ResponseWriter, *http.Request) bool {
	return &fail
}

// TestPastHasTheRatesOfItsScrapes plays the past across a restart of the host, and reads a day of one series.
func TestPastHasTheRatesOfItsScrapes(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	past := a.open(t)
	from, to := past.Span()
	if past.RowDistance() != 15*time.Second {
		t.Errorf("the rows are %s apart", past.RowDistance())
	}
	if first := from.Sub(time.UnixMilli(int64(a.begun * 1e3))); first < 0 || first > 30*time.Second {
		t.Errorf("the past begins %s after the first scrape", first)
	}
	if to.After(time.Unix(int64(a.now), 0)) || time.Unix(int64(a.now), 0).Sub(to) > 15*time.Second {
		t.Errorf("the past ends at %s", to)
	}
	const bytes, drops, up = `\cxdeck Port(web-1: ens1)\Bytes Received/sec`, `\Network Interface(web-1: ens1)\Packets Received Discarded`, "web-1: ens1"
	var column perf.Column
	start := from.Add(50 * time.Minute)
	if err := past.Seek(start); err != nil {
		t.Fatal(err)
	}
	gaps := 0
	for at := start.Truncate(15 * time.Second).Add(15 * time.Second); at.Before(from.Add(70 * time.Minute)); at = at.Add(15 * time.Second) {
		if err := past.Next(context.Background(), 15*time.Second, &column); err != nil {
			t.Fatal(err)
		}
		if column.Time.Sub(at).Abs() > 15*time.Second {
			t.Fatalf("a row is of %s, not of %s", column.Time, at)
		}
		if rate := value(t, past.table, &column, bytes); math.IsNaN(rate) {
			gaps++ // the restart
		} else if math.Abs(rate-1000) > 1e-3 {
			t.Fatalf("at %s the rate is %g", column.Time, rate)
		}
		if rate := value(t, past.table, &column, drops); !math.IsNaN(rate) && math.Abs(rate-5) > 1e-3 {
			t.Fatalf("at %s the drops are %g", column.Time, rate)
		}
	}
	if gaps > 1 {
		t.Errorf("%d rows have no rate: only the restart has none", gaps)
	}
	if v := past.Inventory(); len(v.Nodes) != 2 || v.Nodes[0].Name != "web-1" || v.Nodes[1].Name != up || v.Nodes[1].State != perf.StateUp {
		t.Errorf("the inventory is %+v", v.Nodes)
	}
	series, _ := past.Schema().Find(bytes)
	points, err := past.ReadRange(context.Background(), series, from, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, p := range points {
		if !math.IsNaN(p.Value) {
			if known++; math.Abs(p.Value-1000) > 1e-3 {
				t.Fatalf("the rate at %s is %g", time.Unix(0, p.Time), p.Value)
			}
		}
	}
	if want := int(to.Sub(from) / (15 * time.Second)); known < want-3 || len(points) > want+1 {
		t.Errorf("%d points, %d of them with a rate, want %d", len(points), known, want)
	}
}

// TestPastAsksForBoundedRanges reads a year: Prometheus refuses more than 11,000 points.
func TestPastAsksForBoundedRanges(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	past := a.open(t)
	past.from = past.to.Add(-300 * 24 * time.Hour)
	a.begun = seconds(past.from)
	a.reset = a.now
	series, _ := past.Schema().Find(`\cxdeck Port(web-1: ens1)\Bytes Received/sec`)
	points, err := past.ReadRange(context.Background(), series, past.from, past.to, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := a.largest.Load(); n > maxPoints || len(points) < 5000 {
		t.Errorf("a series of %d points was asked for, %d have come", n, len(points))
	}
	if rate := points[len(points)/2].Value; math.Abs(rate-1000) > 1e-3 {
		t.Errorf("the mean rate is %g", rate)
	}
	if err := past.client.queryRange(context.Background(), "up", past.from, past.to, time.Second, nil); err == nil || !strings.Contains(err.Error(), "more than 10000 points") {
		t.Errorf("a range of too many points: %v", err)
	}
}

// TestPastOfAFailingServer: a server that fails or hangs is reported, a waiting request is cancelled, and the past goes on after it.
func TestPastOfAFailingServer(t *testing.T) {
	t.Parallel()
	a := newArchive(t)
	past := a.open(t)
	from, _ := past.Span()
	m, err := monitor.New(past, monitor.Options{Interval: 15 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetPaused(true); err != nil {
		t.Fatal(err)
	}
	run, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = m.Run(run) }()
	defer func() { stop(); <-ended }()
	a.fail.Store(failWith(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true }))
	if err := m.Seek(run, from.Add(2*time.Hour)); err == nil || !strings.Contains(err.Error(), "502") {
		t.Errorf("a failing server: %v", err)
	}
	hung := make(chan struct{}, 9)
	a.fail.Store(failWith(func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		hung <- struct{}{}
		<-r.Context().Done()
		return true
	}))
	seek, cancel := context.WithCancel(run)
	go func() { <-hung; cancel() }()
	began := time.Now()
	if err := m.Seek(seek, from.Add(5*time.Hour)); !errors.Is(err, context.Canceled) || time.Since(began) > 5*time.Second {
		t.Errorf("a cancelled seek ends with %v after %s", err, time.Since(began))
	}
	a.fail.Store(nil)
	if err := m.Seek(run, from.Add(5*time.Hour)); err != nil || m.Status().Err != nil {
		t.Errorf("after the server is back: %v, %v", err, m.Status().Err)
	}
	if at := m.Status().Now; at.Sub(from.Add(5*time.Hour)).Abs() > 15*time.Second {
		t.Errorf("the past is at %s", at)
	}
	for _, hosts := range [][]string{{"unknown"}, {}, make([]string, 9)} {
		if _, err := openPast(context.Background(), Access{URL: a.URL}, hosts, time.Now); err == nil {
			t.Errorf("the past of %q opens", hosts)
		}
	}
}
