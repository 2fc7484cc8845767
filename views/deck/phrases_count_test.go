package deck

import (
	"testing"

	"cxdeck/driver/wording"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 mismatch": wording.Count(1, "mismatch"), "2 mismatches": wording.Count(2, "mismatch"), "0 ports": wording.Count(0, "port"), "3 boxes": wording.Count(3, "box"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
