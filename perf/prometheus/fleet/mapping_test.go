package fleet

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// TestNamesOfTheEthtoolCollector compares the names with the rule of node_exporter: two regular expressions of its collector/ethtool_linux.go.
func TestNamesOfTheEthtoolCollector(t *testing.T) {
	t.Parallel()
	invalid, received, transmitted := regexp.MustCompile("[^a-zA-Z0-9_]"), regexp.MustCompile("(^|_)rx(_|$)"), regexp.MustCompile("(^|_)tx(_|$)")
	for _, statistic := range perf.Statistics().Statistics {
		name := strings.NewReplacer("[#]", "", "#", "3").Replace(statistic.Name)
		want := strings.TrimLeft(strings.ToLower(invalid.ReplaceAllString(name, "_")), "_")
		want = "node_ethtool_" + transmitted.ReplaceAllString(received.ReplaceAllString(want, "${1}received${2}"), "${1}transmitted${2}")
		if got := ethtoolName(name); got != want {
			t.Errorf("%s is %s, node_exporter calls it %s", name, got, want)
		}
	}
	for _, name := range []string{"node_ethtool_received_discards_phy", "node_ethtool_received_prio3_pause_duration", "node_ethtool_transmitted_prio7_bytes",
		"node_ethtool_received_global_pause_duration", "node_ethtool_received_crc_errors_phy", "node_ethtool_received_out_of_buffer", "node_ethtool_outbound_pci_buffer_overflow"} {
		if meanings()[name] == nil {
			t.Errorf("%s has no meaning", name)
		}
	}
	if m := meanings()["node_ethtool_received_crc_errors_phy"]; m.counter != "Packets Received Errors" || m.also == nil || m.also.counter != "Packets Received Bad CRC Error" {
		t.Errorf("damaged frames are %+v", m)
	}
}

// TestSelector: the query has every known name and no name of a ring, and VictoriaMetrics takes it.
func TestSelector(t *testing.T) {
	t.Parallel()
	text := selector()
	pattern := regexp.MustCompile("^(?:" + strings.TrimSuffix(strings.TrimPrefix(text, `{__name__=~"`), `"}`) + ")$")
	for name := range meanings() {
		others := slices.ContainsFunc([]string{"smb_direct", "rsc_counters", "device_proprietary", "vf_monitoring"}, func(set string) bool { return strings.HasPrefix(name, set) })
		if !others && !pattern.MatchString(name) {
			t.Errorf("%s is not asked for", name)
		}
	}
	for _, name := range []string{"node_ethtool_received_63_packets", "node_load1", "node_network_info", "node_ethtool_received_prio8_bytes"} {
		if pattern.MatchString(name) {
			t.Errorf("%s is asked for", name)
		}
	}
	if len(text) > 12_000 {
		t.Errorf("the query has %d bytes", len(text))
	}
}

// fixture returns the samples of the fixture of node_exporter as an answer; counters have risen by 100 since another time.
func fixture(tb testing.TB, risen float64) string {
	tb.Helper()
	file, err := os.Open("testdata/node_exporter.prom")
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var samples []string
	line := regexp.MustCompile(`^(\w+)\{(.*)\} (\S+)$`)
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		part := line.FindStringSubmatch(scanner.Text())
		if part == nil {
			continue
		}
		var value float64
		fmt.Sscan(part[3], &value) // a wrong one fails the test
		if strings.HasSuffix(part[1], "_total") {
			value += risen
		}
		part[2] = strings.ReplaceAll(part[2], `"lo"`, `"eth0"`) // the only device with counters of netdev in the fixture
		labels := regexp.MustCompile(`(\w+)=`).ReplaceAllString(part[2], `"$1":`)
		samples = append(samples, sampleText(part[1], labels+`,"job":"n","instance":"web-1:9100"`, fmt.Sprint(value)))
	}
	return strings.Join(samples, ",")
}

// TestFixtureOfNodeExporter reads the names of the netdev, netclass and infiniband collectors from their own fixture.
func TestFixtureOfNodeExporter(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(at float64) string { return fixture(t, 100*at) })
	source := s.open(t)
	var column perf.Column
	if err := source.Next(context.Background(), time.Second, &column); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]float64{
		`\Network Interface(web-1: eth0)\Packets Received Discarded`:     100,
		`\Network Interface(web-1: eth0)\Packets Outbound Errors`:        100,
		`\cxdeck Port(web-1: mlx4_0/1)\Bytes Received/sec`:               100,
		`\cxdeck Port(web-1: mlx4_0/2)\Bytes Sent/sec`:                   100,
		`\Mellanox WinOF-2 IB Port(web-1: mlx4_0/1)\Port Receive Errors`: 100,
		`\Mellanox WinOF-2 IB Port(web-1: mlx4_0/1)\Port Xmit Discards`:  100,
	} {
		if got := value(t, source, &column, path); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s is %g, want %g", path, got, want)
		}
	}
	nodes := source.Inventory().Nodes
	i := slices.IndexFunc(nodes, func(n perf.Node) bool { return n.Name == "web-1: mlx4_0/1" })
	if i < 0 || nodes[i].State != perf.StateUp || nodes[i].Speed != 40e9 {
		t.Errorf("the InfiniBand port is not up with 40 Gb/s: %+v", nodes)
	}
	if i := slices.IndexFunc(nodes, func(n perf.Node) bool { return n.Name == "web-1: eth0" }); i < 0 || nodes[i].State != perf.StateUp {
		t.Errorf("eth0 is not up: %+v", nodes)
	}
}

// sick is a port with damaged frames, drops and pauses, by names of node_exporter or of cxdeck serve.
func sick(exporter string) func(at float64) string {
	names := map[string]map[string]float64{
		"node_exporter": {"node_ethtool_received_crc_errors_phy": 500, "node_ethtool_received_discards_phy": 4000, "node_ethtool_received_prio3_pause_duration": 4e5,
			"node_network_receive_bytes_total": 1e8, "node_ethtool_received_packets_phy": 1e5},
		"cxdeck": {"mellanox_winof_2_port_qos_sent_pause_duration_seconds_total": 0.4, "cxdeck_port_received_bytes_total": 1e8},
	}[exporter]
	if exporter == "cxdeck" {
		for counter, rate := range map[string]float64{"Packets Received Bad CRC Error": 500, "Packets Received Discarded": 4000, "Packets Received": 1e5} {
			described, _ := perf.Catalogue().Counter("Mellanox WinOF-2 Port Traffic", counter)
			name, _ := own("Mellanox WinOF-2 Port Traffic", described)
			names[name] = rate
		}
	}
	return func(at float64) string {
		samples := []string{sampleText("node_network_up", web, "1"), sampleText("node_network_speed_bytes", web, "12500000000"),
			sampleText("cxdeck_port_up", web, "1"), sampleText("cxdeck_port_line_rate_bytes_per_second", web, "12500000000")}
		for name, rate := range names {
			labels := web
			if strings.Contains(name, "winof_2_port_qos") {
				labels += `,"priority":"3"`
			}
			samples = append(samples, sampleText(name, labels, fmt.Sprintf("%.3f", rate*at)))
		}
		return strings.Join(samples, ",")
	}
}

// TestFindingsOverAFleet: thresholds and the rules of findings that read counters work with the names of both exporters.
func TestFindingsOverAFleet(t *testing.T) {
	t.Parallel()
	for _, exporter := range []string{"node_exporter", "cxdeck"} {
		t.Run(exporter, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, sick(exporter))
			live, err := monitor.New(&stepping{Source: s.open(t), s: s}, monitor.Options{Interval: 100 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() { defer close(ended); _ = live.Run(ctx) }()
			defer func() { stop(); <-ended }()
			wanted := map[string]bool{"damaged": true, "drops packets": true, "pause": true}
			for begun := time.Now(); len(wanted) > 0; <-live.Updates() {
				if report := live.Health(); report != nil {
					for _, finding := range report.Findings {
						for word := range wanted {
							if strings.Contains(strings.ToLower(finding.Title), word) && strings.HasPrefix(finding.Subject.Name, "web-1") {
								delete(wanted, word)
							}
						}
					}
				}
				if time.Since(begun) > 20*time.Second {
					for _, f := range live.Health().Findings {
						t.Logf("%s: %s", f.Subject.Name, f.Title)
					}
					t.Fatalf("not found: %v", wanted)
				}
			}
		})
	}
}

// stepping moves the clock of its server by a scrape with each look.
type stepping struct {
	*Source
	s *server
}

func (s *stepping) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	s.s.now, s.s.scraped = s.s.now.Add(15*time.Second), s.s.scraped+15
	return s.Source.Next(ctx, interval, column)
}

// TestFunctionsAreApart: virtual functions of a port have series of their own.
func TestFunctionsAreApart(t *testing.T) {
	t.Parallel()
	set, _ := perf.Catalogue().Set("Mellanox WinOF-2 VF Port Traffic")
	name, m := own(set.Name, set.Counters[0])
	s := newServer(t, func(at float64) string {
		return sampleText(name, web+`,"vf":"0"`, fmt.Sprint(at)) + "," + sampleText(name, web+`,"vf":"1"`, fmt.Sprint(2*at)) + "," + sampleText(name, web+`,"vf":"all"`, fmt.Sprint(3*at))
	})
	source := s.open(t)
	var column perf.Column
	if err := source.Next(context.Background(), time.Second, &column); err != nil {
		t.Fatal(err)
	}
	for i, function := range []string{"VF 0", "VF 1", "VFs"} {
		path := perf.JoinPath(m.set, "web-1: ens1 "+function, m.counter)
		if got, want := value(t, source, &column, path), m.factor*float64(i+1); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s is %g, want %g", path, got, want)
		}
	}
}

func TestNamesAreInTheOrderOfTheirNumbers(t *testing.T) {
	t.Parallel()
	list := []string{"node-10", "Ethernet 10", "node-9", "Ethernet 9", "", "node-09", "ens1f0np0", "ens1f10", "ens1", "Ethernet", "node-99999999999999999999"}
	slices.SortFunc(list, compareNames)
	want := []string{"", "Ethernet", "Ethernet 9", "Ethernet 10", "ens1", "ens1f0np0", "ens1f10", "node-09", "node-9", "node-10", "node-99999999999999999999"}
	if !slices.Equal(list, want) {
		t.Errorf("the order is %q", list)
	}
}
