package guide

import "testing"

// TestFormOf: each procedure that a form leads through is found from its guide of lines, and a guide with a form has no other one.
func TestFormOf(t *testing.T) {
	t.Parallel()
	linked := 0
	for _, g := range All() {
		f, found := FormOf(g.Name)
		switch {
		case found && (f.Form() == "" || f == g):
			t.Errorf("%s has the form of %s", g.Name, f.Name)
		case found:
			linked++
		}
	}
	if f, found := FormOf("vlan-add-on-team"); !found || f.Name != "add-vlan" {
		t.Errorf("the form of vlan-add-on-team is %v", f)
	}
	if linked < 25 {
		t.Errorf("only %d guides have a form", linked)
	}
}
