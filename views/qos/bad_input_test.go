package qos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cxdeck/device/dcqcn"
	"cxdeck/driver"
	"cxdeck/driver/qos"
)

// TestWizardFieldsRefuseBadInput types invalid values into the fields of the wizards that take text: each is refused with a sentence
// at the field, and nothing is applied.
func TestWizardFieldsRefuseBadInput(t *testing.T) {
	t.Parallel()
	tabs := func(n int) []string { return strings.Fields(strings.Repeat("tab ", n)) }
	type field struct {
		wizard     int
		title      string
		connection string
		reach      []string
		low, high  int
	}
	fields := []field{
		{0, "Make RDMA lossless", "Ethernet 7", tabs(1), 0, 7},
		{0, "Make RDMA lossless", "Ethernet 7", []string{"enter"}, 0, 100},
		{7, "Dropless mode", "Ethernet 7", tabs(2), 1, 100},
		{7, "Dropless mode", "Ethernet 3", tabs(2), 1, 65535},
	}
	for class := range 8 {
		fields = append(fields, field{1, "Trust the DSCP", "Ethernet 7", append([]string{"enter"}, tabs(class)...), 0, 63},
			field{4, "Limit classes", "Ethernet 3", tabs(1 + class), 0, 1_000_000})
	}
	all := dcqcn.All()[dcqcn.ClampTargetRate:]
	const notices = 3 // the parameters of CNPs are the last ones, and the third to fifth fields
	all = slices.Insert(slices.Clone(all[:len(all)-notices]), 2, all[len(all)-notices:]...)
	for i, p := range all {
		r := p.Range()
		if r.LineRate {
			r.Max = 100_000
		}
		fields = append(fields, field{5, "Congestion control", "Ethernet 7", append([]string{"enter", "enter"}, tabs(i)...), int(r.Min), int(r.Max)})
	}
	for _, f := range fields {
		t.Run(fmt.Sprint(f.title, " ", f.connection, " ", len(f.reach)), func(t *testing.T) {
			t.Parallel()
			d, _, s := still(t, nil, f.connection)
			open(s, f.wizard, f.title)
			s.Press(f.reach...)
			s.WaitIdle()
			want := fmt.Sprintf("integer from %d to %d", f.low, f.high)
			for _, bad := range []string{fmt.Sprint(f.high + 1), fmt.Sprint(f.low - 1), "x", "1.5", ""} {
				retype(s, bad)
				s.Press("enter")
				s.WaitIdle()
				if line := strings.Join(strings.Fields(s.Text()), " "); !strings.Contains(line, want) {
					t.Errorf("%q: want %q, got\n%s", bad, want, s.Text())
				}
			}
			if n := len(d.Monitor().Journal()); n > 0 {
				t.Errorf("%d changes", n)
			}
		})
	}
}

// TestWizardsRefuseContradictions: answers that are valid each, but contradict the host or one another.
func TestWizardsRefuseContradictions(t *testing.T) {
	t.Parallel()
	bulk := map[int]driver.Operation{10: qos.AddClass{Class: qos.Class{Name: "Bulk", Algorithm: qos.ETS, Bandwidth: 70, Priorities: 1 << 4}}}
	for _, c := range []struct {
		wizard  int
		title   string
		changes map[int]driver.Operation
		keys    []string
		want    string
	}{
		{0, "Make RDMA lossless", nil, []string{"space", "enter"}, "Choose at least one"},
		{0, "Make RDMA lossless", nil, []string{"tab", "tab", "space", "enter"}, "Choose at least one"},
		{0, "Make RDMA lossless", bulk, []string{"enter", "ctrl+u", "6", "0", "enter", "enter"}, "must not exceed 100%"},
		{2, "ETS shares", bulk, []string{"a", "B", "u", "l", "k", "tab", "5", "enter", "enter", "tab", "enter"}, `there is a traffic class "Bulk" already`},
		{2, "ETS shares", bulk, []string{"a", "N", "tab", "4", "enter", "enter", "tab", "enter"}, `priority 4 is in the traffic class "Bulk" already`},
		{2, "ETS shares", nil, []string{"a", "N", "tab", "8", "enter"}, "8 is out of range"},
		{3, "Global pause", nil, []string{"tab", "space", "enter"}, "the port uses PFC on priority 3"},
	} {
		t.Run(fmt.Sprint(c.title, " ", c.want), func(t *testing.T) {
			t.Parallel()
			d, _, s := still(t, c.changes, "Ethernet 7")
			before := len(d.Monitor().Journal())
			open(s, c.wizard, c.title)
			for _, key := range c.keys {
				if key == "space" {
					key = " "
				}
				s.Press(key)
				s.WaitIdle()
			}
			if line := strings.Join(strings.Fields(strings.ReplaceAll(s.Text(), "│", " ")), " "); !strings.Contains(line, c.want) {
				t.Errorf("want %q, got\n%s", c.want, s.Text())
			}
			if n := len(d.Monitor().Journal()); n != before {
				t.Errorf("%d changes", n-before)
			}
		})
	}
}
