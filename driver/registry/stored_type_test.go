package registry

import (
	"encoding/json"
	"testing"

	"cxdeck/device/description"
)

// TestClassKeysHoldStrings: keys of a network adapter's class key are strings, except where a manual gives the type,
// and keys elsewhere keep their type.
func TestClassKeysHoldStrings(t *testing.T) {
	t.Parallel()
	strings := 0
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := Keys(family).Rows
		for i := range rows {
			r := &rows[i]
			want := r.Type
			if r.Scope == Miniport && !r.TypeGiven {
				want = Text
				strings++
			}
			if got := r.StoredType(); got != want {
				t.Errorf("%s of %s is stored as %s, not %s", r.Name, r.Scope, got, want)
			}
		}
	}
	if strings < 175 { // the manuals name no type for these
		t.Errorf("only %d keys are strings", strings)
	}
	for name, want := range map[string]Type{
		"*JumboPacket": Text, "SHCheckForHangTimeInSeconds": Number, "CheckForHangCQMaxNoProgress": Number, "DelayDropTimeout": Number,
		"LogNumQP": Number, "DumpMeNowTotalCount": Text,
	} {
		if r, ok := Keys(description.WinOF).Find(name, Miniport, BusDriver); !ok || r.StoredType() != want {
			t.Errorf("%s is no %s", name, want)
		}
	}
}

// TestBothTypesAreRead: numbers of either type come back as they were, mean the same to the driver, and survive JSON.
func TestBothTypesAreRead(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		c := Keys(family)
		for i := range c.Rows {
			r := &c.Rows[i]
			if !r.Scope.Stored() {
				continue
			}
			for _, n := range []uint32{0, 1, 9014, 1<<32 - 1} {
				for _, v := range []Value{NumberValue(n), TextValue(NumberValue(n).String()), DWordValue(n)} {
					own := r.Canonical(v)
					number, data, ok := r.Encode(own)
					if !ok || r.Decode(number, data) != own {
						t.Fatalf("%s: %v comes back as %v", r.Name, own, r.Decode(number, data))
					}
					saved, err := json.Marshal(own)
					var loaded Value
					if err != nil || json.Unmarshal(saved, &loaded) != nil || r.Canonical(loaded) != own {
						t.Fatalf("%s: %v is saved as %s and loaded as %v", r.Name, own, saved, loaded)
					}
					if r.Type != Number || !r.Fits(description.Ethernet) {
						continue
					}
					e := Read(c, Facts{Link: description.Ethernet, Processors: 8, Nodes: 1, LineRate: 1e5}, func(*Row) Value { return Value{} })
					if got, want := e.readAlone(r, own).Value, e.readAlone(r, NumberValue(n)).Value; got != want {
						t.Errorf("%s: the driver reads %v as %v, not %v", r.Name, own, got, want)
					}
				}
			}
		}
	}
}

func TestStoredNumbersAreSpelled(t *testing.T) {
	t.Parallel()
	c := Keys(description.WinOF)
	row := func(name string) *Row {
		r, ok := c.Find(name, Miniport)
		if !ok {
			t.Fatalf("no key %s", name)
		}
		return r
	}
	jumbo, ring := row("*JumboPacket"), row("DefaultRecvRingProcessor")
	for _, test := range []struct {
		r     *Row
		v     Value
		spelt string
		typed string
		kind  Type
	}{
		{jumbo, NumberValue(1514), "1514", "1514", Text},
		{jumbo, DWordValue(1514), "1514", "1514 as REG_DWORD", Number},
		{jumbo, TextValue("1514"), "1514", "1514", Text},
		{jumbo, TextValue("01514"), "01514", "01514", Text},
		{jumbo, TextValue("large"), "large", "large", Text},
		{ring, NumberValue(Automatic), "-1", "4294967295", Text},
		{row("SHCheckForHangTimeInSeconds"), NumberValue(4), "4", "4", Number},
		{row("SHCheckForHangTimeInSeconds"), TextValue("4"), "4", "4 as REG_SZ", Text},
	} {
		own := test.r.Canonical(test.v)
		if test.r.WindowsText(own) != test.spelt || test.r.WithType(own) != test.typed || test.r.TypeOf(own) != test.kind {
			t.Errorf("%s %v is %q, %q, %s", test.r.Name, test.v, test.r.WindowsText(own), test.r.WithType(own), test.r.TypeOf(own))
		}
	}
	if ring.Canonical(TextValue("-1")) != NumberValue(Automatic) || jumbo.Canonical(TextValue("01514")) != TextValue("01514") {
		t.Error("a text that is spelled otherwise is not kept, or -1 is no automatic processor")
	}
	for as, want := range map[Type]Value{"": NumberValue(9014), Text: NumberValue(9014), Number: DWordValue(9014)} {
		if v, err := jumbo.ParseAs("9014", as); err != nil || jumbo.Canonical(v) != want {
			t.Errorf("9014 as %q is %#v, %v", as, v, err)
		}
	}
}
