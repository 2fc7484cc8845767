package eventlog

import "testing"

func TestTheCatalogueIsComplete(t *testing.T) {
	t.Parallel()
	c := Catalogue()
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
