package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"golang.org/x/crypto/bcrypt"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
)

// fake is a source at one sample.
type fake struct {
	schema    *perf.Schema
	inventory *perf.Inventory
	window    *window.Recent
	status    monitor.Status
	report    *findings.Report
}

func (f *fake) Schema() *perf.Schema       { return f.schema }
func (f *fake) Inventory() *perf.Inventory { return f.inventory }
func (f *fake) Status() monitor.Status     { return f.status }
func (f *fake) Health() *findings.Report   { return f.report }
func (f *fake) Window() *window.Recent     { return f.window }

func newFake(tb testing.TB, series []perf.Series) *fake {
	tb.Helper()
	for i := range series {
		series[i].Cell = i
	}
	schema, err := perf.NewSchema(1, len(series), series)
	if err != nil {
		tb.Fatal(err)
	}
	f := &fake{schema: schema, inventory: &perf.Inventory{Host: "LAB"}, window: window.New(time.Second)}
	f.status = monitor.Status{Info: perf.SourceInfo{Kind: perf.LabSource, Name: "LAB", Host: "LAB", Seed: 1}, Samples: 1, Interval: time.Second}
	column := perf.Column{Time: time.Unix(1, 0), Cells: make([]int64, len(series))}
	for i := range column.Cells {
		column.Cells[i] = int64(i) * 1e6
	}
	f.window.Push(schema, &column)
	return f
}

// labLive returns the default lab after two samples and a round of rules.
func labLive(tb testing.TB) *monitor.Monitor {
	tb.Helper()
	plant, err := device.New(description.Default(), 1)
	if err != nil {
		tb.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(plant))
	if err != nil {
		tb.Fatal(err)
	}
	live, err := monitor.New(source, monitor.Options{Interval: 100 * time.Millisecond, Speed: 100})
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = live.Run(ctx) }()
	tb.Cleanup(func() { stop(); <-ended })
	for live.Status().Samples < 2 || live.Health() == nil {
		<-live.Updates()
	}
	return live
}

func start(tb testing.TB, options Options, live Live) (url string, stop func() error) {
	tb.Helper()
	options.Listen, options.Version, options.Log = "127.0.0.1:0", "test", slog.New(slog.DiscardHandler)
	if options.Selection.Max == 0 {
		options.Selection.Max = DefaultMaxSeries
	}
	server, err := Listen(tb.Context(), options)
	if err != nil {
		tb.Fatal(err)
	}
	server.Bind(live)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	stop = func() error { cancel(); return <-ended }
	tb.Cleanup(cancel)
	return strings.TrimSuffix(server.URL(), "/metrics"), stop
}

func get(tb testing.TB, client *http.Client, url string, change func(*http.Request)) (status int, body string) {
	tb.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if change != nil {
		change(request)
	}
	answer, err := client.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer answer.Body.Close() // it was read
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func parse(tb testing.TB, text string) map[string]*dto.MetricFamily {
	tb.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	return families
}

func TestScrapeOfTheLab(t *testing.T) {
	t.Parallel()
	url, stop := start(t, Options{}, labLive(t))
	status, text := get(t, http.DefaultClient, url+"/metrics", nil)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	families := parse(t, text)
	for name, family := range families {
		if len(family.Metric) == 0 || family.GetHelp() == "" || strings.HasSuffix(name, "_total") != (family.GetType() == dto.MetricType_COUNTER) {
			t.Errorf("%s: %d series, %s, help %q", name, len(family.Metric), family.GetType(), family.GetHelp())
		}
		for _, m := range family.Metric {
			if m.TimestampMs != nil {
				t.Errorf("%s has timestamps", name)
			}
		}
	}
	for _, name := range []string{metricBuild, metricSource, metricUp, metricPort, metricLine, metricFindings, metricSeries,
		"cxdeck_port_received_bytes_total", "mellanox_winof_2_port_qos_received_packets_total"} {
		if families[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range []string{"cxdeck_port_received_bytes_per_second", "mellanox_winof_2_rss_counters_rss_misc_packets_total"} {
		if families[name] != nil {
			t.Errorf("%s is served by default", name)
		}
	}
	if strings.Contains(text, `"_Total"`) || strings.Contains(text, `device="Team `) {
		t.Error("totals or teams are served, whose frames ports count, too")
	}
	_, chosen := get(t, http.DefaultClient, url+`/metrics?match=%5Ccxdeck%20Port(*)%5CBytes*`, nil)
	if families := parse(t, chosen); families["cxdeck_port_received_bytes_total"] == nil || families["mellanox_winof_2_port_qos_received_packets_total"] != nil {
		t.Error("match chooses no counters")
	}
	if status, body := get(t, http.DefaultClient, url+"/healthz", nil); status != http.StatusOK || body != "ok\n" {
		t.Errorf("healthz: %d %s", status, body)
	}
	for path, want := range map[string]int{"/": 200, "/x": 404, "/metrics?match=%5C": 400, "/metrics?x=1": 400} {
		if status, body := get(t, http.DefaultClient, url+path, nil); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, _ := get(t, http.DefaultClient, url+"/metrics", func(r *http.Request) { r.Method = http.MethodPost }); status != http.StatusMethodNotAllowed {
		t.Errorf("POST is answered with %d", status)
	}
	_, packed := get(t, &http.Client{Transport: &http.Transport{DisableCompression: true}}, url+"/metrics", func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })
	unpacked, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := io.ReadAll(unpacked); err != nil || len(parse(t, string(whole))) != len(families) {
		t.Errorf("a compressed scrape: %v", err)
	}
	promtool(t, text)
	if err := stop(); err != nil {
		t.Errorf("the end: %v", err)
	}
}

// promtool has the real program check a scrape.
func promtool(t *testing.T, text string) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Log("promtool is missing; install the package prometheus")
		return
	}
	check := exec.Command(path, "check", "metrics") // it ends soon
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

func TestHostileNamesAreEscaped(t *testing.T) {
	t.Parallel()
	names := []string{"a\"b\\c\nd", "\x1b[31m", "é \u202e", "}{,=\"", "\xff\xfe", strings.Repeat("x", 5000), `\\n`}
	var series []perf.Series
	for _, name := range names {
		series = append(series, perf.Series{Set: "Network Interface", Instance: name, Counter: "Packets Received Errors", Kind: perf.Cumulative, Unit: perf.Packets},
			perf.Series{Set: name, Instance: "x", Counter: name + "y", Kind: perf.Gauge})
	}
	live := newFake(t, series)
	live.inventory.Nodes = []perf.Node{{Parent: -1, Kind: perf.PortNode, Name: names[0], State: perf.StateUp, Speed: 8}}
	live.status.Info.Host, live.status.Info.Name = names[0], names[1]
	url, _ := start(t, Options{}, live)
	_, text := get(t, http.DefaultClient, url+"/metrics", nil)
	families := parse(t, text)
	if got := len(families["network_interface_received_errors_packets_total"].GetMetric()); got != len(names) {
		t.Errorf("%d of %d devices are served", got, len(names))
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == '\u202e' }) {
		t.Error("a control character is served")
	}
	promtool(t, text)
}

func TestLimitAndEnd(t *testing.T) {
	t.Parallel()
	var series []perf.Series
	for i := range 10 {
		series = append(series, perf.Series{Set: "Set", Instance: fmt.Sprint(i), Counter: "level", Kind: perf.Gauge})
	}
	live := newFake(t, series)
	url, _ := start(t, Options{Selection: Selection{Max: 4}}, live)
	_, text := get(t, http.DefaultClient, url+"/metrics", nil)
	if families := parse(t, text); len(families["set_level"].GetMetric()) != 4 || families[metricLeft].Metric[0].GetGauge().GetValue() != 6 {
		t.Errorf("with a limit of 4 the scrape is\n%s", text)
	}
	live.status.Err = fmt.Errorf("reading LAB: \x1bgone")
	if status, body := get(t, http.DefaultClient, url+"/healthz", nil); status != 503 || body != "reading LAB: ?gone\n" {
		t.Errorf("healthz of a failed source: %d %q", status, body)
	}
	if _, text := get(t, http.DefaultClient, url+"/metrics", nil); parse(t, text)[metricUp].Metric[0].GetGauge().GetValue() != 0 {
		t.Error("a failed source is up")
	}
}

// writeCertificate writes a self-signed certificate with its key.
func writeCertificate(t *testing.T, directory string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"scraper"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	write(t, filepath.Join(directory, "cert.pem"), string(cert))
	write(t, filepath.Join(directory, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	return pool
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTLSAndPasswords(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	pool := writeCertificate(t, directory)
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, "web.yml")
	write(t, path, "tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n  min_version: TLS13\nbasic_auth_users:\n  prom: "+string(hash)+
		"\nhttp_server_config:\n  headers:\n    X-Frame-Options: deny\n")
	url, stop := start(t, Options{WebConfig: path}, newFake(t, []perf.Series{{Set: "Set", Counter: "level", Kind: perf.Gauge}}))
	if !strings.HasPrefix(url, "https://") {
		t.Fatal(url)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
	for who, want := range map[string]int{"prom:secret": 200, "prom:wrong": 401, "other:secret": 401, "": 401} {
		for range 2 {
			status, body := get(t, client, url+"/metrics", func(r *http.Request) {
				if user, password, given := strings.Cut(who, ":"); given {
					r.SetBasicAuth(user, password)
				}
			})
			if status != want || want == 401 && strings.Contains(body, "set_level") {
				t.Errorf("%q is answered with %d", who, status)
			}
		}
	}
	if status, _ := get(t, http.DefaultClient, strings.Replace(url, "https", "http", 1), nil); status != http.StatusBadRequest {
		t.Errorf("without TLS the answer is %d", status)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestMistakesOfTheConfiguration(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	writeCertificate(t, directory)
	write(t, filepath.Join(directory, "empty.pem"), "")
	keys := "tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n"
	for text, want := range map[string]string{
		"a: b":                             "line 1: field a not found in a web configuration",
		"basic_auth_users: [1":             "line 1: did not find expected ',' or ']'",
		"basic_auth_users:\n  x: hunter2":  `the password of "x" must be a bcrypt hash`,
		"basic_auth_users: hunter2":        "line 1: cannot unmarshal !!str a value of another type",
		"tls_server_config:\n  cert: x":    "key_file is required",
		"tls_server_config: {key_file: k}": "cert_file is required",
		"tls_server_config:\n  cert_file: none.pem\n  key_file: key.pem":  "none.pem can't be read",
		"tls_server_config:\n  cert_file: empty.pem\n  key_file: key.pem": "the certificate can't be used",
		keys + "  min_version: TLS9":                                      "min_version must be TLS10",
		keys + "  cipher_suites: [x]":                                     `unknown cipher suite "x"`,
		keys + "  curve_preferences: [x]":                                 `unknown curve "x"`,
		keys + "  client_auth_type: x":                                    `unknown client_auth_type "x"`,
		keys + "  client_auth_type: RequireAndVerifyClientCert":           "client_ca_file is required",
		keys + "  client_ca_file: cert.pem":                               "requires a client_auth_type",
		"http_server_config: {headers: {X-Y: a}}":                         `the header "X-Y" can't be set`,
		"rate_limit: {burst: 1}":                                          "field rate_limit not found",
	} {
		path := filepath.Join(directory, "web.yml")
		write(t, path, text)
		_, err := Listen(t.Context(), Options{Listen: "127.0.0.1:0", WebConfig: path})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	taken, err := Listen(t.Context(), Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() // nothing was served
	for address, want := range map[string]string{
		taken.listener.Addr().String(): "is in use", "127.0.0.1": "--listen must be", "127.0.0.1:99999": "invalid port", "host.invalid:1": "can't listen on",
	} {
		if _, err := Listen(t.Context(), Options{Listen: address}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
	if _, err := Listen(t.Context(), Options{Listen: "127.0.0.1:0", WebConfig: filepath.Join(directory, "none.yml")}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func tenThousand() (series []perf.Series) {
	catalogue, _ := perf.Catalogue().Set("Mellanox WinOF-2 Port QoS")
	for port := 0; len(series) < 10_000; port++ {
		for _, counter := range catalogue.Counters {
			series = append(series, perf.Series{Set: catalogue.Name, Instance: fmt.Sprintf("Ethernet %d Priority %d", port/8, port%8), Counter: counter.Name, Unit: counter.Unit, Kind: counter.Kind})
		}
	}
	return series[:10_000]
}

// BenchmarkScrape scrapes 10,000 series over HTTP: at most 50 ms.
func BenchmarkScrape(b *testing.B) {
	for _, encoding := range []string{"identity", "gzip"} {
		b.Run(encoding, func(b *testing.B) {
			url, _ := start(b, Options{}, newFake(b, tenThousand()))
			client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
			size := 0
			for b.Loop() {
				status, text := get(b, client, url+"/metrics", func(r *http.Request) { r.Header.Set("Accept-Encoding", encoding) })
				if size = len(text); status != http.StatusOK {
					b.Fatal(status)
				}
			}
			b.ReportMetric(float64(size), "bytes/scrape")
		})
	}
}
