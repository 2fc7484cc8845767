package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/local"
	"cxdeck/perf/monitor"
	"cxdeck/perf/prometheus/fleet"
	"cxdeck/themes"
	"cxdeck/ui/picture"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// TestDocumentsOfHosts compares the pictures of a host with Linux and of a fleet with the program. With -update it writes them.
func TestDocumentsOfHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the findings")
	}
	t.Parallel()
	look, err := themes.ByName("dark")
	if err != nil {
		t.Fatal(err)
	}
	for name, stage := range map[string]*viewtest.Stage{"host": newHostShowing(t), "fleet": newFleetShowing(t)} {
		stage.Text() // dialogs learn their size
		sameDocument(t, filepath.Join(documents, "pictures", name+".svg"), picture.SVG(stage.Shell.Frame(pictureWidth, pictureHeight), look))
	}
}

// clocked is a source whose clock moves by the interval with each sample. It waits where the monitor looks for findings, so that the same
// samples make them each time, and gives no sample after the last.
type clocked struct {
	perf.Source
	// name replaces the name of the source and its host; empty for no other.
	name    string
	now     *time.Time
	samples int
	sampled int
	// before is called before each sample.
	before func(sample int) error
}

func (c *clocked) Info() perf.SourceInfo {
	info := c.Source.Info()
	if c.name != "" {
		info.Name, info.Host = c.name, c.name
	}
	return info
}

func (c *clocked) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	const look, pause = 6, 1100 * time.Millisecond // longer than the monitor's pause between findings
	if c.sampled == c.samples {
		<-ctx.Done()
		return ctx.Err()
	}
	*c.now = c.now.Add(interval)
	if err := c.before(c.sampled); err != nil {
		return err
	}
	c.sampled++
	if c.sampled == 1 || c.sampled%look == 0 { // the first look is at the first sample, however slow the machine is
		time.Sleep(pause)
	}
	return c.Source.Next(ctx, interval, column)
}

// showSource opens the screens over a recorded source after its last sample.
func showSource(t *testing.T, source *clocked, interval time.Duration) *viewtest.Stage {
	t.Helper()
	d := viewtest.WatchWith(t, source, monitor.Options{Interval: interval, Speed: monitor.MaxSpeed, Recorded: true})
	d.NoDB = ""
	for deadline := time.After(time.Minute); d.Live.Status().Samples < uint64(source.samples) || d.Live.Health() == nil; {
		select {
		case <-time.After(20 * time.Millisecond): // no update follows the last sample
		case <-deadline:
			t.Fatalf("the source gave only %d samples", d.Live.Status().Samples)
		}
	}
	d.Zone = time.UTC
	return openScreens(t, d)
}

func openScreens(t *testing.T, d *deck.Deck) *viewtest.Stage {
	stage := viewtest.Open(t, d, Screens(d))
	stage.Resize(pictureWidth, pictureHeight)
	return stage
}

// newHostShowing returns the diagnosis of a host with Linux: its slot carries half of what the adapter can receive, and another port has no
// cable.
func newHostShowing(t *testing.T) *viewtest.Stage {
	t.Helper()
	folder := t.TempDir()
	write := func(path, text string) error {
		path = filepath.Join(folder, path)
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text+"\n"), 0o600))
	}
	file, err := os.Open("../../driver/linuxhost/testdata/host.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var err error
		if path, text, ok := strings.Cut(lines.Text(), " = "); ok {
			err = write(path, strings.ReplaceAll(text, `\n`, "\n"))
		} else if path, target, ok := strings.Cut(lines.Text(), " -> "); ok {
			path = filepath.Join(folder, path)
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(target, path))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	const port = "ens1f0np0"
	statistics := map[string]uint64{}
	traffic := func(sample int) error {
		received := uint64(6_500_000_000 + 90_000_000*(sample%7)) // bytes a second
		for name, step := range map[string]uint64{
			"rx_bytes_phy": received, "rx_packets_phy": received / 4096, "tx_bytes_phy": received / 9, "tx_packets_phy": received / 9 / 1500,
			"rx_prio3_bytes": received * 9 / 10, "rx_prio3_packets": received / 4600, "tx_prio3_pause": 21_000, "tx_prio3_pause_duration": 310_000,
			"outbound_pci_buffer_overflow": 9_400, "rx_discards_phy": 2_600, "rx_out_of_buffer": 0, "rx_crc_errors_phy": 0,
		} {
			statistics[name] += step
		}
		var all error
		for name, value := range map[string]uint64{
			"rx_bytes": statistics["rx_bytes_phy"], "tx_bytes": statistics["tx_bytes_phy"], "rx_packets": statistics["rx_packets_phy"],
			"tx_packets": statistics["tx_packets_phy"], "rx_missed_errors": statistics["rx_discards_phy"],
		} {
			all = errors.Join(all, write("sys/class/net/"+port+"/statistics/"+name, fmt.Sprint(value)),
				write("sys/class/net/bond0/statistics/"+name, fmt.Sprint(value)))
		}
		return all
	}
	if err := traffic(0); err != nil {
		t.Fatal(err)
	}
	source, err := local.Recording{
		Folder: folder, Host: "node17", Now: func() time.Time { return now },
		Statistics: func(name string) map[string]uint64 {
			if name == port {
				return statistics
			}
			return nil
		},
	}.Open()
	if err != nil {
		t.Fatal(err)
	}
	stage := showSource(t, &clocked{Source: source, now: &now, samples: 49, before: traffic}, time.Second)
	stage.Press("0")
	return stage
}

// newFleetShowing returns the overview of a fleet, which a Prometheus knows; one of its hosts drops frames.
func newFleetShowing(t *testing.T) *viewtest.Stage {
	t.Helper()
	const hosts, bad, every = 24, 16, 15 * time.Second
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now.Format(http.TimeFormat)) // the clock of the server is the clock of the picture
		at := 0.0
		fmt.Sscan(r.FormValue("time"), &at) // the picture differs otherwise
		at -= float64(now.Truncate(24 * time.Hour).Unix())
		var samples []string
		add := func(name, labels string, value float64) {
			samples = append(samples, fmt.Sprintf(`{"metric":{"__name__":%q,"job":"node"%s},"value":[1,"%f"]}`, name, labels, value))
		}
		for host := range hosts {
			labels := fmt.Sprintf(`,"instance":"storage-%02d:9100"`, host+1)
			switch query := r.FormValue("query"); query {
			case "up":
				add("up", labels, 1)
			case "timestamp(up)":
				add("", labels, at)
			default:
				for n, device := range []string{"ens1f0np0", "ens1f1np1"} {
					labels, load := labels+fmt.Sprintf(`,"device":%q`, device), 1e8*float64(9+(host*7+n*5)%31)
					loss := 0.0
					if host == bad && n == 0 {
						load, loss = 7.4e9, 18_400
					}
					add("node_network_up", labels, 1)
					add("node_network_speed_bytes", labels, 1.25e10)
					sum := load * (at - 90*math.Cos(at/200+float64(5*host+n))) // the load varies by the half
					add("node_network_receive_bytes_total", labels, sum)
					add("node_network_transmit_bytes_total", labels, sum/3)
					add("node_network_receive_packets_total", labels, sum/2200)
					add("node_network_receive_drop_total", labels, loss*at)
					add("node_ethtool_received_out_of_buffer", labels, loss*at)
				}
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s]}}`, strings.Join(samples, ",")) // the reader fails
	}))
	t.Cleanup(server.Close)
	source, err := fleet.Open(t.Context(), fleet.Access{URL: server.URL, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	stage := showSource(t, &clocked{Source: source, name: "prometheus.example:9090", now: &now, samples: 49, before: func(int) error { return nil }}, every)
	stage.Press("right", "down")
	stage.Want("drops 18.4 kp/s") // the mark is explained, in place of "nothing to report"
	return stage
}
