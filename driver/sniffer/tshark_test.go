package sniffer_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cxdeck/device/capture/pcap"
	"cxdeck/driver"
	"cxdeck/driver/scenes"
	"cxdeck/driver/sniffer"
)

// TestTsharkReadsCaptures has tshark read captures of all ports in several scenes: no packet is malformed, no checksum is bad, and its counts by
// tag, DSCP and ECN equal the capture's. It needs tshark, and runs as a task.
func TestTsharkReadsCaptures(t *testing.T) {
	t.Parallel()
	if os.Getenv("CXDECK_LONG") == "" {
		t.Skip("it takes minutes: set CXDECK_LONG=1")
	}
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("%v: install tshark, the command line of Wireshark", err)
	}
	for _, name := range []string{"", "pause-storm", "incast"} {
		h := host(t)
		if name != "" {
			play(t, h, name)
		}
		for _, place := range sniffer.Places(h) {
			if !place.Up || place.Function > 0 {
				continue
			}
			t.Run(name+" "+place.Name, func(t *testing.T) {
				for _, ending := range []string{".pcap", ".pcapng"} {
					compare(t, tshark, h, place, filepath.Join(t.TempDir(), "a"+ending))
				}
			})
		}
	}
}

// play runs a scene where it is suggested.
func play(t *testing.T, h *driver.Host, name string) {
	t.Helper()
	s, found := scenes.Find(name)
	if !found {
		t.Fatalf("there is no scene %s", name)
	}
	plan, err := s.Plan(h, s.Connection(h))
	if err == nil {
		_, err = h.Apply(plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Advance(3 * time.Second)
}

// headers is what tshark finds in a packet: a key of counts.
type headers struct{ vlan, priority, dscp, ecn string }

func compare(t *testing.T, tshark string, h *driver.Host, place sniffer.Place, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want := map[headers]int{}
	result, err := sniffer.Run(t.Context(), h.Clone(), place, sniffer.Options{Frames: 2000, Bytes: 1 << 16}, file, pcap.FormatOf(path))
	if err != nil {
		t.Fatal(err)
	}
	for key, count := range result.Counts {
		k := headers{ecn: "0"}
		if key.VLAN >= 0 {
			k.vlan, k.priority = strconv.Itoa(key.VLAN), strconv.Itoa(key.Priority)
		}
		switch {
		case key.DSCP < 0:
			k.ecn = ""
		default:
			k.dscp = strconv.Itoa(key.DSCP)
		}
		if place.Link != pcap.Ethernet { // the tag of the model is the service level there
			k.vlan, k.priority = "", ""
		}
		want[k] += int(count.Frames)
	}
	out, err := exec.CommandContext(t.Context(), tshark, "-r", path, "-n", "-o", "tcp.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
		"-T", "fields", "-E", "occurrence=f", "-e", "_ws.malformed", "-e", "ip.checksum.status", "-e", "tcp.checksum.status", "-e", "udp.checksum.status",
		"-e", "vlan.id", "-e", "vlan.priority", "-e", "ip.dsfield.dscp", "-e", "ipv6.tclass.dscp", "-e", "ip.dsfield.ecn", "-e", "_ws.col.Protocol").Output()
	if err != nil {
		t.Fatal(err)
	}
	got, marked := map[headers]int{}, map[headers]int{}
	for n, line := range strings.Split(strings.TrimRight(string(out), "\n"), "\n") {
		field := strings.Split(line, "\t")
		if len(field) != 10 {
			t.Fatalf("tshark prints %q", line)
		}
		if field[0] != "" || field[1] == "0" || field[2] == "0" || field[3] == "0" {
			t.Errorf("frame %d of %s is malformed or has a bad checksum: %q", n+1, place.Name, line)
		}
		k := headers{vlan: field[4], priority: field[5], dscp: field[6] + field[7], ecn: "0"}
		if k.dscp == "" {
			k.ecn = ""
		}
		if field[8] == "3" {
			marked[headers{vlan: k.vlan, priority: k.priority, dscp: k.dscp}]++
		}
		got[k]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: tshark counts %s, the capture has %s", place.Name, sorted(got), sorted(want))
	}
	all := 0
	for _, n := range marked {
		all += n
	}
	for key, count := range result.Counts {
		if key.Marked {
			all -= int(count.Frames)
		}
	}
	if all != 0 {
		t.Errorf("%s: the numbers of marked frames differ by %d", place.Name, all)
	}
}

func sorted(m map[headers]int) string { return fmt.Sprint(m) }
