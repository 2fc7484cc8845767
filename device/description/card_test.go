package description

import "testing"

// TestCardsAreNumbered calls cards as the commands of their drivers do: what has a number in its name keeps it, and the others
// have the numbers that are left.
func TestCardsAreNumbered(t *testing.T) {
	t.Parallel()
	var d Description
	for _, a := range []struct {
		name   string
		id     uint16
		family Family
	}{
		{"Q", 0x1019, WinOF2}, {"A", 0x1007, WinOF}, {"R", 0x1019, WinOF2}, {"HCA 0", 0x1007, WinOF}, {"B", 0x1003, WinOF}, {"C", 0x1007, WinOF},
	} {
		d.Adapters = append(d.Adapters, Adapter{Name: a.name, DeviceID: a.id, Family: a.family})
	}
	for card, want := range map[int][2]string{
		0: {"", "mt4121_pciconf0"}, 1: {"HCA 1", "mt4103_pciconf0"}, 2: {"", "mt4121_pciconf1"}, 3: {"HCA 0", "mt4103_pciconf1"},
		4: {"HCA 2", "mt4099_pciconf0"}, 5: {"HCA 3", "mt4103_pciconf2"},
	} {
		a := &d.Adapters[card]
		if got := d.DeviceName(card); got != want[1] {
			t.Errorf("the tools call %s %s, want %s", a.Name, got, want[1])
		}
		if got := d.HCA(card); a.Family == WinOF && got != want[0] {
			t.Errorf("the card %s is called %s, want %s", a.Name, got, want[0])
		}
	}
}
