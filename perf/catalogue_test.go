package perf

import (
	"regexp"
	"strings"
	"testing"
)

func TestCatalogueHasEverySetAndCounter(t *testing.T) {
	t.Parallel()
	c := Catalogue()
	if n := len(c.Sets()); n != 38 {
		t.Errorf("%d sets, want 38, five of them the console's own", n)
	}
	own, units := 0, map[Unit]bool{
		NoUnit: true, Bytes: true, Kilobytes: true, Packets: true, Frames: true, Bits: true, Gigabits: true,
		Microseconds: true, Percent: true, Celsius: true, "events": true, "entries": true, "clocks": true, "pages": true,
		"errors": true, "connections": true, "QPs": true, "kilobits": true, "bits": true, "CPU number": true,
		"bitmask": true, "QP number": true,
	}
	for _, set := range c.Sets() {
		if len(set.Counters) == 0 && set.Name != DriverSet && set.Name != RDMASet {
			t.Errorf("%s has no counters", set.Name)
		}
		if set.ViewOf == "" {
			own += len(set.Counters)
		}
		if set.Description == "" || set.Source == "" || len(set.Families) == 0 {
			t.Errorf("%s lacks its description, source or families", set.Name)
		}
		for _, counter := range set.Counters {
			if !units[counter.Unit] {
				t.Errorf("%s, %s: unknown unit %q", set.Name, counter.Name, counter.Unit)
			}
			if counter.Summary == "" || counter.Source == "" {
				t.Errorf("%s, %s lacks its summary or source", set.Name, counter.Name)
			}
			if from := counter.DerivedFrom; from != "" {
				if base, ok := set.Counter(from); !ok || base.Kind != Cumulative || counter.Kind != Rate {
					t.Errorf("%s, %s: it is not the rate of a cumulative %s", set.Name, counter.Name, from)
				}
			}
			for _, name := range append(append([]string{counter.SubsetOf}, counter.Includes...), counter.SumOf...) {
				if _, ok := set.Counter(name); name != "" && !ok {
					t.Errorf("%s, %s refers to the unknown %s", set.Name, counter.Name, name)
				}
			}
			if got, ok := c.Counter(set.Name, strings.ToUpper(counter.Name)); !ok || got != counter {
				t.Errorf("%s, %s is not found by its name", set.Name, counter.Name)
			}
		}
	}
	if own != 696 {
		t.Errorf("%d counters, want 696", own)
	}
}

func TestCatalogueResolvesNames(t *testing.T) {
	t.Parallel()
	c := Catalogue()
	for _, test := range []struct{ set, counter, want string }{
		{"RSC counters", "RSC Aborts", "RSC Aborts"},
		{"Device Proprietary Counters", "No-WQE drops/sec", "No-WQE Drops/sec"},
		{"mellanox adapter diagnostic counters", "link down events", "Link down events"},
		{"Mellanox Adapter Traffic Counters", "Packets Received Bad CRC Error", "Packets Received with Bad CRC Error"},
		{"Mellanox IB Adapter Traffic Counters", "Bytes Received", "Bytes Received"},
	} {
		if got, ok := c.Counter(test.set, test.counter); !ok || got.Name != test.want {
			t.Errorf("%s, %s: got %v, want %s", test.set, test.counter, got, test.want)
		}
	}
	if _, ok := c.Counter("Network Interface", "nothing"); ok {
		t.Error("found a counter that does not exist")
	}
}

func TestCatalogueSaysWhereDropsAreCounted(t *testing.T) {
	t.Parallel()
	traffic := regexp.MustCompile(`Traffic|QoS|^Network Interface$`)
	drop := regexp.MustCompile(`(?i)discard|error|drop|unknown`)
	for _, set := range Catalogue().Sets() {
		if !traffic.MatchString(set.Name) {
			continue
		}
		for _, counter := range set.Counters {
			if drop.MatchString(counter.Name) && counter.Where == "" {
				t.Errorf("%s, %s does not say where it is counted", set.Name, counter.Name)
			}
		}
	}
	counter, _ := Catalogue().Counter("Mellanox WinOF-2 Port Traffic", "Packets Received Discarded No Receive WQEs")
	if text := counter.Describe(); !strings.Contains(text, "before the ring: no receive descriptor was free.") {
		t.Errorf("description does not say where: %s", text)
	}
}

func TestCatalogueRejectsADamagedTable(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]string{
		"no JSON":                    `[`,
		"unknown kind":               `[{"set":"A","counters":[{"name":"x","kind":"odd"}]}]`,
		"two counters":               `[{"set":"A","counters":[{"name":"x","kind":"rate"},{"name":"X","kind":"rate"}]}]`,
		"two sets":                   `[{"set":"A"},{"set":"a"}]`,
		"view of an unknown set":     `[{"set":"A","view_of":"B"}]`,
		"view of an unknown counter": `[{"set":"A","view_of":"B","counter_names":["x"]},{"set":"B"}]`,
	} {
		if _, err := readCatalogue(table); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkCatalogueRead(b *testing.B) {
	for b.Loop() {
		if _, err := readCatalogue(counterTable); err != nil {
			b.Fatal(err)
		}
	}
}
