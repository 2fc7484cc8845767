package device

import (
	"testing"
	"time"

	"cxdeck/device/description"
)

// FuzzNew makes a lab of each description that can be read, and runs it.
func FuzzNew(f *testing.F) {
	f.Add(description.DefaultText())
	f.Add([]byte("[[flow]]\npackets = [{ ip = 1, share = inf }]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := description.ParseText(text)
		if err != nil {
			return
		}
		l, err := New(d, 1)
		if err != nil {
			t.Fatalf("a description that was read makes no lab: %v", err)
		}
		l.Advance(3 * time.Second)
	})
}
