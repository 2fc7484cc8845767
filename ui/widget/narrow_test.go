package widget

import "testing"

// TestNarrowAgreesWithTheLibrary checks against the library all characters that skip it.
func TestNarrowAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	count := 0
	for r := rune(0); r <= 0x10ffff; r++ {
		if isNarrow(r) {
			count++
			if w := narrow.RuneWidth(r); w != 1 {
				t.Errorf("%U takes %d cells", r, w)
			}
		}
	}
	if count < 500 {
		t.Errorf("only %d characters are narrow", count)
	}
}
