package widget

import "testing"

func TestCutName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		width      int
	}{
		{"Ethernet 7", "Ethernet 7", 10},
		{"Mellanox ConnectX-5 Ex Ethernet Adapter #2", "Mellanox ConnectX-…dapter #2", 28},
		{"以太网 适配器 漢字漢字漢字漢字 #2", "以太网 适配…字 #2", 18},
		{"Mellanox ConnectX-5", "Mellanox…", 9},
		{"Ethernet", "", 0},
	} {
		got := CutName(c.name, c.width, '…')
		if got != c.want || Width(got) > c.width {
			t.Errorf("CutName(%q, %d) = %q of width %d, want %q", c.name, c.width, got, Width(got), c.want)
		}
	}
	for width := range 40 {
		if got := CutName("漢字\xff漢字漢字\u0301 and more of it #17", width, '…'); Width(got) > width {
			t.Errorf("CutName gives %q for width %d", got, width)
		}
	}
}
