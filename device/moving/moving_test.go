package moving

import (
	"bytes"
	"math"
	"testing"
)

type part struct {
	Level float64
	Whole int64
}

type element struct {
	part
	scratch int
}

func TestAPartOfEachElementIsSaved(t *testing.T) {
	t.Parallel()
	var items []element
	l := Partial(&items, 3, func(e *element) *part { return &e.part })
	l.Allocate()
	items[1] = element{part{0.5, -7}, 9}
	saved, err := l.Append([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	saved = saved[len("before"):]
	var others []element
	other := Partial(&others, 3, func(e *element) *part { return &e.part })
	other.Allocate()
	others[1].scratch = 4
	if l.Same(other) {
		t.Error("different lists are the same")
	}
	if err := other.Read(bytes.NewReader(saved)); err != nil {
		t.Fatal(err)
	}
	if !l.Same(other) || others[1] != (element{part{0.5, -7}, 4}) {
		t.Errorf("read %v", others)
	}
	if other.Read(bytes.NewReader(saved[1:])) == nil {
		t.Error("a list that is too short was read")
	}
	kept := items
	l.Clone()
	if items[1].Level = 2; kept[1].Level != 0.5 {
		t.Error("a clone shares its elements")
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		items[2].Level = bad
		saved, err := l.Append(nil)
		if err != nil || other.Read(bytes.NewReader(saved)) == nil {
			t.Errorf("%v was read: %v", bad, err)
		}
	}
}
