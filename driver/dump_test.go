package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/dump"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/registry/edit"
)

const dumpCard = "ConnectX-3 Pro"

// storeBus stores values of the keys of the bus driver and of the card, and reloads the driver so that it reads them.
func storeBus(t *testing.T, h *Host, values ...string) {
	t.Helper()
	for i := 0; i < len(values); i += 2 {
		mustApply(t, h, edit.SetValue{Adapter: dumpCard, Key: values[i], Value: values[i+1]})
	}
	reloaded(t, h)
}

func reloaded(t *testing.T, h *Host) {
	t.Helper()
	mustApply(t, h, adapters.ReloadDriver{Driver: "mlx4"})
	h.Advance(10 * time.Second)
}

// incidents returns the folders of Dump Me Now by their slots.
func incidents(h *Host) (list []string) {
	for _, slot := range h.Dumps().Slots {
		list = append(list, fmt.Sprint(slot.Slot))
	}
	slices.Sort(list)
	return list
}

func files(h *Host, pattern string) []hostfiles.File { return h.Dumps().Files.List(pattern) }

// TestDumpMeNowWritesAFolder is DMN-1, DMN-3, DMN-4, DMN-7, DMN-8 and DMN-10.
func TestDumpMeNowWritesAFolder(t *testing.T) {
	t.Parallel()
	d := *description.Default()
	d.Epoch = time.Date(2017, 4, 13, 7, 48, 42, 747_000_000, time.UTC)
	h := NewHost(must(device.New(&d, 5)))
	h.Advance(20 * time.Second)
	before := h.events.Last()
	mustApply(t, h, dump.RequestIncident{Adapter: dumpCard})
	const folder = `C:\Windows\temp\Mlx4_Dump_Me_Now\dmn-Mellanox ConnectX-3 Pro Ethernet Adapter-GENERAL-USER-NA--4.13.2017-07.49.02.747`
	events := h.EventsAfter(before)
	if len(events) != 1 || events[0].ID != 0x100 || events[0].Channel != "System" || !strings.Contains(events[0].Message, folder) {
		t.Fatalf("the events are %+v", events)
	}
	var names []string
	for _, f := range files(h, folder) {
		names = append(names, strings.TrimPrefix(f.Path, folder+`\`))
		if f.Size == 0 {
			t.Errorf("%s is empty", f.Path)
		}
	}
	if want := []string{"eq_dump.txt", "fw_commands.txt", "fw_traces.txt", "mst_dump.txt"}; !slices.Equal(names, want) {
		t.Errorf("the files are %v, want %v", names, want)
	}
	data, err := h.Dumps().Files.Read(folder+`\mst_dump.txt`, folder+`\fw_commands.txt`)
	if err != nil {
		t.Fatal(err)
	}
	port := portOf(t, h, "Ethernet 3")
	received := h.lab.Counters()[counter.Cell(port, counter.ReceivedPackets)]
	line := fmt.Sprintf("0x%08x 0x%08x\n0x%08x 0x%08x\n", 0x101000+8*counter.ReceivedPackets, received>>32, 0x101004+8*counter.ReceivedPackets, uint32(received&0xffff_ffff))
	if received == 0 || !strings.Contains(string(data[0]), line) {
		t.Errorf("the register dump has no counter of received packets: %s", line)
	}
	posted := uint64(0)
	for p := port; p < port+2; p++ {
		posted += h.lab.Counters()[counter.Cell(p, counter.Commands)]
	}
	if text := string(data[1]); !strings.Contains(text, fmt.Sprintf("driver: %d;", posted)) || !strings.Contains(text, "INIT_PORT") || !strings.Contains(text, fmt.Sprintf("0x%04x  0x049", posted)) {
		t.Errorf("the commands are\n%s", text)
	}
}

// TestDumpMeNowHasSlots is the table of DMN-11 and DMN-12, which counts incidents from 1.
func TestDumpMeNowHasSlots(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	storeBus(t, h, "DumpMeNowTotalCount", "4", "DumpMeNowPreservedCountMin", "1")
	want := map[int]int{1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 2, 7: 3, 8: 1, 9: 2, 10: 3}
	folders := map[int]string{}
	for incident := 1; incident <= 10; incident++ {
		h.Advance(time.Second)
		mustApply(t, h, dump.RequestIncident{Adapter: dumpCard})
		slots := h.Dumps().Slots
		newest := slots[len(slots)-1]
		if newest.Slot != want[incident] || h.Dumps().Incidents != incident {
			t.Fatalf("incident %d is in slot %d, want %d", incident, newest.Slot, want[incident])
		}
		folders[incident] = newest.Folder
	}
	for incident, folder := range folders {
		if kept := len(files(h, folder)) > 0; kept != slices.Contains([]int{1, 8, 9, 10}, incident) {
			t.Errorf("incident %d is kept: %t", incident, kept)
		}
	}
	if got := incidents(h); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("the slots are %v", got)
	}
	// DMN-14: the number continues after a restart of the driver, and begins again when no folder exists.
	reloaded(t, h)
	mustApply(t, h, dump.RequestIncident{Adapter: dumpCard})
	if h.Dumps().Incidents != 11 {
		t.Errorf("after a restart of the driver the incident has the number %d", h.Dumps().Incidents)
	}
	mustApply(t, h, dump.RemoveFiles{Pattern: `*\Mlx4_Dump_Me_Now\*`})
	mustApply(t, h, dump.RequestIncident{Adapter: dumpCard})
	if h.Dumps().Incidents != 1 || !slices.Equal(incidents(h), []string{"0"}) {
		t.Errorf("without folders the incident has the number %d, slots %v", h.Dumps().Incidents, incidents(h))
	}
}

// TestDumpMeNowFails is DMN-10 and DMN-13: event 0x101, and no folder.
func TestDumpMeNowFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys []string
		want []string
	}{
		"no dumps at all":  {[]string{"DumpMeNowTotalCount", "0"}, []string{"leave no folder that may be overwritten", "0xC0000044"}},
		"all preserved":    {[]string{"DumpMeNowTotalCount", "2", "DumpMeNowPreservedCountMin", "2"}, []string{"leave no folder", "0xC0000044"}},
		"no such disk":     {[]string{"DumpMeNowDirectory", `\??\E:\Dumps`}, []string{`root \??\E:\Dumps`, "the path was not found", "0xC000003A"}},
		"an invalid path":  {[]string{"DumpMeNowDirectory", `\??\C:\a\..\b`}, []string{"is invalid", "0xC0000033"}},
		"a full disk":      {nil, []string{"not enough space on the disk", "0xC000007F"}},
		"another disk":     {[]string{"DumpMeNowDirectory", `\??\D:\Dumps`}, nil},
		"counts as DWORDs": {[]string{"DumpMeNowTotalCount", "0x2", "DumpMeNowPreservedCountMin", "0x0"}, nil},
	} {
		h := newHost(t, 5)
		storeBus(t, h, c.keys...)
		if name == "a full disk" {
			h.dumps = dump.State{}
			big := []hostfiles.Content{{Name: "x", Data: make([]byte, hostfiles.MaxBytes-1000)}}
			if err := h.dumpSet().Files.Add(`C:\Windows\temp`, h.Now(), big); err != nil {
				t.Fatal(err)
			}
		}
		if name == "all preserved" {
			mustApply(t, h, dump.RequestIncident{Adapter: dumpCard}, dump.RequestIncident{Adapter: dumpCard})
		}
		before, had := h.events.Last(), len(incidents(h))
		mustApply(t, h, dump.RequestIncident{Adapter: dumpCard})
		event := h.EventsAfter(before)[0]
		if failed := len(c.want) > 0; failed != (event.ID == 0x101) || failed != (event.Severity == eventlog.Error) || failed != (len(incidents(h)) == had) {
			t.Errorf("%s: %+v, slots %v", name, event, incidents(h))
		}
		for _, part := range c.want {
			if !strings.Contains(event.Message, part) {
				t.Errorf("%s: %q lacks %q", name, event.Message, part)
			}
		}
	}
	h := newHost(t, 5)
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{dump.RequestIncident{Adapter: "ConnectX-5 Ex"}}}); err == nil || !strings.Contains(err.Error(), "only the WinOF driver") {
		t.Errorf("a dump of WinOF-2: %v", err)
	}
}

// TestDmnIovModeSelectsTheObjects has what each DmnIovMode writes on a card with virtual functions.
func TestDmnIovModeSelectsTheObjects(t *testing.T) {
	t.Parallel()
	d := *description.Large()
	d.Adapters = slices.Clone(d.Adapters[:1])
	d.Flows = slices.DeleteFunc(slices.Clone(d.Flows), func(f description.Flow) bool { return f.Port != "Ethernet 1" && f.Port != "Ethernet 2" })
	d.Faults = nil
	card := &d.Adapters[0]
	card.Family, card.DeviceID, card.Ports = description.WinOF, 0x1007, slices.Clone(card.Ports)
	for i := range card.Ports {
		card.Ports[i].VirtualFunctions = 30
	}
	sizes := map[string]int{}
	for _, mode := range []string{"0", "1", "2", "3", "4", ""} {
		h := NewHost(must(device.New(&d, 5)))
		if mode != "" {
			mustApply(t, h, edit.SetValue{Adapter: card.Name, Key: "DmnIovMode", Value: mode}, adapters.ReloadDriver{Driver: "mlx4"})
			h.Advance(10 * time.Second)
		}
		mustApply(t, h, dump.RequestIncident{Adapter: card.Name})
		for _, f := range files(h, "iov_objects.txt") {
			sizes[mode] = f.Size
		}
	}
	if sizes["0"] != 0 || sizes["1"] == 0 || sizes["2"] <= sizes["1"] || sizes["3"] <= sizes["2"] || sizes["4"] <= sizes["3"] || sizes[""] < sizes["2"]-100 || sizes[""] > sizes["2"]+100 {
		t.Errorf("the sizes by mode are %v", sizes)
	}
}

// sets returns the numbers of files by the start of their names: the event with its number.
func sets(h *Host) map[string]int {
	found := map[string]int{}
	for _, f := range files(h, `C:\Windows\temp\*.log`) {
		name := f.Path[strings.LastIndex(f.Path, `\`)+1:]
		parts := strings.Split(name, "_")
		found[parts[4]+" "+parts[5]]++
	}
	return found
}

func flap(t *testing.T, h *Host, connection string, times int) {
	t.Helper()
	for range times {
		mustApply(t, h, hardware.PullCable{Connection: connection})
		h.Advance(time.Second)
		mustApply(t, h, hardware.PlugCable{Connection: connection})
		h.Advance(5 * time.Second)
	}
}

// TestWinOFDumpsItsState is SD-1 and SD-4 to SD-9: six files for each change of a port, at most 20 sets for each event.
func TestWinOFDumpsItsState(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	flap(t, h, "Ethernet 3", 2)
	if got := sets(h); len(got) != 4 || got["p000 eth-down-1"] != 6 || got["p001 eth-down-1"] != 6 || got["p000 eth-up-1"] != 6 {
		t.Errorf("the sets are %v", got)
	}
	for _, name := range []string{"crspace_0", "crspace_1", "crspace_2", "eq_dump_0", "eq_print_0", "fwtrace_0"} {
		if len(files(h, `C:\Windows\temp\SingleFunc_130_0_0_p001_eth-down-1_`+name+".log")) != 1 {
			t.Errorf("there is no %s in %v", name, files(h, ""))
		}
	}
	flap(t, h, "Ethernet 3", 20)
	if got := len(files(h, "*eth-down-1*")); got != 120 {
		t.Errorf("22 changes wrote %d files, want 120", got)
	}
	for flags, want := range map[string][2]bool{"0x4": {false, true}, "0x10": {true, false}, "0x1C": {false, false}, "0": {true, true}} {
		h := newHost(t, 5)
		mustApply(t, h, set("Ethernet 3", "DumpModeFlags", flags), adapters.ReloadDriver{Driver: "mlx4"})
		h.Advance(10 * time.Second)
		mustApply(t, h, dump.RemoveFiles{Pattern: "*"})
		flap(t, h, "Ethernet 3", 1)
		if got := [2]bool{len(files(h, "*eth-down-1*")) > 0, len(files(h, "*eth-up-1*")) > 0}; got != want {
			t.Errorf("DumpModeFlags %s: down, up %v, want %v", flags, got, want)
		}
	}
	h = newHost(t, 5)
	storeBus(t, h, "DumpEventsNum", "1")
	mustApply(t, h, dump.RemoveFiles{Pattern: "*"})
	flap(t, h, "Ethernet 4", 3)
	if got := sets(h); got["p001 ib-up-2"] != 0 || got["p001 ib-down-2"] != 0 {
		t.Errorf("with DumpEventsNum 1 the sets are %v", got)
	}
}

// TestWinOF2DumpsItsState is SD-2, SD-3 and the tests of the specification: nothing when a link goes down, unless a key asks for it, and
// three files for a stuck queue, unless a key forbids it.
func TestWinOF2DumpsItsState(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	flap(t, h, "Ethernet 7", 1)
	if got := files(h, ""); len(got) != 0 {
		t.Errorf("a link that goes down wrote %v", got)
	}
	mustApply(t, h, set("Ethernet 7", "EnableDumpOnPortDown", "1"), adapters.ReloadDriver{Driver: "mlx5"})
	h.Advance(10 * time.Second)
	flap(t, h, "Ethernet 7", 2)
	if got := sets(h); len(got) != 2 || got["p000 eth-down-1"] != 3 || got["p001 eth-down-1"] != 3 {
		t.Errorf("with EnableDumpOnPortDown the sets are %v", got)
	}
	h = newHost(t, 5)
	mustApply(t, h, set("Ethernet 5", "EnableDumpOnUnknownLink", "1"), set("Ethernet 5", "EnableDumpOnPortDown", "1"), set("Ethernet 5", "bus-driver/DumpEventsNum", "2"), adapters.ReloadDriver{Driver: "mlx5"})
	h.Advance(10 * time.Second)
	for range 3 {
		mustApply(t, h, adapters.RestartAdapter{Connection: "Ethernet 5"})
		h.Advance(10 * time.Second)
	}
	if got := sets(h); len(got) != 2 || got["p000 eth-unknown-1"] != 3 || got["p001 eth-unknown-1"] != 3 {
		t.Errorf("with EnableDumpOnUnknownLink and DumpEventsNum 2 the sets of a restarted port are %v", got)
	}
	for stored, want := range map[[2]string]int{
		{}: 3, {"DisableDumpOnTxCqStuck", "1"}: 0, {"MstDumpMode", "0"}: 0, {"MstDumpMode", "1"}: 3, {"DisableDumpOnRxCqStuck", "1"}: 3,
	} {
		h := newHost(t, 5)
		if stored[0] != "" {
			mustApply(t, h, set("Ethernet 7", stored[0], stored[1]), adapters.ReloadDriver{Driver: "mlx5"})
			h.Advance(10 * time.Second)
		}
		mustApply(t, h, hardware.SetFault{Connection: "Ethernet 7", Fault: description.SendHang, Share: 1})
		before := h.events.Last()
		h.Advance(20 * time.Second)
		logged := ""
		for _, e := range h.EventsAfter(before) {
			if e.Key == "mlx5.mstdump-fatal" {
				logged = e.Message
			}
		}
		if got := len(files(h, "*_t000_eth-txcq-stuck-1_crspace_*")); got != want || (want > 0) != strings.Contains(logged, "SingleFunc_4_0_0_t000_eth-txcq-stuck-1_crspace_0.log") && (want > 0) != strings.Contains(logged, "MultiFunc_4_0_0_t000_eth-txcq-stuck-1_crspace_0.log") {
			t.Errorf("%s: %d files, want %d, and the event %q; %v", stored, got, want, logged, files(h, ""))
		}
	}
}

// TestSensorsDump is the second trigger of DMN-1: a sensor whose bit is set in SHSensorsDumpMask.
func TestSensorsDump(t *testing.T) {
	t.Parallel()
	for mask, want := range map[string]bool{"8": true, "0": false} {
		h := newHost(t, 5)
		mustApply(t, h, edit.SetValue{Adapter: dumpCard, Key: "DumpMeNowDirectory", Value: `\??\D:\Dumps`}, set("Ethernet 3", "SHSensorsDumpMask", mask), adapters.ReloadDriver{Driver: "mlx4"})
		h.Advance(10 * time.Second)
		mustApply(t, h, hardware.SetFault{Connection: "Ethernet 3", Fault: description.SendHang, Share: 1})
		h.Advance(25 * time.Second)
		if got := len(files(h, `D:\Dumps\dmn-*-GENERAL-SH-NA--*\mst_dump.txt`)) > 0; got != want {
			t.Errorf("SHSensorsDumpMask %s: %t; %v", mask, got, files(h, ""))
		}
	}
}

// TestStuckQueuesAreDumped is SD-2 for the event queue and the receive queue, with the key that forbids the dump and without.
func TestStuckQueuesAreDumped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fault, key, name string }{
		{"event-queue-stuck", "DisableDumpOnEqStuck", "*_e000_eth-eq-stuck-1_crspace_*"}, {"receive-hang", "DisableDumpOnRxCqStuck", "*_r000_eth-rxcq-stuck-1_crspace_*"},
	} {
		for value, want := range map[string]int{"0": 3, "1": 0} {
			h := newHost(t, 5)
			mustApply(t, h, set("Ethernet 7", c.key, value), adapters.ReloadDriver{Driver: "mlx5"})
			h.Advance(10 * time.Second)
			mustApply(t, h, healing.InjectFault{Connection: "Ethernet 7", Fault: c.fault, On: true})
			h.Advance(20 * time.Second)
			if got := len(files(h, c.name)); got != want {
				t.Errorf("%s with %s %s: %d files, want %d; %v", c.fault, c.key, value, got, want, files(h, "*.log"))
			}
		}
	}
}

// TestDumpsOnRequest is SD-11 and SD-12: a set with its own tag, whatever the keys say.
func TestDumpsOnRequest(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	mustApply(t, h, set("Ethernet 3", "DumpModeFlags", "0x1C"), set("Ethernet 5", "MstDumpMode", "0"))
	mustApply(t, h, dump.RequestState{Connection: "Ethernet 3"}, dump.RequestState{Connection: "Ethernet 5"}, dump.RequestState{Connection: "Ethernet 3"})
	if got := sets(h); got["u000 user"] != 6 || got["u001 user"] != 6 || got["o000 oid"] != 3 {
		t.Errorf("the sets are %v", got)
	}
	events := h.EventsAfter(0)
	if last := events[len(events)-1]; last.Key != "mlx5.mstdump-oid" || !strings.Contains(last.Message, "SingleFunc_5_0_0_o000_oid_crspace_0.log") {
		t.Errorf("the event is %+v", last)
	}
}

// TestDumpsAreSaved saves and restores a host with dumps and a stopped trace, and refuses damaged ones.
func TestDumpsAreSaved(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	flap(t, h, "Ethernet 3", 1)
	mustApply(t, h, dump.RequestIncident{Adapter: dumpCard}, dump.StopTrace{Session: dump.SessionName})
	if err := sameAfterSave(h.lab.Description(), h); err != nil {
		t.Fatal(err)
	}
	back := must(RestoreHost(h.lab.Description(), mustSave(t, h)))
	for _, f := range files(h, "") {
		read, err1 := h.Dumps().Files.Read(f.Path)
		two, err2 := back.Dumps().Files.Read(f.Path)
		if err1 != nil || err2 != nil || string(read[0]) != string(two[0]) {
			t.Errorf("%s came back otherwise: %v, %v", f.Path, err1, err2)
		}
	}
	for name, spoil := range map[string]func(*dump.State){
		"a path":      func(s *dump.State) { s.Files.Folders[0].Path = `C:\..` },
		"a size":      func(s *dump.State) { s.Files.Folders[0].Files[0].Size = -1 },
		"a slot":      func(s *dump.State) { s.Slots[0].Slot = -1 },
		"an incident": func(s *dump.State) { s.Incidents = -1 },
		"a card":      func(s *dump.State) { s.Sets[0].Adapter = "x" },
		"a trace":     func(s *dump.State) { s.Trace.MaxMB = -1 },
		"a name":      func(s *dump.State) { s.Files.Folders[0].Files[0].Name = `a\b` },
		"too large":   func(s *dump.State) { s.Files.Folders[0].Files[0].Size = hostfiles.MaxBytes + 1 },
	} {
		bad := must(RestoreHost(h.lab.Description(), mustSave(t, h)))
		spoil(&bad.dumps)
		if _, err := RestoreHost(h.lab.Description(), mustSave(t, bad)); err == nil {
			t.Errorf("%s: it was restored", name)
		}
	}
}

// TestTraceSession is the procedure of the manual: the session runs, stops before its file is copied, and returns at the next boot.
func TestTraceSession(t *testing.T) {
	t.Parallel()
	h := newHost(t, 5)
	flap(t, h, "Ethernet 3", 1)
	running, ok := h.Dumps().Session()
	if !ok || !running.Running || running.MaxMB != 100 || running.Bytes == 0 {
		t.Fatalf("the session is %+v", running)
	}
	mustApply(t, h, dump.StopTrace{Session: "mellanox-kernel"})
	data, err := h.Dumps().Files.Read(running.Path)
	if err != nil || len(data[0]) != running.Bytes || !strings.Contains(string(data[0]), "link down on port 1") {
		t.Fatalf("the file is %s, %v", data, err)
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{dump.StopTrace{Session: dump.SessionName}}}); err == nil {
		t.Error("it was stopped twice")
	}
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(2 * time.Minute)
	if s, _ := h.Dumps().Session(); !s.Running || len(files(h, "Mellanox-System.etl.001")) != 1 || len(files(h, running.Path)) != 0 {
		t.Errorf("after a boot the session is %+v, files %v", s, files(h, "*.etl*"))
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{dump.StopTrace{Session: "Melloanox-Kernel"}}}); err == nil {
		t.Error("another session was stopped")
	}
	mustApply(t, h, dump.StopTrace{Session: dump.SessionName}, dump.StartTrace{Session: dump.SessionName, MaxMB: 1})
	if s, _ := h.Dumps().Session(); s.MaxMB != 1 || !s.Running {
		t.Errorf("the session is %+v", s)
	}
	if err := sameAfterSave(h.lab.Description(), h); err != nil {
		t.Error(err)
	}
}

// BenchmarkDumpState writes a state dump of a WinOF card.
func BenchmarkDumpState(b *testing.B) {
	h := newHost(b, 5)
	h.Advance(time.Minute)
	port, _ := h.port("Ethernet 3")
	for b.Loop() {
		h.dumps = dump.State{}
		h.dumpSet().DumpState(port, dump.PortDown)
	}
	packed := 0
	for _, f := range h.dumps.Files.Folders {
		packed += len(f.Packed)
	}
	b.ReportMetric(float64(packed), "packed-B")
	b.ReportMetric(float64(h.dumps.Files.Used()), "B")
}
