package registry

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
)

// TestOutdatedReviewIsNotApplied changes the host during an open review, like exec: the plan must be applied only if its effects
// are still the reviewed ones.
func TestOutdatedReviewIsNotApplied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		other   driver.Operation
		applied bool
		says    string
	}{
		{"the same value", edit.SetValue{Connection: "Ethernet 7", Key: "*ReceiveBuffers", Value: "2048"}, false, "*ReceiveBuffers of Ethernet 7 is 2048 now"},
		{"a machine elsewhere", virtualization.CreateVM{VM: virtualization.VMRecord{Name: "x", State: virtualization.VMOff}}, true, "Applied: "},
		{"another value", edit.SetValue{Connection: "Ethernet 8", Key: "*ReceiveBuffers", Value: "2048"}, true, "Applied: "},
	} {
		d, v, s := opened(t)
		selectKey(s, "receivebuffers")
		was := stored(v, "Ethernet 7", "*ReceiveBuffers")
		s.Press("enter", "up", "enter", "r")
		s.Want("Review: ")
		if _, err := d.Live.By("exec").Apply(t.Context(), driver.Plan{Title: "Another's", Operations: []driver.Operation{c.other}}); err != nil {
			t.Fatal(err)
		}
		s.Push("Apply")
		s.Want(c.says)
		if !c.applied {
			s.Want("by exec", "review it again", "Nothing was changed.")
		}
		var newest driver.Entry
		if err := d.Live.ReadHost(t.Context(), func(h *driver.Host) error {
			newest = h.Newest()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if applied := newest.Plan.Title != "Another's"; applied != c.applied {
			t.Errorf("%s: the newest change is %q; the value was %s", c.name, newest.Plan.Title, was)
		}
	}
}
