package registry

import (
	"testing"
)

func TestCompareAndTakeOver(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Press("c")
	s.Want("Compare Ethernet 7 with", "Its defaults", "Ethernet 8")
	s.Press("enter")
	s.Want("Ethernet 7 and Its defaults: ", "*JumboPacket", "9014", "1514")
	s.Press("enter")
	if v.draft.Len() != 1 {
		t.Fatalf("the draft is %+v", v.draft.Edits)
	}
	s.Press("esc", "esc", "r", "R", "enter", "enter")
	s.Await(d, "the value", func() bool { return stored(v, "Ethernet 7", "*JumboPacket") == "1514" })
	s.Press("c", "end", "enter")
	s.Want("Before change 1", "one key differs", "9014")
	s.Press("A", "esc", "esc")
	if value, ok := v.draft.EditOf(v.current().ID); !ok || value.String() != "9014" {
		t.Errorf("the draft is %+v", v.draft.Edits)
	}
}
