package driver

import (
	"strings"
	"testing"
	"time"
)

func TestTheCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	c := Events()
	if len(c.Rows) != 134 {
		t.Errorf("the catalogue has %d rows and not 134", len(c.Rows))
	}
	for _, r := range c.Rows {
		if r.Message == "" || r.Trigger == "" || r.Kind == "" || len(r.Families) == 0 {
			t.Errorf("%s lacks a text", r.Key)
		}
		if again, ok := c.Lookup(r.Key); !ok || again.Key != r.Key {
			t.Errorf("%s is not found", r.Key)
		}
	}
	for key, id := range map[string]int{"mlx5.delay-drop-timeout": 75, "mlx4.dropless-entered": 0x57, "mlx4.sh-hw-send-stall": 30009} {
		if r, _ := c.Lookup(key); r.ID != id {
			t.Errorf("%s has the number %d and not %d", key, r.ID, id)
		}
	}
	if r, _ := c.Lookup("mlx5.link-down"); r.Severity != Warning || r.Source != "mlx5" || r.Channel != "System" || r.Remedy == "" {
		t.Errorf("mlx5.link-down is %+v", r)
	}
}

func TestEveryEventOfAPortsLifeIsFilled(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for port := range h.miniports {
		for what := onLinkUp; what <= onStopped; what++ {
			h.noteLife(0, port, what)
		}
	}
	for _, e := range h.EventsAfter(0) {
		if strings.ContainsAny(e.Message, "{}") || e.Source == "" || e.Channel == "" || e.Adapter == "" {
			t.Errorf("the event is not filled: %+v", e)
		}
	}
}

func TestTheLogKeepsTheNewest(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for range keptEvents + 10 {
		h.noteLife(0, 0, onLinkUp)
	}
	all := h.EventsAfter(0)
	if len(all) != keptEvents || all[len(all)-1].Sequence != h.sequence {
		t.Errorf("%d events, the last %d of %d", len(all), all[len(all)-1].Sequence, h.sequence)
	}
	if some := h.EventsAfter(h.sequence - 3); len(some) != 3 {
		t.Errorf("%d events after the last but three", len(some))
	}
	if h.Advance(time.Second); len(h.EventsAfter(h.sequence)) != 0 {
		t.Error("there are events after the last")
	}
}

func TestNamesAreQuotedForPowerShell(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ethernet 7":          `Restart-NetAdapter -Name "Ethernet 7"`,
		"it's $(Remove-Item)": `Restart-NetAdapter -Name 'it''s $(Remove-Item)'`,
		"a`b\"c":              "Restart-NetAdapter -Name ([WildcardPattern]::Escape('a`b\"c'))",
		"’; Stop-Computer; ‘": `Restart-NetAdapter -Name '’’; Stop-Computer; ‘‘'`,
		"two\nlines":          `Restart-NetAdapter -Name ('two' + [char]10 + 'lines')`,
	} {
		if got := (RestartAdapter{name}).Commands()[0]; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := (DisableAdapter{"Ethernet 7"}).Commands()[0]; got != `Disable-NetAdapter -Name "Ethernet 7" -Confirm:$false` {
		t.Errorf("got %s", got)
	}
}
