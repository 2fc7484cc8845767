package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/views/cli/twin"
)

// logShape is a way in which a host writes its log.
type logShape struct {
	name string
	// loaded adds bursts that exceed the rings, pauses of traffic, damaged frames and congestion to the lab.
	loaded bool
	// irregular has intervals of 0.3 to 4 s and gaps; one value of missing is absent.
	irregular bool
	missing   int
	// commas writes decimal commas between semicolons.
	commas bool
}

func logShapes() []logShape {
	return []logShape{
		{name: "as it is"},
		{name: "with bursts, pauses and congestion", loaded: true},
		{name: "with irregular intervals, and every 20th value missing", irregular: true, missing: 20},
		{name: "with bursts, irregular intervals, missing values and decimal commas", loaded: true, irregular: true, missing: 20, commas: true},
	}
}

// namedLab returns the description of an embedded lab.
func namedLab(t *testing.T, name string) *description.Description {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name == name {
			d, err := description.ParseText(named.Text())
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatalf("there is no lab %s", name)
	return nil
}

// load adds bursts, pauses, damaged frames and congestion to a lab.
func load(d *description.Description) {
	span := func(from, to int) []description.Duration {
		return []description.Duration{description.Duration(time.Duration(from) * time.Second), description.Duration(time.Duration(to) * time.Second)}
	}
	d.Schedules = append(d.Schedules, description.Schedule{Name: "load", First: span(8, 12), Every: span(9, 21), Lasting: span(3, 9)},
		description.Schedule{Name: "shop", First: span(2, 4), Every: span(11, 17), Lasting: span(12, 30)})
	sites := 0
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			p := &d.Adapters[a].Ports[i]
			if p.Link != description.Ethernet {
				continue
			}
			sites++
			p.CongestionControl = []int{0, 1, 2, 3, 4, 5, 6, 7}
			for n, f := range []description.Flow{
				{Name: "Bursts", Protocol: description.UDP, Flows: 8, ReceiveGbps: 9, Packets: []description.PacketSize{{IP: 110, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Burst, Schedule: "load", Noise: 0.2}},
				{Name: "Shop", Protocol: description.TCP, Flows: 40, ReceiveGbps: 0.7, SendGbps: 2.5, Packets: []description.PacketSize{{IP: 1500, Share: 0.7}, {IP: 300, Share: 0.3}}, Rhythm: description.Rhythm{Kind: description.Burst, Schedule: "shop", Noise: 0.3}},
			} {
				f.Name, f.Port = f.Name+" "+p.Connection, p.Connection
				f.Local, f.Peer = addr(10, 90, sites, 10), addr(10, 90, sites, 20+n)
				d.Flows = append(d.Flows, f)
			}
			d.Faults = append(d.Faults, description.Fault{Port: p.Connection, Kind: description.BadCable, Schedule: "load", Share: 0.0001},
				description.Fault{Port: p.Connection, Kind: description.Congestion, Schedule: "shop", Share: 0.3})
		}
	}
}

// writeLog writes two minutes of a lab's main counters as Performance Monitor does.
func writeLog(t *testing.T, d *description.Description, path string, shape *logShape) {
	t.Helper()
	plant, err := device.NewPlant(d)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(plant.New(7)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	delimiter := ","
	if shape.commas {
		delimiter = ";"
	}
	b.WriteString(`"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"`)
	var series []int
	for i := range source.Schema().Series {
		s := &source.Schema().Series[i]
		if strings.HasSuffix(s.Set, "Port Traffic") || strings.HasSuffix(s.Set, "Adapter Traffic Counters") || s.Set == "Network Interface" || s.Set == "RDMA Activity" || s.Set == "Mellanox WinOF-2 Congestion Control" {
			series = append(series, i)
			fmt.Fprintf(&b, `%s"\\%s%s"`, delimiter, d.Host.Name, strings.NewReplacer("#", "_").Replace(s.Path()))
		}
	}
	b.WriteString("\r\n")
	dice := rand.New(rand.NewPCG(1, 2))
	var columns [2]perf.Column
	for row, elapsed := 0, time.Duration(0); elapsed <= 2*time.Minute; row++ {
		step := time.Second
		if shape.irregular {
			step = time.Duration(300+dice.IntN(3700)) * time.Millisecond
			if row == 9 {
				step = 14 * time.Second // the logger was stopped
			}
		}
		if row == 0 {
			step = 0
		}
		elapsed += step
		before, after := &columns[row%2], &columns[1-row%2]
		if err := source.Next(t.Context(), step, after); err != nil {
			t.Fatal(err)
		}
		if row == 0 {
			before = nil
		}
		fmt.Fprintf(&b, `"%s"`, after.Time.Add(time.Hour).Format("01/02/2006 15:04:05.000"))
		for _, i := range series {
			value, ok := source.Schema().Series[i].Value(before, after)
			text := strconv.FormatFloat(value, 'f', 6, 64)
			if shape.commas {
				text = strings.Replace(text, ".", ",", 1)
			}
			if !ok || math.IsNaN(value) || shape.missing > 0 && dice.IntN(shape.missing) == 0 {
				text = " "
			}
			b.WriteString(delimiter + `"` + text + `"`)
		}
		b.WriteString("\r\n")
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fitLimits are the maximum errors of the groups that the workloads explain, as shares of the logged values, and of the discards under load.
const (
	steadyLimit  = 0.005
	loadedLimit  = 0.08
	discardLimit = 0.25
)

// TestWorkloadsFollowALog makes twins of three labs with logs of four kinds, and compares their curves with the logs. With -update it writes the
// errors to docs/twin-workloads.md.
func TestWorkloadsFollowALog(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs labs for some minutes of their time")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString(workloadsPage)
	for _, name := range []string{"manual-winof", "manual-winof2", "storage-spaces-direct"} {
		home := t.TempDir()
		exports := exportLab(t, home, name)
		for _, shape := range logShapes() {
			d := namedLab(t, name)
			if shape.loaded {
				load(d)
			}
			writeLog(t, d, filepath.Join(exports, "perf.csv"), &shape)
			follow(t, &page, home, name+", "+shape.name, shape.loaded, shape.loaded || shape.irregular, exports)
		}
	}
	followLinux(t, root, &page)
	sameDocument(t, filepath.Join(root, "docs", "twin-workloads.md"), []byte(page.String()))
}

// follow makes a twin of files, and lists how its workloads follow the log.
func follow(t *testing.T, page *strings.Builder, home, title string, loaded, rough bool, paths ...string) {
	t.Helper()
	r := runIn(t, home, append(append([]string{"twin", "make", "copy"}, paths...), "--force", "--json")...)
	r.want(t, exitDone)
	var row twin.Row
	if err := json.Unmarshal([]byte(r.out), &row); err != nil {
		t.Fatal(err)
	}
	if row.Fit == nil {
		t.Fatalf("%s: the workloads follow no log: %q", title, row.Assumed)
	}
	fmt.Fprintf(page, "\n## %s\n\n%d rows, %d missing values, %d workloads.\n\n| Counters | Logged mean per second | Mean absolute error | Error |\n| --- | --- | --- | --- |\n",
		title, row.Fit.Rows, row.Fit.Missing, row.Flows)
	for _, e := range row.Fit.Errors {
		share := fmt.Sprintf("%.2f%%", 100*e.Share)
		if e.Logged < 1 && e.Error > 0 {
			share = "fewer than 1 a second are logged"
		}
		fmt.Fprintf(page, "| %s | %s | %s | %s |\n", e.Counters, figure(e.Logged), figure(e.Error), share)
		limit := steadyLimit
		if rough {
			limit = loadedLimit
		}
		switch {
		case strings.Contains(e.Counters, "discards") || e.Counters == "Received errors":
			limit = discardLimit
		case strings.HasPrefix(e.Counters, "Congestion"):
			limit = 1 // the workloads do not explain them
		}
		if e.Share > limit && e.Logged >= 1 { // a discard a minute is none
			t.Errorf("%s: the mean error of %s is %.3f of the logged values, more than %.3f", title, e.Counters, e.Share, limit)
		}
	}
}

// followLinux makes twins of a machine with Linux: of the samples in its bundle, of a log with the driver's own statistics, and of a recorded session.
func followLinux(t *testing.T, root string, page *strings.Builder) {
	t.Helper()
	for _, loaded := range []bool{false, true} {
		d := namedLab(t, "storage-spaces-direct")
		name := "A Linux machine, the samples of its bundle"
		if loaded {
			load(d)
			name += ", with bursts and pauses"
		}
		h, home := newLinuxHost(t, root, d), t.TempDir()
		bundle := filepath.Join(home, "host.json")
		sampling := &twin.Sampling{Count: 121, Interval: time.Second, Wait: func(_ context.Context, d time.Duration) error { return h.advance(d) }}
		if _, err := twin.Collect(t.Context(), bundle, h.recorded(), h.column.Time, sampling, false); err != nil {
			t.Fatal(err)
		}
		follow(t, page, home, name, loaded, loaded, bundle)
	}
	d := namedLab(t, "storage-spaces-direct")
	load(d)
	h, home := newLinuxHost(t, root, d), t.TempDir()
	bundle, log := filepath.Join(home, "host.json"), filepath.Join(home, "statistics.csv")
	if _, err := twin.Collect(t.Context(), bundle, h.recorded(), h.column.Time, &twin.Sampling{}, false); err != nil {
		t.Fatal(err)
	}
	h.writeStatistics(t, log)
	follow(t, page, home, "A Linux machine, a log of the driver's statistics, with bursts and pauses", true, true, bundle, log)
}

// figure returns a number with four digits.
func figure(value float64) string { return strconv.FormatFloat(value, 'g', 4, 64) }

const workloadsPage = `# How the workloads of a twin follow a log

` + "`cxdeck twin make`" + ` makes workloads from a log of counters ([twins](twins.md)). This page is measured by a test: two minutes of a lab are
written as a log, a twin is made from the lab's exports and the log, and the twin's counters are compared with the log, row by row. An error is
the mean of the absolute differences over all rows and all counters of the group, per second.

The logs under load have bursts beyond the speed of the host's processors, pauses of traffic, damaged frames and congestion on the send path. Received
discards follow the log by bursts that exceed the receive rings. Received errors
follow it by a bad cable, which is assumed. Sent discards, CNPs and ECN marks are listed, and nothing follows them: a log says neither why a port dropped
packets to send, nor which switch on the path was congested.

The Linux machine has ports whose counters move as the ports of a lab do. ` + "`twin collect`" + ` samples them, or a log has the statistics of its drivers.
`

// addr returns an IPv4 address.
func addr(a, b, c, d int) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(a), byte(b), byte(c), byte(d)})
}

// TestWorkloadsFollowARecordedSession: a history file with a session of the host is a log too; one without counters of its ports makes no workloads.
func TestWorkloadsFollowARecordedSession(t *testing.T) {
	home := t.TempDir()
	exports := exportLab(t, home, "storage-spaces-direct")
	log, history := filepath.Join(home, "perf.csv"), filepath.Join(exports, "recorded.db")
	if err := os.Remove(filepath.Join(exports, "perf.csv")); err != nil {
		t.Fatal(err)
	}
	d := namedLab(t, "storage-spaces-direct")
	writeLog(t, d, log, &logShape{})
	imported := runLine(t, "sessions", "import", log, "--db", history, "--config", noSettings(t))
	imported.want(t, exitDone)
	r := runIn(t, home, "twin", "make", "copy", exports)
	r.want(t, exitDone, "Its workloads follow 2m1s of the log, 122 rows. The lab, compared with it:")
	runIn(t, home, "twin", "show", "copy").want(t, exitDone, "recorded.db: the recorded session 1 of "+d.Host.Name+" with 122 rows")
	if err := os.WriteFile(history, []byte("SQLite format 3\x00 and nothing else"), 0o600); err != nil {
		t.Fatal(err)
	}
	runIn(t, home, "twin", "make", "other", exports).want(t, exitFailed, "no workloads can be made from the log recorded.db")
}
