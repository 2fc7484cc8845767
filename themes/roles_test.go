package themes

import "testing"

// TestRolesAndGroundsDiffer, up to the last, and an unknown value looks like plain text.
func TestRolesAndGroundsDiffer(t *testing.T) {
	t.Parallel()
	for _, theme := range All() {
		for role := range roleCount {
			if theme.Ink(role) != theme.inks[role] {
				t.Errorf("%s: role %d looks like another", theme.Name, role)
			}
		}
		for ground := range groundCount {
			if theme.Backing(ground) != theme.backings[ground] {
				t.Errorf("%s: ground %d looks like another", theme.Name, ground)
			}
		}
		for _, beyond := range []uint8{0, 1, 255} {
			if role := roleCount + min(Role(beyond), 255-roleCount); theme.Ink(role) != theme.Ink(Text) {
				t.Errorf("%s: role %d, which does not exist, does not look like text", theme.Name, role)
			}
			if ground := groundCount + min(Ground(beyond), 255-groundCount); theme.Backing(ground) != theme.Backing(Plain) {
				t.Errorf("%s: ground %d, which does not exist, is not plain", theme.Name, ground)
			}
		}
	}
}
