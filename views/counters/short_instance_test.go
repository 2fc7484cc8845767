package counters

import "testing"

// TestInstancesWithinAHost: the graph of one host of a fleet does not repeat its name in each row.
func TestInstancesWithinAHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, instance, want string }{
		{"web1:9100", "web1:9100: Ethernet 7", "Ethernet 7"},
		{"web1:9100: drops, pauses and errors", "web1:9100: Ethernet 7 Priority 3", "Ethernet 7 Priority 3"},
		{"web1:9100: Ethernet 7", "web1:9100: Ethernet 7", "Ethernet 7"},
		{"web1:9100", "web2:9100: Ethernet 7", "web2:9100: Ethernet 7"},
		{"Throughput", "Ethernet 7", "Ethernet 7"},
		{"", "Ethernet 7", "Ethernet 7"},
	} {
		s := Screen{title: c.title}
		if got := s.shortInstance(&curve{instance: c.instance}); got != c.want {
			t.Errorf("%q in %q is shown as %q, want %q", c.instance, c.title, got, c.want)
		}
	}
}
