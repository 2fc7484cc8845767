package twin

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/twin"
)

// recordedMachine lays out the recorded machine of package linuxhost below a folder.
func recordedMachine(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	file, err := os.Open("../../../driver/linuxhost/testdata/host.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var err error
		if path, text, ok := strings.Cut(lines.Text(), " = "); ok {
			path = filepath.Join(folder, path)
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(strings.ReplaceAll(text, `\n`, "\n")+"\n"), 0o600))
		} else if path, target, ok := strings.Cut(lines.Text(), " -> "); ok {
			path = filepath.Join(folder, path)
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.Symlink(target, path))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestTwinOfALinuxMachine: the bundle of a recorded machine is private, and its twin has the adapters, frames, virtual functions, the bond and
// its VLAN; what only Windows has is assumed.
func TestTwinOfALinuxMachine(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	home := t.TempDir()
	path := filepath.Join(home, "host.json")
	text, err := Collect(t.Context(), path, &Recorded{Folder: recordedMachine(t)}, now, &Sampling{}, false)
	if err != nil || !strings.Contains(text, "node17") || !strings.Contains(text, "1 adapter with 2 ports") {
		t.Fatalf("%q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := Collect(t.Context(), path, &Recorded{Folder: recordedMachine(t)}, now, &Sampling{}, false); err == nil || !strings.Contains(err.Error(), "--force replaces it") {
		t.Errorf("%v", err)
	}
	store := Store{filepath.Join(home, "twins")}
	d, _, err := store.Make(t.Context(), "kvm1", []string{path}, now, false)
	if err != nil {
		t.Fatal(err)
	}
	if d.Host.Name != "node17" || len(d.Adapters) != 1 {
		t.Fatalf("host %s with %d adapters", d.Host.Name, len(d.Adapters))
	}
	a := &d.Adapters[0]
	if a.DeviceID != 0x1019 || a.PCI.String() != "04:00.0" || a.PCIeGeneration != 3 || a.PCIeLanes != 8 || a.NUMANode != 1 || len(a.Ports) != 2 {
		t.Errorf("%+v", a)
	}
	first := &a.Ports[0]
	if first.Connection != "ens1f0np0" || first.MAC.String() != "24:8A:07:11:22:1C" || first.MaxFrame != 9014 || first.VirtualFunctions != 0 || a.Ports[1].MaxFrame != 1514 {
		t.Errorf("%+v", first)
	}
	assumed := strings.Join(d.Twin.Assumed, "\n")
	for _, want := range []string{"it runs Windows with the adapters of the Linux machine (kernel 6.8.0-45-generic)", "ens1f1np1: its link is up; on the Linux machine it was down",
		"the team bond0: its mode is Lacp with TransportPorts, for the bond's 802.3ad with layer3+4",
		"ens1f0np0: the far end is in aggregation group 1, as its team requires"} {
		if !strings.Contains(assumed, want) {
			t.Errorf("not assumed: %s\n%s", want, assumed)
		}
	}
	plant, err := device.NewPlant(d)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(plant.New(1))
	h.Advance(10 * time.Second)
	if teams := h.View().Teams; len(teams) == 1 && (!teams[0].Connected || teams[0].Why != "") {
		t.Errorf("the team is down or impaired: %s", teams[0].Why)
	}
	if teams := h.View().Teams; len(teams) != 1 || teams[0].Name != "bond0" || len(teams[0].Members) != 2 || len(teams[0].VLANs) == 0 ||
		!strings.Contains(strings.Join(d.Twin.Unknown, "\n"), "1 virtual function of ens1f0np0") {
		t.Errorf("teams %+v; unknown %q", teams, d.Twin.Unknown)
	}
}

// TestBundleSettings: rings, queues, pause and offloads become registry values, the nearest ones that Windows has; serial numbers are left out.
func TestBundleSettings(t *testing.T) {
	t.Parallel()
	m := &linuxhost.Machine{Name: "n\x1b[1m1", Kernel: "6.1", Adapters: []linuxhost.Adapter{{Address: "0000:82:00.0", Vendor: "15b3", Device: "1017", Driver: "mlx5_core", Serial: "MT1234", Board: "MT_0000000080", Firmware: "16.35.3502 (MT_0000000080)"}},
		Interfaces: []linuxhost.Interface{{Name: "eth2", Address: "24:8a:07:a4:e1:d0", Adapter: "0000:82:00.0", Up: true, Settings: []linuxhost.Setting{
			{Name: "ring.rx", Value: "8192"}, {Name: "ring.tx", Value: "1024"}, {Name: "channels.combined", Value: "63"}, {Name: "pause.rx", Value: "off"}, {Name: "pause.tx", Value: "off"}, {Name: "offload.tx-tcp-segmentation", Value: "off"},
		}, DCB: &linuxhost.DCB{PFC: []int{3}, Class: []int{0, 0, 0, 1, 0, 0, 0, 0}, Share: []int{50, 50, 0, 0, 0, 0, 0, 0}, Kind: []string{"ets", "ets", "", "", "", "", "", ""}}}},
		RDMA: []linuxhost.RDMAPort{{Device: "mlx5_0", Port: 1, Adapter: "0000:82:00.0", Interface: "eth2", GUID: "248a:0703:00a4:e1d0", Rate: "25 Gb/sec (1X EDR)", Layer: "Ethernet"}}}
	data, err := json.Marshal(twin.NewBundle(m, time.Unix(1_700_000_000, 0)))
	if err != nil || strings.Contains(string(data), "MT1234") {
		t.Fatalf("%s, %v", data, err)
	}
	facts := &twin.Facts{}
	if _, err := facts.Add("host.json", data); err != nil {
		t.Fatal(err)
	}
	d, err := twin.New(facts, "x", time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	p, a := &d.Adapters[0].Ports[0], &d.Adapters[0]
	if a.Firmware != "16.35.3502" || a.PSID != "MT_0000000080" || a.NodeGUID != 0x248a070300a4e1d0 || p.SpeedGbps != 25 || p.FlowControl != description.PriorityPause || !slices.Equal(p.Lossless, []int{3}) {
		t.Errorf("%+v", a)
	}
	lines := strings.Join(d.Twin.Registry, "\n")
	for _, want := range []string{`"*ReceiveBuffers"="4096"`, `"*TransmitBuffers"="1024"`, `"*NumRSSQueues"="16"`, `"*LsoV2IPv4"="0"`} {
		if !strings.Contains(lines, want) {
			t.Errorf("the registry lacks %s:\n%s", want, lines)
		}
	}
	if !strings.Contains(strings.Join(d.Twin.Assumed, "\n"), "eth2: *ReceiveBuffers is 4096, the nearest value of Windows to 8192") || strings.Contains(d.Host.Name, "\x1b") {
		t.Errorf("%s: %q", d.Host.Name, d.Twin.Assumed)
	}
	if setup := strings.Join(d.Twin.Setup, "\n"); !strings.Contains(setup, "tc1") {
		t.Errorf("setup %s; unknown %q", setup, d.Twin.Unknown)
	}
}

// samples returns a bundle with samples.
func samples(times, increases string) string {
	return `{"cxdeck_bundle":1,"machine":{},"samples":{"times":` + times + `,"counters":[{"path":"\\Network Interface(e)\\Bytes Sent/sec","increases":` + increases + `}]}}`
}

// TestHostileBundles: damaged bundles are refused in one sentence.
func TestHostileBundles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no machine": `{"cxdeck_bundle":1}`, "format": `{"cxdeck_bundle":7,"machine":{}}`, "types": `{"cxdeck_bundle":1,"machine":{"interfaces":"x"}}`,
		"few samples": samples(`["2026-03-02T14:00:00Z","2026-03-02T14:00:01Z"]`, `[0]`), "times": samples(`["2026-03-02T14:00:01Z","2026-03-02T14:00:01Z"]`, `[0,1]`),
		"many samples": samples("["+strings.Repeat(`"2026-03-02T14:00:01Z",`, twin.MaxSamples)+`"2026-03-02T14:00:01Z"]`, `[0]`), "fractions": samples(`["2026-03-02T14:00:01Z"]`, `[0.5]`),
		"number": `{"cxdeck_bundle":1,"machine":{"interfaces":[{"vlan":1` + strings.Repeat("0", 400) + `}]}}`,
	} {
		facts := &twin.Facts{}
		if _, err := facts.Add("host.json", []byte(text)); err == nil || strings.Count(err.Error(), "\n") > 0 || len(err.Error()) > 300 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
