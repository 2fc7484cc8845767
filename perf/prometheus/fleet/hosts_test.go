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
)

// aggregate answers as Thanos does for several Prometheus: each scrapes a localhost:9100, whose bytes rise by its own rate, and the
// targets have the labels of their Prometheus.
func aggregate(t *testing.T, targets map[string]float64) (access Access, clock func() time.Time) {
	t.Helper()
	now := time.Unix(10_000, 0)
	mux := http.NewServeMux()
	at := func(r *http.Request, name string) float64 {
		_ = r.ParseForm()
		value := 0.0
		fmt.Sscan(r.Form.Get(name), &value) // the test fails otherwise
		return value
	}
	chosen := func(query, labels string) bool { // by a matcher of the cluster, if the query has any
		return !strings.Contains(query, "cluster=") || strings.Contains(query, strings.Replace(strings.Split(labels, ",")[0], `"cluster":`, "cluster=", 1))
	}
	answer := func(w io.Writer, kind, query string, points func(value func(at float64) float64) string) {
		var list []string
		for labels, rate := range targets {
			if !chosen(query, labels) {
				continue
			}
			labels += `,"job":"node","instance":"localhost:9100"`
			switch {
			case strings.HasPrefix(query, "count("):
				list = []string{fmt.Sprintf(`{"metric":{},%s}`, points(func(float64) float64 { return 1 }))}
			case strings.HasPrefix(query, "timestamp("):
				list = append(list, fmt.Sprintf(`{"metric":{%s},%s}`, labels, points(func(at float64) float64 { return at })))
			case strings.HasPrefix(query, "up"):
				list = append(list, fmt.Sprintf(`{"metric":{"__name__":"up",%s},%s}`, labels, points(func(float64) float64 { return 1 })))
			default:
				list = append(list, fmt.Sprintf(`{"metric":{"__name__":"node_network_receive_bytes_total","device":"ens1",%s},%s}`, labels, points(func(at float64) float64 { return rate * at })))
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":%q,"result":[%s]}}`, kind, strings.Join(list, ","))
	}
	mux.HandleFunc("/api/v1/query", func(w http.ResponseWriter, r *http.Request) {
		time := at(r, "time")
		answer(w, "vector", r.Form.Get("query"), func(value func(float64) float64) string {
			return fmt.Sprintf(`"value":[%g,"%g"]`, time, value(time))
		})
	})
	mux.HandleFunc("/api/v1/query_range", func(w http.ResponseWriter, r *http.Request) {
		from, to, step := at(r, "start"), at(r, "end"), at(r, "step")
		answer(w, "matrix", r.Form.Get("query"), func(value func(float64) float64) string {
			var list []string
			for at := max(from, 9000); at <= to; at += step {
				list = append(list, fmt.Sprintf(`[%g,"%g"]`, at, value(at)))
			}
			return `"values":[` + strings.Join(list, ",") + `]`
		})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return Access{URL: server.URL}, func() time.Time { return now }
}

// TestHostsOfTwoClusters: hosts with the same address in two clusters are two hosts, in the present and in the past.
func TestHostsOfTwoClusters(t *testing.T) {
	t.Parallel()
	access, clock := aggregate(t, map[string]float64{`"cluster":"east"`: 1000, `"cluster":"west"`: 3000})
	source, err := open(context.Background(), access, clock)
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	if err := source.Next(context.Background(), time.Second, &column); err != nil {
		t.Fatal(err)
	}
	for cluster, want := range map[string]float64{"east": 1000, "west": 3000} {
		path := `\cxdeck Port(localhost (` + cluster + `): ens1)\Bytes Received/sec`
		if got := value(t, source, &column, path); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s is %g, want %g", path, got, want)
		}
	}
	past, err := openPast(context.Background(), access, []string{"localhost (west)"}, clock)
	if err != nil {
		t.Fatal(err)
	}
	if err := past.Next(context.Background(), time.Second, &column); err != nil {
		t.Fatal(err)
	}
	if names := past.Inventory().Nodes; len(names) != 2 || names[0].Name != "localhost (west)" {
		t.Fatalf("the past has %+v", names)
	}
	series, _ := past.Schema().Find(`\cxdeck Port(localhost (west): ens1)\Bytes Received/sec`)
	if got := past.Schema().Series[series].CellValue(past.Schema().Series[series].CellOf(&column)); math.Abs(got-3000) > 1e-6 {
		t.Errorf("the past rate is %g, want 3000", got)
	}
}

// TestReplicasAreOneHost: a target that two equal Prometheus scrape is one host, without the name of a replica.
func TestReplicasAreOneHost(t *testing.T) {
	t.Parallel()
	access, clock := aggregate(t, map[string]float64{`"prometheus_replica":"a"`: 1000, `"prometheus_replica":"b"`: 1000})
	source, err := open(context.Background(), access, clock)
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	if err := source.Next(context.Background(), time.Second, &column); err != nil {
		t.Fatal(err)
	}
	if nodes := source.Inventory().Nodes; len(nodes) != 2 || nodes[0].Name != "localhost" {
		t.Fatalf("the hosts are %+v", nodes)
	}
	if got := value(t, source, &column, `\cxdeck Port(localhost: ens1)\Bytes Received/sec`); math.Abs(got-1000) > 1e-6 {
		t.Errorf("the rate is %g, want 1000", got)
	}
}
