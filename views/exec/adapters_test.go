package exec

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
)

// TestPortsByName: a card's name selects all its ports, a connection's name that port, an empty name all ports of the host,
// all in any case; an unknown name is an error.
func TestPortsByName(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	view := driver.NewHost(lab).View()
	var all []string
	check := func(name string, want ...string) {
		t.Helper()
		ports, err := PortViews(view, name)
		if (err != nil) != (want == nil) {
			t.Fatalf("%q: %v", name, err)
		}
		var got []string
		for _, p := range ports {
			got = append(got, p.Description.Connection)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q selects %v, want %v", name, got, want)
		}
	}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		var own []string
		for j, p := range a.Ports {
			connection := p.Description.Connection
			own, all = append(own, connection), append(all, connection)
			check(strings.ToUpper(connection), connection)
			if adapter, port, err := FindAdapter(view, connection); adapter != i || port != j || err != nil {
				t.Errorf("%s is port %d of adapter %d, %v", connection, port, adapter, err)
			}
			if got := namedPorts(view, []string{"-Set", connection}); !slices.Equal(got, []string{connection}) {
				t.Errorf("%s names %v", connection, got)
			}
		}
		check(strings.ToLower(a.Description.Name), own...)
		if adapter, port, err := FindAdapter(view, a.Description.Name); adapter != i || port != -1 || err != nil {
			t.Errorf("%s is port %d of adapter %d, %v", a.Description.Name, port, adapter, err)
		}
		if got := namedPorts(view, []string{a.Description.Name}); !slices.Equal(got, own) {
			t.Errorf("%s names %v", a.Description.Name, got)
		}
	}
	check("", all...)
	check("Ethernet 99")
	if got := namedPorts(view, []string{"", "-Query"}); !slices.Equal(got, all) {
		t.Errorf("an empty name selects %v", got)
	}
}
