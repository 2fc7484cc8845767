package linux

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type still struct{}

func (still) LinuxChanged() {}

// TestFiles: a file is written and written back, and only files that differ from a new host are kept.
func TestFiles(t *testing.T) {
	t.Parallel()
	s := new(State)
	set := Set{still{}, s}
	for _, o := range []WriteFile{
		{File{Path: Config, Text: "virt_enable 2\n"}}, {File{Path: "/tmp/a", Text: "x"}}, {File{Path: Partitions, Gone: true}},
	} {
		back, err := o.Inverse(set)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Apply(set); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Inverse(set); err == nil || !strings.Contains(err.Error(), "already") {
			t.Errorf("%s again: %v", o.Describe(), err)
		}
		if text, there := s.Read(o.File.Path); text != o.File.Text || there == o.File.Gone {
			t.Errorf("%s: %q, %v", o.Describe(), text, there)
		}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		if err := back.Apply(set); err != nil || !reflect.DeepEqual(*s, State{}) {
			t.Errorf("undo of %s leaves %+v, %v", o.Describe(), *s, err)
		}
	}
	for _, f := range []File{{Path: "a"}, {Path: "/a/../b"}, {Path: "/a/"}, {Path: "/a", Text: "\x1b"}, {Path: "/a", Text: strings.Repeat("x", maxText+1)}, {Path: "/a", Text: "x", Gone: true}} {
		if _, err := (WriteFile{f}).Inverse(set); err == nil {
			t.Errorf("%.40q is written", f.Path+f.Text)
		}
	}
	if s.Setting("virt_enable") != "0" || s.Setting("none") != "" {
		t.Error("the settings of a new host differ")
	}
}

// TestPartitions: the port of the lab gets the partitions of ALL, with the membership of the member or of the partition.
func TestPartitions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                  "[]",
		"Default=0x7fff, ipoib : ALL=full;": "[]",
		"a=0x123 : ALL=full; # b=0x1 : ALL;\nc=0x124:ALL;": "[0124 8123]",
		"a=0x8123, defmember=full : ALL;":                  "[8123]",
		"a=0x123, defmember=full : ALL=limited, 0x1=full;": "[0123]",
		"a=0x123 : 0x0002c903005e1a21=full;":               "[]",
		"a=0x123 : ALL; a=0x123 : ALL;":                    "[0123]",
	} {
		s := &State{Files: []File{{Path: Partitions, Text: text}}}
		if keys, err := s.PKeys(); err != nil || fmt.Sprint(keys) != want {
			t.Errorf("%q: %v, %v, not %s", text, keys, err, want)
		}
	}
	for _, text := range []string{"a", "a=123 : ALL;", "a=0x0 : ALL;", "a=0x12345 : ALL;", "=: ;", "a : ALL;"} {
		s := &State{Files: []File{{Path: Partitions, Text: text}}}
		if keys, err := s.PKeys(); err == nil {
			t.Errorf("%q is read: %v", text, keys)
		}
	}
}
