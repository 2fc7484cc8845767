package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// server answers queries: up, timestamp(up), and the series.
type server struct {
	*httptest.Server
	now     time.Time
	scraped float64
	up      string
	series  func(at float64) string
	answer  func(w http.ResponseWriter) bool // in place of the series
	seen    *http.Request
	ahead   time.Duration // of the server's clock
}

func newServer(tb testing.TB, series func(at float64) string) *server {
	tb.Helper()
	s := &server{now: time.Unix(1000, 0), scraped: 995, up: "1", series: series}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.seen = r
		w.Header().Set("Date", s.now.Add(s.ahead).UTC().Format(http.TimeFormat))
		at := 0.0
		fmt.Sscan(r.Form.Get("time"), &at) // the test fails otherwise
		behind := float64(s.now.Unix()) - at
		switch r.Form.Get("query") {
		case "up":
			vector(w, sampleText("up", `"job":"n","instance":"web-1:9100"`, s.up))
		case "timestamp(up)":
			vector(w, sampleText("", `"job":"n","instance":"web-1:9100"`, fmt.Sprint(s.scraped-behind)))
		default:
			if s.answer == nil || !s.answer(w) {
				vector(w, s.series(s.scraped-behind))
			}
		}
	}))
	tb.Cleanup(s.Close)
	return s
}

func vector(w io.Writer, samples string) {
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]},"stats":{"x":[1,null,true]}}`, samples) // the reader fails
}

func sampleText(name, labels, value string) string {
	return fmt.Sprintf(`{"metric":{"__name__":%q,%s},"value":[1,%q]}`, name, labels, value)
}

const web = `"job":"n","instance":"web-1:9100","device":"ens1"`

// twoExporters is a host with counters of node_exporter and of cxdeck; they rise by 1000 bytes and 5 drops a second.
func twoExporters(at float64) string {
	return strings.Join([]string{
		sampleText("node_network_receive_bytes_total", web, fmt.Sprint(1e6+1000*at)),
		sampleText("node_network_receive_drop_total", web, fmt.Sprint(5*at)),
		sampleText("node_network_transmit_drop_total", web, fmt.Sprint(2*at)),
		sampleText("node_network_receive_bytes_total", `"job":"n","instance":"web-1:9100","device":"lo"`, "5"),
		sampleText("node_network_up", web, "1"), sampleText("node_network_speed_bytes", web, "1.25e9"),
		sampleText("node_ethtool_received_prio3_pause_duration", web, fmt.Sprint(2e5*at)),
		sampleText("mellanox_winof_2_port_qos_sent_pause_duration_seconds_total", `"job":"n","instance":"web-1:9100","device":"Ethernet 7","priority":"3"`, fmt.Sprint(0.5*at)),
		sampleText("node_load1", web, "3"),
	}, ",")
}

func (s *server) open(tb testing.TB) *Source {
	tb.Helper()
	source, err := open(context.Background(), Access{URL: s.URL, User: "u", Password: "p"}, func() time.Time { return s.now })
	if err != nil {
		tb.Fatal(err)
	}
	return source
}

// value returns the newest value of a series, NaN for none.
func value(tb testing.TB, source *Source, column *perf.Column, path string) float64 {
	tb.Helper()
	i, ok := source.Schema().Find(path)
	if !ok {
		tb.Fatalf("there is no %s", path)
	}
	series := &source.Schema().Series[i]
	return series.CellValue(series.CellOf(column))
}

func TestRatesOfBothExporters(t *testing.T) {
	t.Parallel()
	s := newServer(t, twoExporters)
	source := s.open(t)
	if user, password, _ := s.seen.BasicAuth(); user != "u" || password != "p" || strings.Contains(s.seen.URL.String(), "p@") {
		t.Error("the password is not sent as basic auth")
	}
	var column perf.Column
	paths := map[string]float64{
		`\cxdeck Port(web-1: ens1)\Bytes Received/sec`:                                 1000,
		`\Network Interface(web-1: ens1)\Packets Received Discarded`:                   5,
		`\cxdeck Port(web-1: ens1)\Packets Discarded/sec`:                              7,
		`\Mellanox WinOF-2 Port QoS(web-1: ens1 Priority 3)\Sent Pause Duration`:       2e5,
		`\Mellanox WinOF-2 Port QoS(web-1: Ethernet 7 Priority 3)\Sent Pause Duration`: 5e5,
	}
	check := func(when string, known bool) {
		t.Helper()
		if err := source.Next(context.Background(), time.Second, &column); err != nil {
			t.Fatal(when, err)
		}
		for path, want := range paths {
			if got := value(t, source, &column, path); known && math.Abs(got-want) > 1e-6 || !known && !math.IsNaN(got) {
				t.Errorf("%s: %s is %g, want %g", when, path, got, want)
			}
		}
	}
	check("at the start, from the minute before", true)
	s.now = s.now.Add(5 * time.Second)
	check("without a new scrape", true)
	s.now, s.scraped = s.now.Add(15*time.Second), s.scraped+15
	check("after a scrape", true)
	s.series = func(at float64) string { return twoExporters(at - 1e6) }
	s.now, s.scraped = s.now.Add(15*time.Second), s.scraped+15
	s.series = func(at float64) string { return twoExporters(at - 900) }
	check("after a restart of the host", false)
	v := source.Inventory()
	if len(v.Nodes) != 2 || v.Nodes[0].Kind != perf.HostNode || v.Nodes[0].Name != "web-1" || v.Nodes[1].Name != "web-1: ens1" ||
		v.Nodes[1].State != perf.StateUp || v.Nodes[1].Speed != 1e10 || len(v.Receive) != 1 {
		t.Errorf("the inventory is %+v", v.Nodes)
	}
	s.up, s.series = "0", func(float64) string { return "" }
	check("not scraped", false)
	if n := source.Inventory().Nodes[0]; n.State != perf.StateFailed || n.StateText != "not scraped" {
		t.Errorf("a host that is not scraped is %+v", n)
	}
}

func TestHostileServers(t *testing.T) {
	t.Parallel()
	send := func(text string) func(http.ResponseWriter) bool {
		return func(w http.ResponseWriter) bool { io.WriteString(w, text); return true } // the reader fails
	}
	status := func(code int) func(http.ResponseWriter) bool {
		return func(w http.ResponseWriter) bool {
			w.Header().Set("Location", "http://other.invalid/")
			w.WriteHeader(code)
			return true
		}
	}
	deep := strings.Repeat("[", 100_000)
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter) bool
		want   string
	}{
		"html":        {send("<html>"), "not one of the Prometheus API"},
		"empty":       {send(""), "not one of the Prometheus API"},
		"cut":         {send(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{`), "not one of the Prometheus API"},
		"matrix":      {send(`{"status":"success","data":{"resultType":"matrix","result":[]}}`), "not one of the Prometheus API"},
		"no status":   {send(`{"data":{"resultType":"vector","result":[]}}`), "not one of the Prometheus API"},
		"number":      {send(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,2]}]}}`), "not one of the Prometheus API"},
		"deep":        {send(`{"status":"success","x":` + deep), "not one of the Prometheus API"},
		"many labels": {send(`{"status":"success","data":{"result":[{"metric":{` + strings.TrimSuffix(strings.Repeat(`"a":"b",`, 100), ",") + `}}]}}`), "not one of the Prometheus API"},
		"trailing":    {send(`{"status":"success","data":{"resultType":"vector","result":[]}}x`), "not one of the Prometheus API"},
		"refused":     {send(`{"status":"error","error":"too\u001b[31m much"}`), "refuses the query: too?[31m much"},
		"redirect":    {status(302), "redirects to another address"},
		"password":    {status(401), "[prometheus]"},
		"nothing":     {status(404), "no Prometheus API"},
		"broken":      {status(500), "has a fault (status 500)"},
	} {
		s := newServer(t, twoExporters)
		source := s.open(t)
		s.refuses(t, source, name, c.answer, c.want)
		_, err := open(context.Background(), Access{URL: s.URL}, time.Now)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s at the start: %v", name, err)
		}
		s.answer = nil
		if err := source.Next(context.Background(), time.Second, new(perf.Column)); err != nil {
			t.Errorf("%s: it does not recover: %v", name, err)
		}
	}
	for _, address := range []string{"", "localhost:9090", "ftp://x", "http://u:secret@x", "http://x?a=1", "http://"} {
		var wrong *AddressError
		if _, err := Open(context.Background(), Access{URL: address}); !errors.As(err, &wrong) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if _, err := Open(context.Background(), Access{URL: gone.URL}); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("a server that is gone: %v", err)
	}
}

func TestHostileNamesAreCleaned(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(at float64) string {
		return sampleText("cxdeck_port_received_bytes_total", `"job":"n","instance":"web-1:9100","host":"a\u001b[2J\u202eb","device":"x\n\\\"y","priority":"`+strings.Repeat("9", 5000)+`"`, fmt.Sprint(at))
	})
	source := s.open(t)
	for _, item := range source.Schema().Series {
		if strings.ContainsAny(item.Path(), "\x1b\n\u202e") || len(item.Path()) > 400 {
			t.Errorf("the path is %q", item.Path())
		}
	}
}

// TestOldDataIsMarked runs a monitor over a server that fails for a while.
func TestOldDataIsMarked(t *testing.T) {
	t.Parallel()
	s := newServer(t, twoExporters)
	source, err := open(context.Background(), Access{URL: s.URL}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	live, await := watch(t, source)
	await("no samples", func(s monitor.Status) bool { return s.Samples >= 2 && s.Stale == nil })
	s.CloseClientConnections()
	s.Listener.Close() // it is gone
	await("not marked", func(s monitor.Status) bool { return s.Stale != nil })
	if status := live.Status(); status.Err != nil || live.Window() == nil {
		t.Errorf("the source has stopped: %v", status.Err)
	}
	if events := live.Events(0, 100); len(events) == 0 || !strings.Contains(events[len(events)-1].Message, "gives no new samples: ") {
		t.Errorf("the events are %v", events)
	}
}

// thousand is the answer of 1,000 hosts with 100 series each.
func thousand(at float64) string {
	var b strings.Builder
	table := []string{}
	for name, m := range meanings() {
		if strings.HasPrefix(name, "mellanox_winof_2_") && m.part == "" && m.set != "Mellanox WinOF-2 Port QoS" && len(table) < 47 {
			table = append(table, name)
		}
	}
	table = append(table, "cxdeck_port_received_bytes_total", "cxdeck_port_sent_bytes_total", "cxdeck_port_up")
	for host := range 1000 {
		for port := range 2 {
			for _, name := range table {
				if b.Len() > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, `{"metric":{"__name__":"%s","device":"Ethernet %d","host":"node-%04d","instance":"10.0.%d.%d:9756","job":"cxdeck"},"value":[%g,"%g"]}`,
					name, port, host, host/250, host%250, at, at*float64(host+1))
			}
		}
	}
	return b.String()
}

// BenchmarkAnswer takes over the answer of 1,000 hosts with 100 series each: at most 1 s, and 200 MB of memory.
func BenchmarkAnswer(b *testing.B) {
	text := thousand(100)
	s := newServer(b, func(float64) string { return text })
	source := s.open(b)
	var column perf.Column
	for b.Loop() {
		if err := source.Next(context.Background(), time.Second, &column); err != nil {
			b.Fatal(err)
		}
	}
	text = ""
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapAlloc)/1e6, "heap-MB")
	b.ReportMetric(float64(len(source.Schema().Series)), "series")
}

func FuzzScanVector(f *testing.F) {
	f.Add([]byte(`{"status":"success","data":{"resultType":"vector","result":[` + twoExporters(1) + `]}}`))
	f.Add([]byte(`{"status":"error","error":"x\u0000"}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		_ = scanVector(text, func(labels []label, _ float64) { find(labels, "device") })
	})
}

// watch runs a monitor on a source. await waits until its status is as a test wants, and fails with what is wrong otherwise.
func watch(t *testing.T, source *Source) (live *monitor.Monitor, await func(what string, holds func(monitor.Status) bool)) {
	t.Helper()
	live, err := monitor.New(source, monitor.Options{Interval: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = live.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return live, func(what string, holds func(monitor.Status) bool) {
		t.Helper()
		for begun := time.Now(); !holds(live.Status()); <-live.Updates() {
			if time.Since(begun) > 20*time.Second {
				t.Fatal(what)
			}
		}
	}
}

// refuses reads a sample, and then an answer in place of the series: it is reported in one sentence.
func (s *server) refuses(t *testing.T, source *Source, name string, answer func(http.ResponseWriter) bool, want string) {
	t.Helper()
	var column perf.Column
	if err := source.Next(context.Background(), time.Second, &column); err != nil {
		t.Fatal(err)
	}
	s.answer = answer
	var unavailable *perf.UnavailableError
	err := source.Next(context.Background(), time.Second, &column)
	if !errors.As(err, &unavailable) || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}
