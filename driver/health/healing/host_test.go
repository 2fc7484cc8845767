package healing_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

const (
	winof  = "Ethernet 3"
	other  = "Ethernet 4" // the other port of its card
	winof2 = "Ethernet 7"
)

func newHost(t *testing.T) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

func apply(t *testing.T, h *driver.Host, operations ...driver.Operation) {
	t.Helper()
	if _, err := h.Apply(driver.Plan{Title: "Test", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

func set(connection, key, value string) driver.Operation {
	return edit.SetValue{Connection: connection, Key: key, Value: value}
}

func inject(connection, fault string) driver.Operation {
	if fault == "send-hang" {
		return hardware.SetFault{Connection: connection, Fault: description.SendHang, Share: 1}
	}
	return healing.InjectFault{Connection: connection, Fault: fault, On: true}
}

// logged returns the events with a key, as the seconds after the host's first moment.
func logged(h *driver.Host, key string) (seconds []float64) {
	for _, e := range h.EventsAfter(0) {
		if e.Key == key {
			seconds = append(seconds, e.Time.Sub(h.Lab().Description().Epoch).Seconds())
		}
	}
	return seconds
}

func message(t *testing.T, h *driver.Host, key string) string {
	t.Helper()
	events := h.EventsAfter(0)
	for _, e := range slices.Backward(events) {
		if e.Key == key {
			return e.Message
		}
	}
	t.Errorf("no event %s", key)
	return ""
}

// TestTimelines replays the timelines of the manual and the numbers that follow from them (SH-1 to SH-4, SH-15).
func TestTimelines(t *testing.T) {
	t.Parallel()
	const stall, sends, receives = "mlx4.sh-hw-send-stall", "mlx4.sh-sw-send-stall", "mlx4.sh-sw-receive-stall"
	type step struct {
		at time.Duration
		do driver.Operation
	}
	at := func(seconds float64, do driver.Operation) step {
		return step{time.Duration(seconds * float64(time.Second)), do}
	}
	for _, c := range []struct {
		name  string
		steps []step
		until float64
		event string
		want  []float64
	}{
		{"defaults", []step{at(0, inject(winof, "send-hang"))}, 30, stall, []float64{16}},
		{"just before a check", []step{at(3.9, inject(winof, "send-hang"))}, 30, stall, []float64{20}},
		{"with a check", []step{at(4, inject(winof, "send-hang"))}, 30, stall, []float64{20}},
		{"receives", []step{at(0, inject(winof, "receive-hang"))}, 30, receives, []float64{16}},
		{"completions", []step{at(0, inject(winof, "completion-hang"))}, 40, sends, []float64{32}},
		{"interval 1, 1000 checks", []step{
			at(0, set(winof, "SHCheckForHangTimeInSeconds", "1")), at(0, set(winof, "CheckForHangCQMaxNoProgress", "1000")), at(4, inject(winof, "send-hang")),
		}, 1010, stall, []float64{1004}},
		{"interval 10, 3 checks", []step{
			at(0, set(winof, healing.IntervalKey, "10")), at(0, set(winof, healing.ChecksKey, "3")), at(4, inject(winof, "send-hang")),
		}, 50, stall, []float64{34}},
		{"interval 10, 3 checks, completions", []step{
			at(0, set(winof, healing.IntervalKey, "10")), at(0, set(winof, healing.ChecksKey, "3")), at(4, inject(winof, "completion-hang")),
		}, 80, sends, []float64{64}},
		{"fewer checks while it counts", []step{at(0, inject(winof, "send-hang")), at(9, set(winof, healing.ChecksKey, "2"))}, 30, stall, []float64{12}},
		{"more checks while it counts", []step{at(0, inject(winof, "send-hang")), at(13, set(winof, healing.ChecksKey, "6"))}, 30, stall, []float64{24}},
		{"a longer interval after the current wait", []step{at(0, inject(winof, "send-hang")), at(9, set(winof, healing.IntervalKey, "10"))}, 40, stall, []float64{22}},
		{"a shorter interval after the current wait", []step{at(0, inject(winof, "send-hang")), at(9, set(winof, healing.IntervalKey, "1"))}, 40, stall, []float64{13}},
		{"a mask of the next check", []step{
			at(0, inject(winof, "send-hang")), at(15, set(winof, "SHMPResetActiveSensorsMask", "0xFFFFFFF7")),
		}, 40, stall, []float64{16, 32}},
		{"progress between", []step{
			at(0, inject(winof, "send-hang")), at(13, hardware.SetFault{Connection: winof, Fault: description.SendHang}), at(14, inject(winof, "send-hang")),
		}, 34, stall, []float64{32}},
		{"WinOF-2", []step{at(0, inject(winof2, "send-hang"))}, 30, "mlx5.tx-timeout", []float64{16}},
		{"WinOF-2, receives", []step{at(0, inject(winof2, "receive-hang"))}, 30, "mlx5.rx-timeout", []float64{16}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			for _, s := range c.steps {
				h.Advance(s.at - h.Lab().Elapsed())
				apply(t, h, s.do)
			}
			h.Advance(time.Duration(c.until*float64(time.Second)) - h.Lab().Elapsed())
			if got := logged(h, c.event); !slices.Equal(got, c.want) {
				t.Errorf("%s at %v, want %v", c.event, got, c.want)
			}
		})
	}
}

// TestOutcomes is the table of what follows a report by the bits of the sensor, with the event, the dump and the restart (SH-5 to
// SH-8, SH-11).
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for fault, sensor := range map[string]struct{ mask, event string }{
		"send-hang": {"0x00000008", "mlx4.sh-hw-send-stall"}, "completion-hang": {"0x00000010", "mlx4.sh-sw-send-stall"},
		"receive-hang": {"0x00000040", "mlx4.sh-sw-receive-stall"}, "receive-error": {"0x00010000", "mlx4.sh-receive-completion-error"},
		"send-error": {"0x00020000", "mlx4.sh-send-completion-error"},
	} {
		for _, c := range []struct {
			name, reset, dump    string
			withoutQueueLimit    bool
			wantReset, wantsDump bool
		}{
			{"both", "0xFFFFFFFF", sensor.mask, false, true, true},
			{"reset only", "0xFFFFFFFF", "0", false, true, false},
			{"dump only", "0xFFFCFFA7", sensor.mask, false, false, true},
			{"neither", "0xFFFCFFA7", "0", false, false, false},
			{"without the limit", "0xFFFFFFFF", sensor.mask, true, fault != "send-hang", true},
			{"dumps of errors", "0xFFFFFFFF", "0x00030000", false, true, strings.HasSuffix(fault, "-error")},
			{"no reset of sends", "0xFFFFFFF7", "0", false, fault != "send-hang", false},
		} {
			t.Run(fault+" "+c.name, func(t *testing.T) {
				t.Parallel()
				h := newHost(t)
				apply(t, h, set(winof, "SHMPResetActiveSensorsMask", c.reset), set(winof, healing.DumpMaskKey, c.dump))
				if c.withoutQueueLimit {
					apply(t, h, inject(winof, "head-of-queue-off"))
				}
				apply(t, h, inject(winof, fault))
				h.Advance(36 * time.Second)
				if len(logged(h, sensor.event)) == 0 {
					t.Errorf("no event %s", sensor.event)
				}
				if got := len(logged(h, "mlx4.sh-restarted")); (got == 1) != c.wantReset || got > 1 {
					t.Errorf("%d restarts", got)
				}
				if got := len(logged(h, "mlx4.dmn-created")) > 0; got != c.wantsDump {
					t.Errorf("dump: %t", got)
				}
				if c.wantReset {
					if got := message(t, h, "mlx4.sh-restarted"); !strings.Contains(got, winof) || !strings.Contains(got, sensor.mask) || !strings.HasSuffix(got, "restarts so far 1") {
						t.Errorf("the event says %q", got)
					}
				}
			})
		}
	}
}

// TestEndlessPause is SH-8 without a planted hang: a pause that holds all sends raises the sensor of hardware sends while the head-of-queue
// limit is off. WinOF writes a dump and does not restart.
func TestEndlessPause(t *testing.T) {
	t.Parallel()
	const stall = "mlx4.sh-hw-send-stall"
	pause := func(connection string, share float64) driver.Operation {
		return hardware.SetFault{Connection: connection, Fault: description.FarEndPause, Share: share}
	}
	for _, c := range []struct {
		name   string
		plan   []driver.Operation
		events map[string]int
	}{
		{"the limit drops the frames", []driver.Operation{pause(winof, 1)}, map[string]int{stall: 0}},
		{"no pause", []driver.Operation{inject(winof, "head-of-queue-off")}, map[string]int{stall: 0}},
		{"some frames pass", []driver.Operation{inject(winof, "head-of-queue-off"), pause(winof, 0.9)}, map[string]int{stall: 0}},
		{"held without limit", []driver.Operation{inject(winof, "head-of-queue-off"), pause(winof, 1)},
			map[string]int{stall: 3, "mlx4.dmn-created": 0, "mlx4.sh-restarted": 0}},
		{"with its dump", []driver.Operation{inject(winof, "head-of-queue-off"), pause(winof, 1), set(winof, healing.DumpMaskKey, "8")},
			map[string]int{stall: 3, "mlx4.dmn-created": 3, "mlx4.sh-restarted": 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			global := description.GlobalPause
			apply(t, h, qos.SetFlowControl{Priorities: []int{0, 1, 2, 3, 4, 5, 6, 7}}, set(winof, "*FlowControl", "3"),
				fabric.SetSwitchPort{Connection: winof, FlowControl: &global}, adapters.RestartAdapter{Connection: winof})
			h.Advance(10 * time.Second)
			apply(t, h, c.plan...)
			h.Advance(time.Minute)
			for key, want := range c.events {
				if got := logged(h, key); len(got) != want {
					t.Errorf("%s: %v, want %d", key, got, want)
				}
			}
			if want := c.events[stall]; want > 0 {
				if got := logged(h, stall)[0]; got < 10+16 || got > 10+20 {
					t.Errorf("reported after %g s", got-10)
				}
			}
		})
	}
}

// TestDumpDirectory has the dump of a sensor in the folder of its key.
func TestDumpDirectory(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	apply(t, h, set(winof, "DumpMeNowDirectory", `\??\D:\Dumps`), set(winof, healing.DumpMaskKey, "0x10000"), adapters.ReloadDriver{Driver: "mlx4"})
	h.Advance(10 * time.Second)
	apply(t, h, inject(winof, "receive-error"))
	h.Advance(time.Second)
	if got := message(t, h, "mlx4.dmn-created"); !strings.Contains(got, `D:\Dumps\`) {
		t.Errorf("the event says %q", got)
	}
}

// TestOnlyThePortRestarts is SH-10, SH-14 and SH-20.
func TestOnlyThePortRestarts(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	first, _ := h.Healing().Port(winof)
	second, _ := h.Healing().Port(other)
	count := func(port int, c counter.Port) uint64 { return h.Lab().Counters()[counter.Cell(port, c)] }
	third, _ := h.Healing().Port(winof2)
	apply(t, h, hardware.SetDropless{Connection: winof2, On: true}, inject(winof2, "receive-error"))
	h.Advance(10 * time.Second)
	if h.Lab().Dropless(third) {
		t.Error("dropless mode outlived the restart")
	}
	h.StartCounting(first)
	received, sent := count(first, counter.ReceivedBytes), count(second, counter.SentBytes)
	apply(t, h, inject(winof, "receive-error"))
	if h.State(first) != driver.Restarting || h.State(second) != driver.Running || !h.Lab().State(second).Up {
		t.Errorf("the ports are %v and %v", h.State(first), h.State(second))
	}
	h.Advance(1500 * time.Millisecond)
	if got := count(second, counter.SentBytes); got <= sent {
		t.Errorf("the other port has sent nothing meanwhile")
	}
	if got := count(first, counter.ReceivedBytes); got < received {
		t.Errorf("the counters of the adapter went back from %d to %d", received, got)
	}
	h.Advance(10 * time.Second)
	if len(logged(h, "mlx4.eth-started")) != 1 || h.Healing().Ports[first].Restarts != 1 || h.Healing().Ports[second].Restarts != 0 {
		t.Errorf("started %v, restarts %d", logged(h, "mlx4.eth-started"), h.Healing().Ports[first].Restarts)
	}
	apply(t, h, inject(winof, "send-error"))
	h.Advance(5 * time.Second)
	if got := message(t, h, "mlx4.sh-restarted"); !strings.HasSuffix(got, "restarts so far 2") {
		t.Errorf("the event says %q", got)
	}
	apply(t, h, adapters.ReloadDriver{Driver: "mlx4"})
	h.Advance(10 * time.Second)
	if got := h.Healing().Ports[first].Restarts; got != 0 {
		t.Errorf("%d restarts after the driver was loaded", got)
	}
}

// TestResetsThatFail is SH-12 and SH-13, with the resets of NDIS and of the operator.
func TestResetsThatFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		connection, obstacle, fault string
		events                      []string
		state                       driver.AdapterState
	}{
		{winof, "reset-fails", "receive-error", []string{"mlx4.sh-flow-failed", "mlx4.eth-reset-failed"}, driver.Running},
		{winof, "reset-stops", "receive-error", []string{"mlx4.sh-stopped"}, driver.Failed},
		{winof, "reset-fails", "request-hang", []string{"mlx4.eth-reset-failed"}, driver.Running},
		{winof2, "reset-fails", "request-hang", []string{"mlx5.reset-by-ndis", "mlx5.ndis-reset-failed"}, driver.Running},
		{winof2, "reset-fails", "cq-error", []string{"mlx5.cq-error"}, driver.Running},
		{winof2, "", "request-hang", []string{"mlx5.reset-by-ndis", "mlx5.reset-finished"}, driver.Running},
		{winof2, "", "event-queue-stuck", []string{"mlx5.eq-stuck", "mlx5.reset-by-miniport", "mlx5.reset-finished"}, driver.Running},
		{winof, "", "event-queue-stuck", []string{"mlx4.lost-eqe"}, driver.Running},
	} {
		h := newHost(t)
		port, _ := h.Healing().Port(c.connection)
		if c.obstacle != "" {
			apply(t, h, inject(c.connection, c.obstacle))
		}
		apply(t, h, inject(c.connection, c.fault))
		h.Advance(20 * time.Second)
		for _, key := range c.events {
			message(t, h, key)
		}
		if c.obstacle != "" && (h.State(port) != c.state || h.Healing().Ports[port].Restarts != 0 || len(logged(h, "mlx4.sh-restarted")) > 0) {
			t.Errorf("%+v: %v, %d restarts", c, h.State(port), h.Healing().Ports[port].Restarts)
		}
		if c.state == driver.Failed && h.Code(port) != 43 {
			t.Errorf("code %d", h.Code(port))
		}
	}
}

// TestSecondTier is SH-9 and SH-18: the mask has no effect on a virtual function, whose driver hangs again after its restart.
func TestSecondTier(t *testing.T) {
	t.Parallel()
	const connection = winof
	d := description.Default() // without the InfiniBand port of the card: with it, the card has no virtual functions
	for i := range d.Adapters {
		if a := &d.Adapters[i]; a.Family == description.WinOF {
			a.Ports, a.Flash = a.Ports[:1], map[string]int{"SRIOV_EN": 1, "NUM_OF_VFS": 8}
		}
	}
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == other })
	d.Faults = slices.DeleteFunc(d.Faults, func(f description.Fault) bool { return f.Port == other })
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	port, _ := h.Healing().Port(connection)
	apply(t, h, set(connection, "SHMPResetActiveSensorsMask", "0"), inject(connection, "head-of-queue-off"),
		healing.InjectFault{Connection: connection, Function: new(0), Fault: "vf-send-hang", On: true})
	h.Advance(17 * time.Second)
	if got := message(t, h, "mlx4.sh-hw-send-stall"); !strings.Contains(got, "VF 0") || h.State(port) != driver.Running || h.Healing().NeedsRestart(port, 0) {
		t.Errorf("%q, %v", got, h.State(port))
	}
	h.Advance(17 * time.Second)
	if got := message(t, h, "mlx4.sh-vf-second-tier"); !strings.Contains(got, "VF 0") || !strings.Contains(got, "0x00000008") || !h.Healing().NeedsRestart(port, 0) {
		t.Errorf("%q", got)
	}
	h.Advance(time.Minute)
	if n := len(logged(h, "mlx4.sh-vf-second-tier")); n != 1 {
		t.Errorf("%d events of the second tier", n)
	}
	apply(t, h, virtualization.ResetVF{Connection: connection, Function: 0})
	if h.Healing().NeedsRestart(port, 0) || len(h.Healing().Ports[port].Faults) != 1 {
		t.Errorf("after the restart by hand: %+v", h.Healing().Ports[port])
	}
}

// TestSavedInBetween saves and restores a host at every second: it goes on in the same way.
func TestSavedInBetween(t *testing.T) {
	t.Parallel()
	run := func(saves bool) *driver.Host {
		h := newHost(t)
		apply(t, h, inject(winof, "completion-hang"), inject(winof, "command-fails"), inject(winof2, "event-queue-stuck"))
		for range 45 {
			h.Advance(time.Second)
			if h.Lab().Elapsed() == 9*time.Second {
				apply(t, h, set(winof, healing.IntervalKey, "6"))
			}
			if !saves {
				continue
			}
			saved, err := h.Save()
			if err != nil {
				t.Fatal(err)
			}
			if h, err = driver.RestoreHost(h.Lab().Description(), saved); err != nil {
				t.Fatal(err)
			}
		}
		return h
	}
	keys := func(h *driver.Host) (list []string) {
		for _, e := range h.EventsAfter(0) {
			list = append(list, e.Time.String()+" "+e.Message)
		}
		return list
	}
	straight, cut := run(false), run(true)
	if got, want := keys(cut), keys(straight); !slices.Equal(got, want) {
		t.Errorf("the events are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.Equal(cut.Lab().Counters(), straight.Lab().Counters()) {
		t.Error("the counters differ")
	}
	saved, _ := straight.Save()
	if damaged := bytes.Replace(saved, []byte(`"name":"command-fails"`), []byte(`"name":"no-such-fault"`), 1); !bytes.Equal(damaged, saved) {
		if _, err := driver.RestoreHost(straight.Lab().Description(), damaged); err == nil {
			t.Error("an unknown fault is restored")
		}
	} else {
		t.Error("the fault is not saved")
	}
}

// TestSoftwareReset is SH-19: the reset of a device needs a device that no program uses, and AllowResetOnError.
func TestSoftwareReset(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	port, _ := h.Healing().Port(winof)
	_, card, _ := h.Lab().Port(port)
	reset := healing.ResetDevice{Adapter: h.Lab().Description().Adapters[card].Name}
	check := func() error { return h.Check(driver.Plan{Title: "x", Operations: []driver.Operation{reset}}) }
	h.Advance(time.Second)
	if err := check(); err != nil && strings.Contains(err.Error(), "a program uses") {
		apply(t, h, hardware.SetFault{Connection: winof, Fault: description.ApplicationExit, Share: 1}, hardware.SetFault{Connection: other, Fault: description.ApplicationExit, Share: 1})
	}
	if err := check(); err != nil {
		t.Fatal(err)
	}
	if got := h.Commands(reset); len(got) != 1 || !strings.HasPrefix(got[0], "mlxtool dbg sw-reset ") {
		t.Errorf("the commands are %q", got)
	}
	apply(t, h, set(winof, "AllowResetOnError", "0"), adapters.ReloadDriver{Driver: "mlx4"})
	h.Advance(10 * time.Second)
	if err := check(); err == nil || !strings.Contains(err.Error(), "AllowResetOnError") {
		t.Errorf("the reset is refused with %v", err)
	}
	apply(t, h, set(winof, "AllowResetOnError", "1"), adapters.ReloadDriver{Driver: "mlx4"})
	h.Advance(10 * time.Second)
	apply(t, h, reset)
	h.Advance(5 * time.Second)
	if h.State(port) != driver.Running || len(logged(h, "mlx4.eth-reset")) != 2 || h.Healing().Ports[port].Restarts != 0 {
		t.Errorf("%v, resets %v", h.State(port), logged(h, "mlx4.eth-reset"))
	}
	if err := h.Check(driver.Plan{Title: "x", Operations: []driver.Operation{healing.ResetDevice{Adapter: "ConnectX-5 Ex"}}}); err == nil {
		t.Error("a WinOF-2 card is reset")
	}
}

// TestCatalogueOfFaults checks the table: events with as many values as they have parameters, known sensors, faults of the lab.
func TestCatalogueOfFaults(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range healing.All() {
		if seen[f.Name] || f.What == "" || f.Effect == "" {
			t.Errorf("the fault %q is there twice, or is not explained", f.Name)
		}
		seen[f.Name] = true
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			key, values := f.Event(family)
			if key == "" {
				continue
			}
			if row, ok := eventlog.Catalogue().Lookup(key); !ok || len(row.Parameters) != len(values) {
				t.Errorf("%s: the event %s has other parameters than %q", f.Name, key, values)
			}
		}
		var kind description.FaultKind
		if own := kind.UnmarshalText([]byte(f.Name)) == nil; own != f.Own || f.Lab != "" && kind.UnmarshalText([]byte(f.Lab)) != nil {
			t.Errorf("%s is a fault of the lab: %t", f.Name, own)
		}
	}
}

// TestScheduledFaults has a schedule of the lab inject a driver fault, also over saves, and to the same second whatever the steps are.
func TestScheduledFaults(t *testing.T) {
	t.Parallel()
	d := description.Default()
	span := func(seconds int) []description.Duration {
		return []description.Duration{description.Duration(time.Duration(seconds) * time.Second), description.Duration(time.Duration(seconds) * time.Second)}
	}
	d.Schedules = append(d.Schedules, description.Schedule{Name: "bad hour", First: span(10), Every: span(60), Lasting: span(40)})
	d.DriverFaults = []description.DriverFault{{Port: winof, Fault: "receive-hang", Schedule: "bad hour"}}
	if err := healing.CheckSchedules(d); err != nil {
		t.Fatal(err)
	}
	run := func(step time.Duration) []float64 {
		lab, err := device.New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		h := driver.NewHost(lab)
		for h.Lab().Elapsed() < 150*time.Second {
			h.Advance(step)
			if step < 10*time.Second {
				continue
			}
			saved, err := h.Save()
			if err != nil {
				t.Fatal(err)
			}
			if h, err = driver.RestoreHost(d, saved); err != nil {
				t.Fatal(err)
			}
		}
		return logged(h, "mlx4.sh-sw-receive-stall")
	}
	want := run(150 * time.Second)
	if len(want) != 2 || want[0] < 26 || want[0] > 31 {
		t.Errorf("reported at %v", want)
	}
	for _, step := range []time.Duration{700 * time.Millisecond, 15 * time.Second} {
		if got := run(step); !slices.Equal(got, want) {
			t.Errorf("with steps of %s reported at %v, want %v", step, got, want)
		}
	}
	for _, wrong := range []string{"none", "send-hang", "vf-send-hang"} {
		d.DriverFaults[0].Fault = wrong
		if healing.CheckSchedules(d) == nil {
			t.Errorf("%s is allowed", wrong)
		}
	}
}
