package teaming

import "testing"

// TestEnterNeverStartsADrill presses Enter in each dialog of a drill: the default answer never starts it.
func TestEnterNeverStartsADrill(t *testing.T) {
	t.Parallel()
	for from, id := range map[string]string{"team": teamID("A"), "member": memberID("A", "Ethernet 7"),
		"member that waits": memberID("A", "Ethernet 8")} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			_, v, s := openScreen(t, teamA()...)
			v.choose(id)
			s.Press("B")
			s.Want("Seconds without the cable")
			s.Press("enter")
			s.Want("Pull it anyway?", "is down for about 10 s")
			for range 12 {
				s.Press("enter")
			}
			if v.drill != nil || len(v.drilled) > 0 || len(s.Log) > 0 {
				t.Errorf("Enter began a drill: %+v, %+v", v.drilled, s.Log)
			}
			for _, port := range []string{"Ethernet 7", "Ethernet 8"} {
				if !v.port(port).Cabled {
					t.Errorf("Enter pulled the cable of %s", port)
				}
			}
		})
	}
}
