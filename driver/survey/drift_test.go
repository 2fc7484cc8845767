package survey

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/intent"
)

func keep(t testing.TB, h *driver.Host, name string, data []byte) {
	t.Helper()
	o := intent.Keep{File: name, Data: data}
	if _, err := h.Apply(driver.Plan{Title: "keep", Operations: []driver.Operation{o}}); err != nil {
		t.Fatal(err)
	}
}

// TestDriftIsWhatTheChecksFind keeps an intent with a host that meets it, and departs from it by each deviation that Operations or a host of its own make:
// the drift has the checks that intent check finds, without a copy of the host.
func TestDriftIsWhatTheChecksFind(t *testing.T) {
	t.Parallel()
	bases, names := map[bool]*driver.Host{}, map[bool]string{false: "two-adapters.ps1", true: "embedded-team.ps1"}
	for team, name := range names {
		h, in := example(t, name)
		brought(t, h, in)
		keep(t, h, name, readFile(t, name))
		bases[team] = h
		var w Watch
		w.Drift(readFacts(h))
		h.Advance(checkEvery)
		if d := w.Drift(readFacts(h)); len(d.Failed) > 0 || d.Passed < 50 || d.File != name {
			t.Errorf("%s: a host that meets its intent: %+v", name, d)
		}
	}
	tried := 0
	for _, d := range deviations() {
		if d.operations == nil && !d.own() || d.facts != nil || d.intent != nil || d.iov { // no file asks for SR-IOV
			continue
		}
		tried++
		h := bases[d.team].Clone()
		if d.own() {
			text := string(readFile(t, names[d.team]))
			if d.winof {
				text = winofNames.Replace(text)
			}
			h = d.ownHost(t, text)
			keep(t, h, d.check, []byte(text))
		}
		var w Watch
		w.Drift(readFacts(h))
		if d.operations != nil {
			if _, err := h.Apply(driver.Plan{Title: d.what, Operations: d.operations}); err != nil {
				t.Fatalf("%s: %v", d.check, err)
			}
		}
		h.Advance(checkEvery)
		w.Drift(readFacts(h))
		h.Advance(checkEvery)
		var got []string
		for _, f := range w.Drift(readFacts(h)).Failed {
			if name := string(f.Group) + " " + f.Title; !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		var want []string
		for _, result := range failures(t, h, h.Intent().Declared()) {
			if name := string(result.Group) + " " + result.Title; !slices.Contains(want, name) {
				want = append(want, name)
			}
		}
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s (%s): drift %q, checks %q", d.check, d.what, got, want)
		}
	}
	if tried < 30 {
		t.Errorf("only %d deviations", tried)
	}
}

// TestDriftFollowsChanges: a change shows at once, other state after five seconds, and the failed checks are those of a port, of the
// ports of a virtual switch, or of the host.
func TestDriftFollowsChanges(t *testing.T) {
	t.Parallel()
	h, in := example(t, "embedded-team.ps1")
	brought(t, h, in)
	var w Watch
	if w.Drift(readFacts(h)) != nil {
		t.Error("a host without an intent drifts")
	}
	keep(t, h, "x", readFile(t, "embedded-team.ps1"))
	before := w.Drift(readFacts(h))
	if again := w.Drift(readFacts(h)); again != before {
		t.Error("nothing happened, and the host was checked again")
	}
	apply := func(what string) *Drift {
		for _, d := range deviations() {
			if d.what == what {
				if _, err := h.Apply(driver.Plan{Title: what, Operations: d.operations}); err != nil {
					t.Fatal(err)
				}
			}
		}
		return w.Drift(readFacts(h))
	}
	own := func(d *Drift, port int) string {
		list, _ := d.At(port)
		var titles []string
		for _, f := range list {
			titles = append(titles, f.Title)
		}
		return strings.Join(titles, "; ")
	}
	d := apply("TCP/IPv4 is bound to the adapter again")
	if own(d, 0) != "an adapter of a virtual switch is bound only to the switch" || own(d, 1) != "" {
		t.Errorf("at the ports: %q, %q", own(d, 0), own(d, 1))
	}
	d = apply("IeeePriorityTag of SMB01 is off")
	if !strings.Contains(own(d, 0), "IeeePriorityTag is on") || own(d, 1) != "IeeePriorityTag is on" {
		t.Errorf("at the switch's ports: %q, %q", own(d, 0), own(d, 1))
	}
	if _, host := apply("multichannel of the client is off").At(2); len(host) != 1 || host[0].Number != 62 {
		t.Errorf("of the host: %v", host)
	}
	if d = apply("no such deviation"); d != w.Drift(readFacts(h)) {
		t.Error("checked again without a change")
	}
	if h.Advance(checkEvery); w.Drift(readFacts(h)) == d {
		t.Error("not checked again")
	}
	if w.Drift(readFacts(h.Clone())).File != "x" {
		t.Error("another host")
	}
}

// BenchmarkDrift checks the large lab, with 100 ports, against the intent that was saved of it.
func BenchmarkDrift(b *testing.B) {
	lab, err := device.New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	h := driver.NewHost(lab)
	h.Advance(time.Second)
	data := Save(h)
	if _, err := intent.Read(data); err != nil {
		b.Fatal(err)
	}
	keep(b, h, "large.toml", data)
	seen := readFacts(h)
	for b.Loop() {
		new(Watch).Drift(seen)
	}
}
