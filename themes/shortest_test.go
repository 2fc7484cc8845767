package themes

import "testing"

// TestSingleColourChange: if only the foreground or only the background differs, a change names one colour and no attribute.
func TestSingleColourChange(t *testing.T) {
	t.Parallel()
	p := NewPainter(All()[0], TrueColor)
	for _, c := range []struct {
		from, to Style
		want     string
	}{
		{Style{Role: Text}, Style{Role: Good}, "\x1b[" + p.inks[Good] + "m"},
		{Style{Role: Text}, Style{Role: Text, Ground: Selected}, "\x1b[" + p.grounds[Selected] + "m"},
		{Style{Role: Text}, Style{Role: Good, Ground: Selected}, "\x1b[" + p.inks[Good] + ";" + p.grounds[Selected] + "m"},
	} {
		if got := string(p.AppendChange(nil, c.from, c.to)); got != c.want {
			t.Errorf("from %v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
