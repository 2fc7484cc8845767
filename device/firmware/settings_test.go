package firmware

import "testing"

// TestParse has the values of settings: their bounds, in decimal and hexadecimal, and the words of ini files, which
// mlxconfig does not take.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mlx4       bool
		name, text string
		want       uint32
		good       bool
	}{
		{true, Functions, "0", 0, true}, {true, Functions, "126", 126, true}, {true, Functions, "127", 0, false},
		{false, Functions, "127", 127, true}, {false, Functions, "0x7f", 127, true}, {false, Functions, "128", 0, false},
		{false, LinkType1, "0", 0, false}, {false, LinkType1, "1", TypeInfiniBand, true}, {false, LinkType2, "2", TypeEthernet, true},
		{false, LinkType1, "3", 0, false}, {false, SRIOV, "4294967297", 0, false}, {false, SRIOV, "-1", 0, false},
		{false, SRIOV, "", 0, false}, {false, SRIOV, "true", 0, false}, {true, SRIOV, "true", 0, false},
		{true, ImageIOV, "true", 1, true}, {true, ImageIOV, "TRUE", 1, true}, {true, ImageIOV, "False", 0, true},
		{true, ImageIOV, "1", 1, true}, {true, ImageIOV, "yes", 0, false}, {true, TotalVFs, "true", 0, false},
		{true, "num_pfs", "true", 0, false}, {true, "num_pfs", "1", 1, true}, {true, "num_pfs", "0", 0, false},
	} {
		s, ok := Find(c.mlx4, c.name)
		if !ok {
			t.Fatalf("there is no %s", c.name)
		}
		if n, err := s.Parse(c.text); n != c.want || (err == nil) != c.good {
			t.Errorf("%s of %q is %d, %v", c.name, c.text, n, err)
		}
	}
}

// TestFind looks for names that only one driver has, and for names that differ only in case.
func TestFind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mlx4 bool
		name string
		tool Tool
	}{
		{true, SRIOV, Config}, {true, ImageIOV, Image}, {false, SRIOV, Config}, {false, ImageIOV, ""}, {true, "WOL_MAGIC_EN_P2", ""},
		{false, "WOL_MAGIC_EN_P2", Config}, {false, "Sriov_En", ""},
	} {
		if s, ok := Find(c.mlx4, c.name); ok != (c.tool != "") || s.Tool != c.tool {
			t.Errorf("%s is %+v", c.name, s)
		}
	}
}
