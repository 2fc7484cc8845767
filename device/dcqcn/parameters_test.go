package dcqcn

import (
	"errors"
	"fmt"
	"testing"
)

func TestEachParameterKeepsItsRange(t *testing.T) {
	t.Parallel()
	const line = 40000
	names := map[string]bool{}
	for _, p := range All() {
		r := p.Range()
		if r.Name == "" || names[r.Name] {
			t.Fatalf("parameter %d is called %q", p, r.Name)
		}
		names[r.Name] = true
		if found, ok := Find(r.Name); !ok || found != p {
			t.Errorf("%s is not found under its name", r.Name)
		}
		least, most := int64(r.Min), int64(r.Max)
		if r.LineRate {
			most = line
		}
		if d := int64(r.Default); d < least || d > most {
			t.Errorf("%s has the default %d", r.Name, d)
		}
		for _, value := range []int64{least, most, least - 1, most + 1, -1 << 62, 1 << 62} {
			all := Defaults()
			err := all.Set(p, value, line)
			want := int64(r.Default)
			switch inside := least <= value && value <= most; {
			case inside != (err == nil):
				t.Errorf("%s = %d: %v", r.Name, value, err)
			case inside:
				want = value
			case r.LineRate && value > most:
				want = line
			}
			if got := int64(all[p]); got != want {
				t.Errorf("%s = %d stores %d", r.Name, value, got)
			}
		}
	}
	if _, ok := Find("DcqcnNothing"); ok {
		t.Error("a parameter that doesn't exist is found")
	}
}

func TestSetErrors(t *testing.T) {
	t.Parallel()
	all := Defaults()
	for _, c := range []struct {
		p     Parameter
		value int64
		text  string
	}{
		{Threshold, 32, "DcqcnRpgThreshold must be 1 to 31, not 32; it stays 5"},
		{HyperRate, 50000, "DcqcnRpgHaiRate can't be 50000, above the line rate; the line rate of 40000 Mbit/s was stored instead"},
	} {
		err := fmt.Errorf("set: %w", all.Set(c.p, c.value, 40000))
		var wrong *RangeError
		if !errors.As(err, &wrong) || wrong.Error() != c.text {
			t.Errorf("%v", err)
		}
	}
}

func TestLoopNeedsBothEnds(t *testing.T) {
	t.Parallel()
	off, on := Defaults(), Defaults()
	for priority := range Parameter(Priorities) {
		on[RPEnable+priority], on[NPEnable+priority] = 1, 1
	}
	for _, c := range []struct {
		sender, receiver  *Parameters
		version           int
		notified, limited bool
	}{
		{&on, &on, 2, true, true}, {&on, &on, 1, false, false}, {&off, &on, 2, true, false},
		{&on, &off, 2, false, false}, {&off, &off, 2, false, false},
	} {
		if notified, limited := Loop(c.sender, c.receiver, 3, c.version); notified != c.notified || limited != c.limited {
			t.Errorf("RoCE v%d: notified %v, limited %v", c.version, notified, limited)
		}
	}
}
