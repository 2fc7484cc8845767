package events

import (
	"testing"

	"cxdeck/driver/eventlog"
	"cxdeck/views/browse"
)

func TestCriteria(t *testing.T) {
	t.Parallel()
	e := eventlog.Event{Severity: eventlog.Warning, Source: "mlx5", Adapter: "Ethernet 5", Message: "no receive buffers", Key: "mlx5.no-buffer"}
	for _, c := range []struct {
		name   string
		change func(*criteria)
		want   bool
	}{
		{"everything", func(*criteria) {}, true},
		{"without warnings", func(c *criteria) { c.hidden[eventlog.Warning] = true }, false},
		{"without errors", func(c *criteria) { c.hidden[eventlog.Error] = true }, true},
		{"its source", func(c *criteria) { c.source = "mlx5" }, true},
		{"another source", func(c *criteria) { c.source = "mlx4_bus" }, false},
		{"its adapter", func(c *criteria) { c.adapter = "Ethernet 5" }, true},
		{"another adapter", func(c *criteria) { c.adapter = "Ethernet 55" }, false},
		{"words of the message", func(c *criteria) { c.text.Set("RECEIVE buff|nothing") }, true},
		{"another word", func(c *criteria) { c.text.Set("buffers receive") }, false},
	} {
		chosen := criteria{text: &browse.Filter{}}
		c.change(&chosen)
		if got := chosen.match(&e); got != c.want {
			t.Errorf("%s: the event shows: %v, want %v", c.name, got, c.want)
		}
		if chosen.active() != (c.name != "everything") {
			t.Errorf("%s: active is %v", c.name, chosen.active())
		}
	}
	strange := eventlog.Event{Severity: 200}
	if all := (criteria{text: &browse.Filter{}}); !all.match(&strange) {
		t.Error("an event of an unknown severity is hidden")
	}
}
