package lab

import (
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
)

// TestLabSchemasAreSound: a lab's schema is not checked at its start, so this test checks it.
func TestLabSchemasAreSound(t *testing.T) {
	t.Parallel()
	texts := map[string][]byte{"default": description.DefaultText()}
	for _, lab := range description.NamedLabs() {
		texts[lab.Name] = lab.Text()
	}
	for name, text := range texts {
		description, err := description.ParseText(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lab, err := device.New(description, 1)
		if err != nil {
			t.Fatal(err)
		}
		source, err := New(driver.NewHost(lab))
		if err != nil {
			t.Fatal(err)
		}
		schema := source.Schema()
		if _, err := perf.NewSchema(1, schema.Cells, schema.Series); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
