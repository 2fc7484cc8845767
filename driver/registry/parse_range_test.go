package registry_test

import (
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
)

// TestANumberErrorNamesTheKeysOwnRange: a sentence about a number that is none has no other bounds than the key.
func TestANumberErrorNamesTheKeysOwnRange(t *testing.T) {
	t.Parallel()
	bounded := 0
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := registry.Keys(family).Rows
		for i := range rows {
			r := &rows[i]
			if r.Type == registry.Text {
				continue
			}
			_, err := r.Parse("many")
			if err == nil {
				t.Fatalf("%s takes a word", r.Name)
			}
			if r.Max == nil || *r.Max != 1<<32-1 {
				if strings.Contains(err.Error(), "to 4294967295") {
					t.Errorf("%v", err)
				}
			}
			if r.Min != nil && r.Max != nil {
				bounded++
				if want := " from " + registry.NumberValue(*r.Min).String() + " to " + registry.NumberValue(*r.Max).String() + ","; !strings.Contains(err.Error(), want) {
					t.Errorf("%v lacks %q", err, want)
				}
			}
		}
	}
	if bounded < 50 {
		t.Errorf("%d keys have a range", bounded)
	}
	jumbo, _ := registry.Keys(description.WinOF2).Find("*JumboPacket", registry.Miniport)
	if _, err := jumbo.Parse("x"); err == nil || !strings.Contains(err.Error(), "from 614 to 9614") {
		t.Errorf("%v", err)
	}
}
