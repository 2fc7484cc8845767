package deck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// hostFacts returns the state of a host that screens show, as text: adapters, functions, machines and teams, and each key with its
// stored and effective value.
func hostFacts(t *testing.T, host *driver.Host) string {
	t.Helper()
	view := host.View()
	facts := []any{view}
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			keys, err := host.Keys(view.Adapters[i].Ports[j].Description.Connection)
			if err != nil {
				t.Fatal(err)
			}
			for k := range keys {
				facts = append(facts, keys[k].Row.Name, keys[k].Stored.String(), keys[k].Effective.String())
			}
		}
	}
	view.Now = time.Time{}
	text, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replayedHost seeks to a time and calls look with the restored host.
func replayedHost(t *testing.T, d *deck.Deck, at time.Time, look func(host *driver.Host)) {
	t.Helper()
	if err := d.Replay.Seek(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(time.Minute)
	for d.Replay.Restoring() {
		select {
		case <-d.Replay.Updates():
		case <-deadline:
			t.Fatalf("the host of %s was not restored", at)
		}
	}
	if err := d.Replay.ReadHost(context.Background(), func(host *driver.Host) error { look(host); return nil }); err != nil {
		t.Fatalf("at %s: %v (%v)", at, err, d.Replay.RecordedHostErr())
	}
}

// TestFewSnapshotsRestoreTheSameHost records a session and deletes most snapshots: at any time the restored host must have the
// recorded facts, and for the first 20 times also the recorded counters.
func TestFewSnapshotsRestoreTheSameHost(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	plan := func(operations ...driver.Operation) driver.Plan {
		return driver.Plan{Title: operations[0].Describe(), Operations: operations}
	}
	const each = 7 * time.Second
	facts, saved := map[int64]string{}, map[int64][]byte{}
	times := []time.Time{}
	d := viewtest.ReplayRecording(t, &viewtest.Recording{
		Samples: 200,
		Plans: map[int]driver.Plan{
			10: plan(hardware.PullCable{Connection: "Ethernet 5"}),
			20: plan(edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4014"}),
			30: plan(adapters.RestartAdapter{Connection: "Ethernet 7"}),
			45: plan(teams.Create{Name: "A", Type: "AFT", Family: description.WinOF2, GUID: "{11111111-2222-3333-4444-555555555555}"},
				teams.Attach{Team: "A", Connection: "Ethernet 8", Primary: true, SetMAC: true}),
			60:  plan(edit.SetValue{Connection: "Ethernet 7", Key: "*ReceiveBuffers", Value: "1024"}),
			110: plan(virtualization.SetVMAdapter{VM: "vm002", Adapter: "Network Adapter", VLAN: new(70)}),
			120: plan(edit.SetValue{Connection: "Ethernet 10", Key: "*JumboPacket", Value: "4014"}, adapters.RestartAdapter{Connection: "Ethernet 10"}),
			150: plan(hardware.PullCable{Connection: "Ethernet 6"}),
			170: plan(adapters.RestartAdapter{Connection: "Ethernet 7"}),
		},
		Undone: map[int]bool{50: true, 80: true, 160: true, 190: true},
		Keep:   func(sample int) bool { return sample == 150 },
		See: func(host *driver.Host) {
			at := host.Now()
			if n := len(times); n > 0 && !times[n-1].Equal(at) && at.Sub(times[n-1]) < each {
				return
			} else if n == 0 || !times[n-1].Equal(at) {
				times = append(times, at)
			}
			facts[at.UnixNano()] = hostFacts(t, host)
			if len(times) > 20 {
				return
			}
			data, err := host.Save()
			if err != nil {
				t.Fatal(err)
			}
			saved[at.UnixNano()] = data
		},
	})
	snapshots, err := d.DB.Snapshots(t.Context(), 1)
	if err != nil || len(snapshots) != 2 {
		t.Fatalf("%d snapshots, %v", len(snapshots), err)
	}
	exact := 0
	look := func(at time.Time) {
		replayedHost(t, d, at, func(host *driver.Host) {
			if hostFacts(t, host) != facts[at.UnixNano()] {
				t.Errorf("at %s the restored host differs from the recorded one", at.Format(time.TimeOnly))
			}
			want, ok := saved[at.UnixNano()]
			if !ok {
				return
			}
			exact++
			data, err := host.Save()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(data, want) {
				t.Errorf("at %s the host has other counters", at.Format(time.TimeOnly))
			}
		})
	}
	for _, at := range times { // forward
		look(at)
	}
	random := rand.New(rand.NewPCG(1, 41))
	for range 5 { // in random order
		look(times[random.IntN(len(times))])
	}
	if exact < 10 {
		t.Errorf("only %d moments were compared with all counters", exact)
	}
}
