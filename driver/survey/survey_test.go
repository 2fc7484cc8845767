package survey

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/intent"
)

const testdata = "../intent/testdata"

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// example is a file of testdata as an intent, with a host of the lab that was made for it.
func example(t *testing.T, name string) (*driver.Host, *intent.Intent) {
	t.Helper()
	in, err := intent.Read(readFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return nodeHost(t, nil), in
}

// nodeHost is a host of the lab of the examples, whose description may be changed before.
func nodeHost(t *testing.T, change func(d *description.Description)) *driver.Host {
	t.Helper()
	d, err := description.ParseText(readFile(t, "node.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(d)
	}
	lab, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	h.Advance(3 * time.Second)
	return h
}

// brought applies the plan of an intent to a host.
func brought(t *testing.T, h *driver.Host, in *intent.Intent) {
	t.Helper()
	plan, err := Plan(h, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Apply(plan); err != nil {
		t.Fatal(err)
	}
	h.Advance(10 * time.Second)
}

func failures(t *testing.T, h *driver.Host, in *intent.Intent) []intent.Result {
	t.Helper()
	r, err := Check(h, in)
	if err != nil {
		t.Fatal(err)
	}
	return r.Failures()
}

var examples = []string{"two-adapters.ps1", "two-adapters.toml", "embedded-team.ps1"}

// TestExamplesAreReached holds that the plan brings a bare host to each published example, that nothing is left to plan then,
// and that undo takes it back.
func TestExamplesAreReached(t *testing.T) {
	t.Parallel()
	for _, name := range examples {
		h, in := example(t, name)
		if len(failures(t, h, in)) < 10 {
			t.Errorf("%s: a bare host fails only %v", name, failures(t, h, in))
		}
		before := len(failures(t, h, in))
		brought(t, h, in)
		for _, result := range failures(t, h, in) {
			t.Errorf("%s: %s %d of %q: %s: wanted %s, found %s", name, result.Group, result.Number, result.Object, result.Title, result.Wanted, result.Found)
		}
		if plan, err := Plan(h, in); err != nil || len(plan.Operations) > 0 {
			t.Errorf("%s: still to do: %v, %v", name, plan.Operations, err)
		}
		if _, err := h.Undo(); err != nil {
			t.Fatal(err)
		}
		h.Advance(10 * time.Second)
		if after := len(failures(t, h, in)); after != before {
			t.Errorf("%s: after undo %d checks fail, before %d", name, after, before)
		}
	}
}

// TestExamplesAreReachedOnOtherLabs holds the same with the adapters of labs that were not made for the examples, one of them with
// WinOF, which has no congestion control.
func TestExamplesAreReachedOnOtherLabs(t *testing.T) {
	t.Parallel()
	adapters := map[string][2]string{"storage-spaces-direct": {"SMB 1", "SMB 2"}, "manual-winof": {"Ethernet 2", "Ethernet 3"}}
	for _, l := range description.NamedLabs() {
		names, chosen := adapters[l.Name]
		if !chosen {
			continue
		}
		for _, file := range []string{"two-adapters.ps1", "embedded-team.ps1"} {
			text := strings.NewReplacer("'RoCE-01'", "'"+names[0]+"'", "'RoCE-02'", "'"+names[1]+"'", "@{ Name = 'Mgmt' }", "", "@{ Name = 'Clus' }", "",
				"'TK5-3WP07R0511', 'TK5-3WP07R0512'", "'localhost'").Replace(string(readFile(t, file)))
			in, err := intent.Read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			d, err := description.ParseText(l.Text())
			if err != nil {
				t.Fatal(err)
			}
			lab, err := device.New(d, 1)
			if err != nil {
				t.Fatal(err)
			}
			h := driver.NewHost(lab)
			h.Advance(3 * time.Second)
			plan, err := Plan(h, in)
			if err != nil {
				t.Fatal(err)
			}
			remaining, err := Remaining(h, in, plan)
			if err != nil {
				t.Fatal(err)
			}
			brought(t, h, in)
			if now := failures(t, h, in); len(now) > 0 || len(remaining) > 0 {
				t.Errorf("%s, %s: %v fail; foreseen %v", l.Name, file, now, remaining)
			}
		}
	}
}

// TestEveryCheckHasItsNumber holds that a report has each of the 68 checks of Validate-DCB, and ours.
func TestEveryCheckHasItsNumber(t *testing.T) {
	t.Parallel()
	h, in := example(t, examples[0])
	r, err := Check(h, in)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[intent.Group]map[int]bool{intent.OfIntent: {}, intent.OfHost: {}, intent.OfPath: {}}
	for _, result := range r.Results {
		seen[result.Group][result.Number] = true
	}
	for group, count := range map[intent.Group]int{intent.OfIntent: 9, intent.OfHost: 68, intent.OfPath: 7} {
		for n := 1; n <= count; n++ {
			if !seen[group][n] {
				t.Errorf("no check %d of the group %s", n, group)
			}
		}
		if len(seen[group]) != count {
			t.Errorf("%d checks of the group %s, want %d", len(seen[group]), group, count)
		}
	}
}

// TestWhatIsSavedIsReadBack holds that a host meets the intent that was made of it.
func TestWhatIsSavedIsReadBack(t *testing.T) {
	t.Parallel()
	for _, name := range examples {
		h, in := example(t, name)
		brought(t, h, in)
		saved, err := intent.Read(Save(h))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, Save(h))
		}
		for _, result := range failures(t, h, saved) {
			t.Errorf("%s: %s %d of %q: %s: wanted %s, found %s", name, result.Group, result.Number, result.Object, result.Title, result.Wanted, result.Found)
		}
	}
}

func TestAnIntentOfOtherHosts(t *testing.T) {
	t.Parallel()
	h, _ := example(t, examples[0])
	in, err := intent.Read([]byte("[[AllNodes]]\nNodeName = 'OTHER'"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(h, in); err == nil || !strings.Contains(err.Error(), "no node TK5-3WP07R0511; its nodes are OTHER") {
		t.Errorf("the check: %v", err)
	}
	if _, err := Plan(h, in); err == nil {
		t.Error("there is a plan for another host")
	}
}
