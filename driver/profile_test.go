package driver

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestAProfileIsAppliedAsAPlan(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, set("Ethernet 7", "*JumboPacket", "4000"), DeleteValue{Connection: "Ethernet 7", Key: "*ReceiveBuffers"})
	p, err := h.ProfileOf("Ethernet 7", "Mine", "*JumboPacket", "*ReceiveBuffers", "*RSS")
	want := Profile{"Mine", "as stored for Ethernet 7", []ProfileValue{
		{Key: "miniport/*JumboPacket", Value: "4000"}, {Key: "miniport/*ReceiveBuffers", Delete: true}, {Key: "miniport/*RSS", Value: "1"},
	}}
	if err != nil || !reflect.DeepEqual(p, want) {
		t.Fatalf("%+v, %v", p, err)
	}
	p.Values = append(p.Values, ProfileValue{Key: "DcqcnRpgThreshold", Value: "6"})
	plan, absent, err := p.Plan(h, "Ethernet 8", "Ethernet 4")
	if err != nil || len(absent) != 1 || absent[0] != "DcqcnRpgThreshold of Ethernet 4" || len(plan.Operations) != 5 {
		t.Fatalf("%+v, %q, %v", plan, absent, err)
	}
	mustApply(t, h, plan.Operations...)
	if _, _, err := p.Plan(h, "Ethernet 8"); !errors.Is(err, errAsProfile) {
		t.Errorf("a second time: %v", err)
	}
	all, err := h.ProfileOf("Ethernet 7", "All")
	if err != nil || len(all.Values) < 2 {
		t.Errorf("%+v, %v", all, err)
	}
	for _, bad := range []Profile{{"x", "", []ProfileValue{{Key: "None", Value: "1"}}}, {"x", "", []ProfileValue{{Key: "*RSS", Value: "on"}}}} {
		if plan, _, err := bad.Plan(h, "Ethernet 7"); err == nil {
			t.Errorf("%+v becomes %+v", bad, plan)
		}
	}
}

func TestProfilesComeBackWhole(t *testing.T) {
	t.Parallel()
	p := Profile{"a", "b", []ProfileValue{{Key: "*RSS", Value: "1"}, {Key: "x", Delete: true}}}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back Profile
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(p, back) {
		t.Errorf("%+v, %v", back, err)
	}
	for _, bad := range []string{
		`{}`, `{"name":"a","values":[]}`, `{"name":"a","values":[{"key":""}]}`, `{"name":"a","more":1}`,
		`{"name":"` + strings.Repeat("x", 300) + `","values":[{"key":"a"}]}`,
	} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%.80s is taken", bad)
		}
	}
}

func FuzzUnmarshalProfile(f *testing.F) {
	f.Add([]byte(`{"name":"a","about":"b","values":[{"key":"*RSS","value":"1"},{"key":"x","delete":true}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Profile
		if json.Unmarshal(data, &p) == nil {
			if err := p.Check(); err != nil {
				t.Errorf("%+v was taken: %v", p, err)
			}
		}
	})
}

// What became of a plan that was begun is in the journal; one that is not there is put there as one that was not done.
func TestAPlanThatWasBegun(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{"x", []Operation{PullCable{"Ethernet 7"}}}
	if entry, applied, err := h.Begun(plan, 0, h.Now()); err != nil || applied || entry.Err != ErrInterrupted.Error() || len(h.journal) != 1 {
		t.Errorf("%+v, %v, %v", entry, applied, err)
	}
	mustApply(t, h, DisableAdapter{"Ethernet 8"})
	if _, err := h.Apply(plan); err != nil {
		t.Fatal(err)
	}
	if entry, applied, err := h.Begun(plan, 1, h.Now()); err != nil || !applied || entry.Sequence != 3 || len(h.journal) != 3 {
		t.Errorf("%+v, %v, %v", entry, applied, err)
	}
	if _, err := h.Apply(plan); err == nil {
		t.Fatal("the cable was pulled twice")
	}
	if entry, applied, err := h.Begun(plan, 3, h.Now()); err != nil || applied || entry.Sequence != 4 || len(h.journal) != 4 {
		t.Errorf("one that failed: %+v, %v, %v", entry, applied, err)
	}
}
