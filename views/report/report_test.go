package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/store/fault"
)

// hostile is a name with markup, a script and a control sequence.
const hostile = "<script>alert(1)</script>\x1b[31m|`x`\"'&amp;"

// recorded records three minutes of the default lab, in which a cable is pulled after two.
func recorded(t *testing.T) (*store.DB, *device.Plant, time.Time) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	d, err := description.ParseText(description.DefaultText())
	if err != nil {
		t.Fatal(err)
	}
	began := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	d.Epoch = began
	d.Twin = &description.Twin{Host: "WEB1", Assumed: []string{"Ethernet 7: its rate, 100 Gb/s", hostile}}
	plant, err := device.NewPlant(d)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(plant.New(1))
	source, err := lab.New(host)
	if err != nil {
		t.Fatal(err)
	}
	recorder, err := db.Begin(t.Context(), source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var column perf.Column
	var inventory *perf.Inventory
	for i := range 180 {
		if i == 120 {
			entry, err := host.Apply(driver.Plan{Title: "Pull " + hostile, Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}})
			if err != nil {
				t.Fatal(err)
			}
			recorder.Journal(entry)
			state, err := host.Save()
			if err != nil {
				t.Fatal(err)
			}
			err = db.SaveHost(t.Context(), store.HostState{LabHash: plant.Hash(), Seed: 1, Name: "LAB-N4", Time: host.Now(), Data: state})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := source.Next(t.Context(), time.Second, &column); err != nil {
			t.Fatal(err)
		}
		if inventory != source.Inventory() {
			inventory = source.Inventory()
			recorder.Schema(source.Schema(), inventory)
		}
		recorder.Column(&column)
		recorder.Events(source.Events())
	}
	recorder.Events([]eventlog.Event{{Source: hostile, Time: began.Add(time.Minute), Severity: eventlog.Error, Adapter: hostile, Message: hostile}})
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddMark(t.Context(), store.Mark{Session: 1, From: began.Add(time.Minute), Text: "look here " + hostile}); err != nil {
		t.Fatal(err)
	}
	if err := db.SetNote(t.Context(), 1, hostile); err != nil {
		t.Fatal(err)
	}
	return db, plant, began
}

func options(plant *device.Plant) Options {
	return Options{
		Session: 1, Zone: time.UTC, Version: "test", Now: time.Unix(0, 0),
		Restore: func(hash string, _ uint64, state []byte) (*driver.Host, error) {
			if hash != plant.Hash() {
				return nil, errors.New("another lab")
			}
			return driver.RestoreOn(plant, state)
		},
	}
}

func TestReportOfTheLab(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	db, plant, began := recorded(t)
	var calls int
	document, err := Gather(t.Context(), db, options(plant), func(_, _ int) { calls++ })
	if err != nil {
		t.Fatal(err)
	}
	if calls < 3 {
		t.Errorf("progress was reported %d times", calls)
	}
	var page, ticket bytes.Buffer
	if err := errors.Join(document.HTML(&page), document.Markdown(&ticket)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"LAB-N4, session 1", "Ethernet 7 is down", "1 event is an error", "1 change was made", "Ethernet 7: throughput",
		"compared with the period from", "2026-03-02 14:01:00", "ConnectX-5 Ex", "JumboPacket", "vm001", "Windows Server 2019", "look here",
		"Twin of", "WEB1", "2 facts", "its rate, 100 Gb/s",
	} {
		for name, text := range map[string]string{"page": page.String(), "ticket": ticket.String()} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q", name, want)
			}
		}
	}
	safe(t, page.String())
	for line := range strings.Lines(ticket.String()) {
		if strings.Contains(strings.ReplaceAll(line, `\<`, ""), "<") || strings.ContainsRune(line, 0x1b) {
			t.Errorf("the ticket has %q", line)
		}
	}
	if strings.Count(page.String(), `class="mark"`) != 2*strings.Count(page.String(), "<figure") {
		t.Error("the change and the note are not drawn in each chart")
	}
	if !strings.Contains(page.String(), `aria-label="Ethernet 7: throughput: up to `) {
		t.Error("charts have no names for screen readers")
	}

	bounded := options(plant)
	bounded.From, bounded.To = began.Add(10*time.Second), began.Add(50*time.Second)
	document, err = Gather(t.Context(), db, bounded, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(document.Changes) != 0 || len(document.Marks) != 0 || !document.From.Equal(bounded.From) || document.HostProblem == "" {
		t.Errorf("before the change there are %d changes, %d marks, from %v, host: %q",
			len(document.Changes), len(document.Marks), document.From, document.HostProblem)
	}
	bounded.Session = 7
	if _, err := Gather(t.Context(), db, bounded, nil); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("a report of no session: %v", err)
	}
}

// safe checks that a page is well-formed, has no script and no external resource, and that texts are escaped.
func safe(t *testing.T, page string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	ids := map[string]bool{}
	var links []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "script", "img", "iframe", "link", "object", "embed", "form":
			t.Errorf("the page has the element %s", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch {
			case strings.HasPrefix(a.Name.Local, "on"), a.Name.Local == "src":
				t.Errorf("%s has the attribute %s", start.Name.Local, a.Name.Local)
			case a.Name.Local == "id":
				ids["#"+a.Value] = true
			case a.Name.Local == "href":
				links = append(links, a.Value)
			}
		}
	}
	for _, link := range links {
		if !ids[link] {
			t.Errorf("the link %q has no target", link)
		}
	}
	if strings.Contains(page, "http:") || strings.Contains(page, "https:") || strings.Contains(page, "ZgotmplZ") || strings.ContainsRune(page, 0x1b) {
		t.Error("the page has an address, refused text or a control character")
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the hostile name is not in the page as text")
	}
}

var numbers = regexp.MustCompile(`[ML]([0-9.]+) ([0-9.]+)`)

func TestCurves(t *testing.T) {
	t.Parallel()
	from := time.Unix(0, 0)
	to := from.Add(buckets * time.Second)
	curve := Curve{Averages: make([]float64, buckets), Maximum: make([]float64, buckets)}
	for i := range buckets {
		curve.Averages[i], curve.Maximum[i] = math.NaN(), math.NaN()
	}
	var bands []perf.Band
	for second := range buckets {
		value := 10.0
		if second >= 100 && second < 100+2*gap {
			continue
		}
		if second == 200 {
			value = math.NaN()
		}
		for _, at := range []int64{0, 5e8} {
			band := perf.Band{From: int64(second)*1e9 + at, To: int64(second)*1e9 + at, Max: value + float64(at)/125e6, Samples: 1}
			if band.Average = band.Max; !math.IsNaN(value) {
				band.Count = 1
			}
			bands = append(bands, band)
		}
	}
	curve.add(bands, from, to)
	if curve.Averages[0] != 12 || curve.Maximum[0] != 14 || !math.IsNaN(curve.Averages[100]) || !math.IsNaN(curve.Averages[200]) {
		t.Errorf("buckets are %v, %v, %v", curve.Averages[0], curve.Averages[100], curve.Averages[200])
	}
	curve.add(bands, from, to) // a second series of the same port
	if curve.Averages[0] != 24 || curve.Maximum[0] != 28 {
		t.Errorf("two series sum up to %v, at most %v", curve.Averages[0], curve.Maximum[0])
	}
	path := curve.path(curve.Averages, 48)
	if strings.Count(path, "M") != 2 {
		t.Errorf("one gap makes %d lines", strings.Count(path, "M"))
	}
	for _, point := range numbers.FindAllStringSubmatch(path, -1) {
		if point[2] != "80.0" {
			t.Fatalf("half of the peak is drawn at %s", point[2])
		}
	}
}

func TestMarkdownIsEscaped(t *testing.T) {
	t.Parallel()
	if got := escape("a|b `c` [d](e) <f> *g* _h_\n# i"); got != "a\\|b \\`c\\` \\[d\\](e) \\<f\\> \\*g\\* \\_h\\_ \\# i" {
		t.Error(got)
	}
}

var colour = regexp.MustCompile(`--(\w+): #([0-9a-f]{3,6});`)

// luminance returns the relative luminance of a colour, as defined by the Web Content Accessibility Guidelines.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	part := func(shift uint) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// TestContrast checks that texts have a contrast of at least 4.5 to 1, in the light, the dark and the print style.
func TestContrast(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{
		"light": between(t, ":root { color-scheme", "@media"), "dark": between(t, "(prefers-color-scheme: dark)", "* {"), "paper": between(t, "@media print", "figure, tr"),
	} {
		colours := map[string]float64{}
		for _, found := range colour.FindAllStringSubmatch(part, -1) {
			colours[found[1]] = luminance(t, found[2])
		}
		for _, text := range []string{"text", "quiet", "blue", "orange", "red", "amber"} {
			for _, back := range []string{"back", "panel"} {
				high, low := max(colours[text], colours[back]), min(colours[text], colours[back])
				if ratio := (high + 0.05) / (low + 0.05); ratio < 4.5 || len(colours) < 9 {
					t.Errorf("%s: %s on %s has a contrast of %.1f", name, text, back, ratio)
				}
			}
		}
	}
}

func between(t *testing.T, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(style, from)
	part, _, also := strings.Cut(rest, to)
	if !ok || !also {
		t.Fatalf("the page has nothing between %q and %q", from, to)
	}
	return part
}
