package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/store/fault"
	"cxdeck/views/viewtest"
)

func TestBeforeAndAfterOfAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	d := viewtest.Replay(t, 240, map[int]driver.Operation{
		120: hardware.PullCable{Connection: "Ethernet 5"}, 200: adapters.RestartAdapter{Connection: "Ethernet 7"},
	})
	call := Call{Restore: d.Restore}
	got, err := run(t, d.DB, call, "show", "1")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, got, "change 1 ", "change 2 ", "Changes (2)")
	call.Change = 1
	if got, err = run(t, d.DB, call, "changed", "1"); err != nil {
		t.Fatal(err)
	}
	wants(t, got, "Change: 1, ", "No driver restarted", "Ethernet 5 ", " to 0, ", "Events only in the time after", "PART", "cable pulled", "three standard deviations")
	call.Change, call.JSON = 2, true
	got, err = run(t, d.DB, call, "changed", "1")
	var document struct {
		Sentence string
		Change   comparedChange
		Counters []counterJSON
	}
	if err != nil || json.Unmarshal([]byte(got), &document) != nil {
		t.Fatalf("%v: %s", err, got)
	}
	if c := document.Change; c.Number != 2 || c.InterruptedSeconds == nil || *c.InterruptedSeconds < 1 || c.NoisePeriods != 3 {
		t.Errorf("the change is %+v", c)
	}
	if len(document.Counters) == 0 || document.Counters[0].Noise == nil {
		t.Errorf("counters: %.300s", got)
	}
	for _, c := range []struct {
		change uint64
		from   string
		want   string
	}{{7, "", "no such change: 7; sessions show 1 lists"}, {1, "+10s", "--from and --to can't be given"}} {
		if _, err := run(t, d.DB, Call{Change: c.change, From: c.from}, "changed", "1"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("change %d from %q: %v", c.change, c.from, err)
		}
	}
	if got, err = run(t, d.DB, Call{}, "compare", "1", "1"); err != nil || !strings.Contains(got, "not compared: the lab description of the session is not loaded") {
		t.Errorf("without a lab: %v\n%s", err, got)
	}
}

// A registry file counts the changes whose values it has, and says what it leaves out.
func TestRegistryExportCountsItsChanges(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 20, map[int]driver.Operation{
		5:  edit.SetValue{Connection: "Ethernet 8", Key: "*ReceiveBuffers", Value: "1024"},
		8:  hardware.PullCable{Connection: "Ethernet 5"},
		12: edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4088"},
	})
	file := filepath.Join(t.TempDir(), "changes.reg")
	got, err := run(t, d.DB, Call{Restore: d.Restore}, "export", "1", file)
	if err != nil {
		t.Fatal(err)
	}
	wants(t, got, "the registry values of 2 changes; 1 operation has no registry value, and .ps1 has it")
}

// An import for which the disk has no room says that nothing is imported.
func TestImportOnAFullDisk(t *testing.T) {
	t.Parallel()
	full := &fault.FileError{Path: "/var/cxdeck.db", Reason: fault.ErrFull}
	c := Call{Ctx: t.Context()}
	if err := c.explainImport("monday.db", fmt.Errorf("stage: %w", full)); err == nil ||
		err.Error() != "monday.db can't be imported: the disk that holds /var/cxdeck.db is full; nothing is imported; free some space" {
		t.Error(err)
	}
	if err := c.explainImport("monday.db", fault.ErrNoSession); !errors.Is(err, fault.ErrNoSession) {
		t.Error(err)
	}
}
