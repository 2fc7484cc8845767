package registry

import (
	"reflect"
	"testing"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestSettingsNameKeysOfTheDrivers holds that each key that a setting names is one of a driver.
func TestSettingsNameKeysOfTheDrivers(t *testing.T) {
	t.Parallel()
	fields := keyedFields()
	if len(fields) == 0 {
		t.Error("no setting names a key")
	}
	for _, f := range fields {
		found := false
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			_, ok := Keys(family).Find(f.name, Miniport)
			found = found || ok
		}
		if !found {
			t.Errorf("no driver has the key %s of the setting %s", f.name, reflect.TypeFor[setup.Port]().Field(f.field).Name)
		}
	}
}
