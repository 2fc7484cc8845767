package registry

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
	"cxdeck/views/viewtest"
)

// twinWith returns a twin of the default lab whose exports have more lines in the class key of its first port, and in another key.
func twinWith(t *testing.T, class, services []string) (*deck.Deck, string) {
	t.Helper()
	d := description.Default()
	port := &d.Adapters[0].Ports[0]
	d.Twin = &description.Twin{Host: d.Host.Name, Made: time.Unix(1_700_000_000, 0), Registry: append(append([]string{
		`[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}\` + port.Class + `]`, `"DriverDesc"="` + port.Device + `"`,
	}, class...), append([]string{"", `[HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\mlx5\Odd]`}, services...)...)}
	model, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	return viewtest.Run(t, source), port.Connection
}

// TestUnknownValuesAreShown: values that no driver reads are kept, shown as unknown at their port or in a branch of their own, found by the
// filter, and not edited; values of the installation are none of them.
func TestUnknownValuesAreShown(t *testing.T) {
	t.Parallel()
	d, connection := twinWith(t, []string{`"OemText"="red` + "\x1b[31m" + `"`, `"OemBlob"=hex:01,02,ff`}, []string{`@="text"`, `"OemSpeed"=dword:00000007`})
	v, s := shownOn(t, d)
	s.Press("/")
	s.Type("oem")
	s.Press("enter")
	s.Want("OemBlob", "OemText", "hex(3):01", "Unknown: the driver has no such key", "REG_BINARY")
	if strings.ContainsRune(s.Text(), '\x1b') {
		t.Error("a control character is drawn")
	}
	s.Press("enter")
	s.Want("OemBlob is unknown to the drivers")
	for _, want := range []struct{ name, owner, why string }{
		{"OemText", connection, "the driver has no such key"}, {"OemBlob", connection, "the driver has no such key"},
		{"OemSpeed", "Unknown", "no driver of this host reads it"}, {"(Default)", "Unknown", "no driver of this host reads it"},
	} {
		found := false
		for i := range v.snapshot.Entries {
			e := &v.snapshot.Entries[i]
			if e.IsUnknown() && e.Row.Name == want.name {
				found = e.Owner == want.owner && strings.Contains(e.Row.Summary, want.why) && e.Stored.Exists()
			}
			if e.IsUnknown() && e.Row.Name == "DriverDesc" {
				t.Error("a value of the installation is shown as unknown")
			}
		}
		if !found {
			t.Errorf("%s of %s is not shown", want.name, want.owner)
		}
	}
	for by := range keyset.ArrangementCount {
		if tree := keyset.BuildTree(v.snapshot, by); len(tree.Order) != len(v.snapshot.Entries) {
			t.Errorf("the tree by %s has %d of %d entries", by, len(tree.Order), len(v.snapshot.Entries))
		}
	}
	s.Press("esc", "home")
	for range len(v.rows) + 5 { // no page of a key fails
		s.Text()
		v.table.List.Key("down")
		v.skip(1)
	}
}

// TestManyUnknownValues: of very many unknown values some are shown, with their number.
func TestManyUnknownValues(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 2500 {
		lines = append(lines, fmt.Sprintf(`"Oem%04d"=dword:00000001`, i))
	}
	d, _ := twinWith(t, nil, lines)
	v, _ := shownOn(t, d)
	count := 0
	for i := range v.snapshot.Entries {
		if e := &v.snapshot.Entries[i]; e.IsUnknown() {
			if count++; e.Row.Group != "Unknown (2000 of 2500)" {
				t.Fatal(e.Row.Group)
			}
		}
	}
	if count != 2000 {
		t.Errorf("%d are shown", count)
	}
}
