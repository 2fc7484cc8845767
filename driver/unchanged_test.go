package driver

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestSameIsTheSavedForm holds that Operations, each applied twice, leave a host the same exactly when its saved form is.
func TestSameIsTheSavedForm(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 17))
	h := newHost(t, 1)
	same, different := 0, 0
	for range 60 {
		o := randomOperation(h, random)
		for range 2 {
			before := h.Clone()
			if _, err := h.run(Plan{Title: "x", Operations: []Operation{o}}); err != nil {
				h = before
				break
			}
			want := bytes.Equal(mustSave(t, before), mustSave(t, h))
			if got := h.equalsBefore(before); got != want {
				t.Fatalf("%s: the same is %v", o.Describe(), got)
			}
			if want {
				same++
			} else {
				different++
			}
		}
	}
	if same < 5 || different < 20 {
		t.Errorf("too little was tried: %d the same, %d different", same, different)
	}
}
