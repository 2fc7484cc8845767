package fleet

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// TestRefusalsAreOneSentence: each kind of refusal has a sentence of its own, and the source recovers from it.
func TestRefusalsAreOneSentence(t *testing.T) {
	t.Parallel()
	status := func(code int, header, body string) func(http.ResponseWriter) bool {
		return func(w http.ResponseWriter) bool {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(code)
			io.WriteString(w, body) // the reader fails
			return true
		}
	}
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter) bool
		want   string
	}{
		"forbidden":   {status(403, "", ""), "refuses the user"},
		"no tenant":   {status(401, "", "no org id\n"), "requires a tenant"}, // of Mimir
		"too often":   {status(429, "Retry-After: 30", "rate limit"), "too many requests (status 429), and asks to wait 30 s"},
		"too often 2": {status(429, "Retry-After: soon", ""), "too many requests (status 429): choose a longer --interval"},
		"too long":    {status(413, "", ""), "too long for it (status 413)"},
		"gateway":     {status(502, "Content-Type: text/html", "<html>bad \x1b[31m gateway</html>"), "has a fault (status 502)"},
		"unavailable": {status(503, "", `{"status":"error","errorType":"unavailable","error":"server is\nstarting"}`), "has a fault (status 503): server is?starting"},
		"unprocessed": {status(422, "", `{"status":"error","errorType":"execution","error":"query processing would load too many samples"}`), "refuses the query (status 422): query processing would load too many samples"},
		"teapot":      {status(418, "", strings.Repeat("x", 1<<20)), "refuses the query (status 418)"},
		"loop":        {status(301, "Location: /api/v1/query", ""), "redirects to another address"},
		"larger":      {func(w http.ResponseWriter) bool { w.Write(make([]byte, 3<<20)); return true }, "larger than 2 MB: choose fewer hosts"}, // the reader ends it
		"cut": {func(w http.ResponseWriter) bool {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"status"`)
			return true
		}, "ended the connection before the end of its answer"},
		"other result": {func(w http.ResponseWriter) bool {
			io.WriteString(w, `{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}`)
			return true
		}, "not one of the Prometheus API"},
	} {
		s := newServer(t, twoExporters)
		source := s.open(t)
		source.client.limit = 2 << 20
		s.refuses(t, source, name, c.answer, c.want)
		s.answer = nil
		if err := source.Next(context.Background(), time.Second, new(perf.Column)); err != nil {
			t.Errorf("%s: it does not recover: %v", name, err)
		}
	}
}

// TestNumbersThatNoCounterHas: NaN, infinity and numbers above any counter give no value, and no other state of a port.
func TestNumbersThatNoCounterHas(t *testing.T) {
	t.Parallel()
	bad := "5"
	s := newServer(t, func(at float64) string {
		value := func(good float64) string {
			if bad != "" {
				return bad
			}
			return fmt.Sprint(good)
		}
		return strings.Join([]string{sampleText("node_network_receive_bytes_total", web, value(1000*at)), sampleText("node_network_up", web, value(1)),
			sampleText("node_network_speed_bytes", web, value(1.25e9))}, ",")
	})
	bad = ""
	source := s.open(t)
	var column perf.Column
	next := func() float64 {
		t.Helper()
		s.now, s.scraped = s.now.Add(15*time.Second), s.scraped+15
		if err := source.Next(context.Background(), time.Second, &column); err != nil {
			t.Fatal(err)
		}
		return value(t, source, &column, `\cxdeck Port(web-1: ens1)\Bytes Received/sec`)
	}
	next()
	for _, bad = range []string{"NaN", "+Inf", "-Inf", "1e300", "-5"} {
		schema := source.Schema()
		if rate := next(); !math.IsNaN(rate) {
			t.Errorf("after %s the rate is %g", bad, rate)
		}
		next()
		if bad != "1e300" && source.Schema() != schema {
			t.Errorf("%s gives a new schema with each answer", bad)
		}
		bad = ""
		if next(); math.Abs(next()-1000) > 1e-6 {
			t.Errorf("the rate does not come back after a bad number")
		}
		if n := source.Inventory().Nodes[1]; n.State != perf.StateUp || n.Speed != 1e10 {
			t.Errorf("the port is %+v", n)
		}
	}
}

// TestClockOfTheServer: a server whose clock differs is asked for the times of its own, and the operator is told.
func TestClockOfTheServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ahead time.Duration
		want  string
	}{{time.Hour, "1h0m0s ahead of"}, {-90 * time.Second, "1m30s behind"}, {2 * time.Second, ""}} {
		s := newServer(t, twoExporters)
		s.ahead = c.ahead
		asked := time.Duration(0)
		series := s.series
		s.series = func(at float64) string {
			asked = time.Duration((at - s.scraped) * float64(time.Second))
			return series(at)
		}
		source := s.open(t)
		notes := strings.Join(source.Notes(), "\n")
		if c.want != "" != strings.Contains(notes, "the clock of Prometheus is "+c.want) || c.want == "" && notes != "" {
			t.Errorf("%s ahead: the notes are %q", c.ahead, notes)
		}
		want := c.ahead
		if want.Abs() < maxSkew {
			want = 0
		}
		if asked.Round(time.Second) != want {
			t.Errorf("%s ahead: it is asked for %s from now", c.ahead, asked)
		}
	}
}

// TestOtherServers reads recorded answers of Thanos, Mimir and VictoriaMetrics below their prefixes; warnings and partial answers are told.
func TestOtherServers(t *testing.T) {
	t.Parallel()
	const metric = `{"metric":{"__name__":"node_network_receive_bytes_total","device":"ens1","instance":"web-1:9100","job":"n"},"value":[1700000000.123,"5"]}`
	const up = `{"metric":{"__name__":"up","instance":"web-1:9100","job":"n"},"value":[1700000000.123,"1"]}`
	for name, c := range map[string]struct {
		prefix, form, want string
	}{
		"Thanos": {"", `{"status":"success","data":{"resultType":"vector","result":[%s],"analysis":{}},"warnings":["receive series from Addr: store-1:10901 LabelSets: {} MinTime: 0: rpc error: code = \u001b[0m Unavailable","second"]}`,
			"warns: receive series from Addr: store-1:10901 LabelSets: {} MinTime: 0: rpc error: code = ?[0m Unavailable"},
		"Mimir":           {"/prometheus", `{"status":"success","data":{"resultType":"vector","result":[%s]},"infos":["PromQL info: metric might not be a counter"]}`, ""},
		"VictoriaMetrics": {"/select/0/prometheus", `{"status":"success","isPartial":true,"data":{"resultType":"vector","result":[%s]},"stats":{"seriesFetched":"1","executionTimeMsec":2}}`, "warns: the answer is partial"},
		"whole":           {"/select/0/prometheus", `{"status":"success","isPartial":false,"data":{"resultType":"vector","result":[%s]},"stats":{"seriesFetched":"1"}}`, ""},
		"no warnings":     {"", `{"status":"success","data":{"resultType":"vector","result":[%s]},"warnings":null}`, ""},
	} {
		form := c.form
		mux := http.NewServeMux()
		mux.HandleFunc(c.prefix+"/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			sample := metric
			if strings.Contains(r.Form.Get("query"), "up") && !strings.HasPrefix(r.Form.Get("query"), "{") {
				sample = up
			}
			fmt.Fprintf(w, form, sample) // the reader fails
		})
		server := httptest.NewServer(mux)
		t.Cleanup(server.Close)
		source, err := open(context.Background(), Access{URL: server.URL + c.prefix + "/"}, time.Now)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if notes := strings.Join(source.Notes(), "\n"); c.want == "" != (notes == "") || !strings.Contains(notes, c.want) || strings.Contains(notes, "\x1b") {
			t.Errorf("%s: the notes are %q, want %q", name, notes, c.want)
		}
		form = `{"status":"success","data":{"resultType":"vector","result":[%s]},"warnings":["gone"]}`
		var column perf.Column
		for range 3 {
			if err := source.Next(context.Background(), time.Second, &column); err != nil {
				t.Fatal(err)
			}
		}
		if events := source.Events(); len(events) != 1 || !strings.Contains(events[0].Message, "warns: gone") || len(source.Events()) > 0 {
			t.Errorf("%s: the events are %v", name, events)
		}
		if c.prefix != "" {
			if _, err := open(context.Background(), Access{URL: server.URL}, time.Now); err == nil || !strings.Contains(err.Error(), "Mimir has it below /prometheus") {
				t.Errorf("%s without its prefix: %v", name, err)
			}
		}
	}
}

// TestServerIsGoneAndBack marks old data while the server fails, and no longer when it is back.
func TestServerIsGoneAndBack(t *testing.T) {
	t.Parallel()
	s := newServer(t, twoExporters)
	fails := make(chan bool, 1)
	fails <- false
	s.answer = func(w http.ResponseWriter) bool {
		gone := <-fails
		fails <- gone
		if gone {
			w.WriteHeader(http.StatusBadGateway)
		}
		return gone
	}
	set := func(gone bool) { <-fails; fails <- gone }
	source, err := open(context.Background(), Access{URL: s.URL}, func() time.Time { return s.now })
	if err != nil {
		t.Fatal(err)
	}
	live, await := watch(t, source)
	await("no samples", func(s monitor.Status) bool { return s.Samples >= 2 && s.Stale == nil })
	set(true)
	await("not marked as old", func(s monitor.Status) bool { return s.Stale != nil && strings.Contains(s.Stale.Error(), "502") })
	set(false)
	await("still marked as old", func(s monitor.Status) bool { return s.Stale == nil })
	events := live.Events(0, 100)
	if len(events) < 2 || !strings.HasSuffix(events[len(events)-1].Message, "answers again") {
		t.Errorf("the events are %v", events)
	}
}
