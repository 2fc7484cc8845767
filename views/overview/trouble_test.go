package overview

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/scenes"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/perf/pdh"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// storm returns the Operations of a ready scene at its preferred port, one per sample from a sample on.
func storm(t *testing.T, name string, from int) map[int]driver.Operation {
	t.Helper()
	changes := map[int]driver.Operation{}
	for _, scene := range scenes.All() {
		if scene.Name != name {
			continue
		}
		plan, err := scene.Plan(viewtest.Lab(t).Host(), scene.Prefer)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range plan.Operations {
			changes[from+i] = o
		}
	}
	if len(changes) == 0 {
		t.Fatalf("there is no scene %q", name)
	}
	return changes
}

// rowOf returns the first row of the tree that begins with a name.
func rowOf(t *testing.T, v *View, name string, width int) string {
	t.Helper()
	for line := range strings.SplitSeq(viewtest.Body(v, width, 60).Text(), "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " ▸▾"), name+" ") {
			return line
		}
	}
	t.Fatalf("no row of %s", name)
	return ""
}

func TestEachTroubleHasItsMark(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		changes map[int]driver.Operation
		port    string
		letter  string
		reason  string
	}{
		{"dropped on the way out", storm(t, "pause-storm", 5), "Ethernet 7", "o", "that it should send"},
		{"held back", storm(t, "pause-storm", 5), "Ethernet 7", "p", "is held back by pause frames 9"},
		{"damaged", map[int]driver.Operation{5: hardware.SetFault{Connection: "Ethernet 9", Fault: description.BadCable, Share: 0.01}},
			"Ethernet 9", "e", "damaged frames"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := viewtest.WatchLab(t, 30, c.changes)
			v := shown(d)
			narrow := rowOf(t, v, c.port, 80)
			_, figures, _ := strings.Cut(narrow, "b/s")
			if !strings.Contains(strings.ReplaceAll(figures, "b/s", ""), c.letter) {
				t.Errorf("80 columns: %q lacks the letter %q", narrow, c.letter)
			}
			s := viewtest.Open(t, d, []ui.View{v}, "counters")
			for i, r := range v.rows {
				if v.inventory.Nodes[r.node].Name == c.port {
					v.table.List.Select(i)
					v.remember()
				}
			}
			s.Resize(200, 60)
			s.Press("enter")
			s.Want("Why "+c.port+" is marked", c.reason)
			s.Press("esc")
			s.WantNot("Why " + c.port + " is marked")
			if _, went := s.ShowArgs["counters"]; went {
				t.Error("Esc opened the counters")
			}
		})
	}
}

func TestAHealthyPortHasNoMark(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 90, nil))
	for i, n := range v.nodes() {
		if n.Name == "Ethernet 8" && len(v.figures[i].troubles.list()) > 0 {
			t.Errorf("Ethernet 8 is marked: %v", v.figures[i].troubles)
		}
	}
}

// TestALogShowsItsDiscards checks a log, which has cumulative counters and no set of the console.
func TestALogShowsItsDiscards(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"Mellanox WinOF-2 Port Traffic", "Mellanox Adapter Traffic Counters", "Network Interface"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			b.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
			counters := []string{"Bytes Received/sec", "Bytes Sent/sec", "Packets Received Discarded", "Packets Outbound Discarded",
				"Packets Received Errors"}
			for _, counter := range counters {
				fmt.Fprintf(&b, `,"\\HOST\%s(Ethernet 7)\%s"`, set, counter)
			}
			b.WriteString(`,"\\HOST\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Duration"` + "\r\n")
			for n := range 20 {
				fmt.Fprintf(&b, `"11/22/2026 10:00:%02d.000","1000000","2000000","%d","%d","7","%d"`+"\r\n",
					n, 5000+100*n, 1000000+27000*n, 250000*n)
			}
			path := filepath.Join(t.TempDir(), "log.csv")
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			source, err := pdh.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			d := viewtest.Watch(t, source, monitor.MaxSpeed)
			viewtest.AwaitEnd(t, d)
			v := shown(d)
			if row := rowOf(t, v, "Ethernet 7", 80); !strings.Contains(row, "27.1 k iop ") {
				t.Errorf("the row of the port is %q; 100 packets a second were dropped on the way in and 27000 on the way out", row)
			}
			if got := v.totals.drops; got != 27100 {
				t.Errorf("in all %g packets are dropped a second, not 27100", got)
			}
			reasons := strings.Join(v.reasonLines(v.table.List.Cursor()), "\n")
			if !strings.Contains(reasons, "drops 27.0 kp/s that it should send") ||
				!strings.Contains(reasons, "holds the far end back with pause frames 25% of the time") || strings.Contains(reasons, "damage") {
				t.Errorf("the reasons are\n%s", reasons)
			}
		})
	}
}

// TestALogOfDiscardsAloneShowsThem checks a log with only the discards of a port.
func TestALogOfDiscardsAloneShowsThem(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.csv")
	log := `"(PDH-CSV 4.0) (UTC)(0)","\\HOST\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Outbound Discarded"` + "\r\n" +
		`"11/22/2026 10:00:00.000","100"` + "\r\n" + `"11/22/2026 10:00:01.000","340"` + "\r\n"
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, source, monitor.MaxSpeed)
	viewtest.AwaitEnd(t, d)
	v := shown(d)
	for _, row := range []string{"Ethernet 7", "Total (all ports)"} {
		if text := rowOf(t, v, row, 80); !strings.Contains(text, " 240") {
			t.Errorf("the row of %s is %q; 240 packets a second were dropped", row, text)
		}
	}
}

// TestDiscardsOfASecondNameCountOnce checks a log that has a port twice, also under its description: the totals and the row of
// the log must count its discards once.
func TestDiscardsOfASecondNameCountOnce(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`"(PDH-CSV 4.0) (UTC)(0)"`)
	for _, instance := range []string{"Mellanox WinOF-2 Port Traffic(Ethernet 7)", "Network Interface(Mellanox ConnectX-5 Ex Ethernet Adapter)"} {
		for _, counter := range []string{"Bytes Received/sec", "Bytes Sent/sec", "Packets Outbound Discarded"} {
			fmt.Fprintf(&b, `,"\\HOST\%s\%s"`, instance, counter)
		}
	}
	b.WriteString("\r\n")
	for n := range 20 {
		fmt.Fprintf(&b, `"11/22/2026 10:00:%02d.000","1000000","2000000","%[2]d","1000000","2000000","%[2]d"`+"\r\n", n, 1000000+27000*n)
	}
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, source, monitor.MaxSpeed)
	viewtest.AwaitEnd(t, d)
	v := shown(d)
	if rowOf(t, v, "Mellanox", 80) == "" || rowOf(t, v, "Ethernet 7", 80) == "" {
		t.Error("the log has only one of the two names")
	}
	for i, n := range v.nodes() {
		if n.Kind == perf.AdapterNode && v.figures[i].drops != 27000 {
			t.Errorf("%s drops %g packets a second, not 27000", n.Name, v.figures[i].drops)
		}
	}
	if got := v.totals.drops; got != 27000 {
		t.Errorf("in all %g packets are dropped a second, not 27000", got)
	}
}

// TestCardsWithOneNameShowTheirAddress checks that adapters with equal names show their addresses at every width.
func TestCardsWithOneNameShowTheirAddress(t *testing.T) {
	t.Parallel()
	description := description.Default()
	for i := range description.Adapters {
		description.Adapters[i].Name = "ConnectX-5 Ex"
	}
	model, err := device.New(description, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, source, 1)
	v := shown(d)
	for _, width := range []int{60, 80, 100, 120, 200} {
		text := viewtest.Body(v, width, 40).Text()
		for i := range description.Adapters {
			if address := description.Adapters[i].PCI.String(); !strings.Contains(text, address) {
				t.Errorf("%d columns: the card at %s has no address in\n%s", width, address, text)
			}
		}
	}
}

// TestSpeedsAreWhole checks that the speed of an InfiniBand port is not cut beside cards that need their address.
func TestSpeedsAreWhole(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Large(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	v := shown(viewtest.Watch(t, source, 1))
	for _, width := range []int{80, 81, 90, 100, 120, 200} {
		if row := rowOf(t, v, "Ethernet 14", width); !strings.Contains(row, " 100 Gb/s ") {
			t.Errorf("%d columns: %s", width, row)
		}
	}
}

// TestStatesAreWhole checks that the longest state is not cut on a screen that has room for it.
func TestStatesAreWhole(t *testing.T) {
	t.Parallel()
	host := viewtest.Lab(t).Host().Lab().Description().Host.Name
	v := shown(viewtest.WatchLab(t, 3, map[int]driver.Operation{1: adapters.Reboot{Host: host}}))
	for _, width := range []int{110, 120, 140, 200} {
		if row := rowOf(t, v, "Ethernet 7", width); !strings.Contains(row, " restarting ") {
			t.Errorf("%d columns: %s", width, row)
		}
	}
}
