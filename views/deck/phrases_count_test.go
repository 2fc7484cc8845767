package deck

import "testing"

func TestCount(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 mismatch": Count(1, "mismatch"), "2 mismatches": Count(2, "mismatch"), "0 ports": Count(0, "port"), "3 boxes": Count(3, "box"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
