package counters

import (
	"slices"
	"strconv"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/search"
)

func TestAddPartsDoNotOverlap(t *testing.T) {
	t.Parallel()
	for width := 52; width <= 116; width += 8 {
		for height := 9; height <= 30; height += 3 {
			for focus := range partCount {
				a := arrangeAdd(width, height, focus, 7, height%6)
				parts := []rect{a.search, a.parts[partSets], a.parts[partCounters], a.parts[partInstances], a.description, a.basket, a.button}
				for i, p := range parts {
					if !inside(p, width, height) {
						t.Errorf("%dx%d: part %d is outside: %+v", width, height, i, p)
					}
					for _, q := range parts[i+1:] {
						if overlap(p, q) {
							t.Errorf("%dx%d: %+v and %+v overlap", width, height, p, q)
						}
					}
				}
			}
		}
	}
}

func TestSearchFindsWordsAcrossThePath(t *testing.T) {
	t.Parallel()
	x := search.NewIndex(newMadeUp(t, 3).schema)
	names := func(f search.Found) (counters, instances []string) {
		for _, s := range f.Sets {
			for _, c := range s.Counters {
				counters = append(counters, x.Sets[s.Set].Counters[c])
			}
			for _, i := range s.Instances {
				instances = append(instances, x.Sets[s.Set].Instances[i])
			}
		}
		return counters, instances
	}
	for _, test := range []struct {
		text                string
		counters, instances []string
	}{
		{"sent PORT interface", []string{"Bytes Sent/sec"}, []string{"Port 1", "Port 2", "Port 3"}},
		{"discarded/sec 2", []string{"Packets Received Discarded/sec"}, []string{"Port 2"}},
		{"total", []string{"Bytes Sent/sec", "Bytes Received/sec", "Packets Received Discarded/sec", "Packets Received Discarded"}, []string{"_Total"}},
		{"nothing like it", nil, nil},
	} {
		counters, instances := names(x.Find(test.text))
		if !slices.Equal(counters, test.counters) || !slices.Equal(instances, test.instances) {
			t.Errorf("%q finds %q of %q, want %q of %q", test.text, counters, instances, test.counters, test.instances)
		}
	}
}

// TestAddKeepsItsTicksOverSearches chooses counters of two sets in several searches, and adds all of them at once.
func TestAddKeepsItsTicksOverSearches(t *testing.T) {
	t.Parallel()
	s, stage := staged(t, watched(t))
	stage.Press("E", "a")
	choose := func(search string, keys ...string) {
		stage.Press("/", "ctrl+u")
		stage.Type(search)
		stage.Press("enter", "enter")
		stage.Press(keys...)
	}
	stage.Press("tab")
	choose("cxdeck port discarded ethernet 7", " ")
	stage.Want("Chosen: Packets Discarded/sec of Ethernet 7")
	choose("cxdeck port bytes ethernet 7", "A")
	stage.Want("Chosen: Bytes Received/sec, Bytes Sent/sec, Packets Discarded/sec of Ethernet 7")
	choose("winof 2 port qos pause", " ")
	stage.Want("Chosen: ", "(cxdeck Port)", "(Mellanox WinOF-2 Port QoS)")
	choose("nothing like it")
	stage.Want("Chosen: ", "(cxdeck Port)")
	if len(s.curves) > 0 {
		t.Fatal("counters were added before Enter")
	}
	choose("winof 2 port qos pause", "enter")
	sets := map[string]int{}
	for i := range s.curves {
		sets[s.curves[i].set]++
	}
	if sets["cxdeck Port"] < 3 || sets["Mellanox WinOF-2 Port QoS"] == 0 || len(sets) != 2 {
		t.Errorf("the curves belong to the sets %v", sets)
	}
	stage.Press("a", "tab", "tab", " ")
	stage.Want("Chosen: ")
	stage.Press("E")
	stage.WantNot("Chosen: ")
}

// TestNarrowerSearchKeepsTheInstances chooses a counter of all instances, and then searches with more words.
func TestNarrowerSearchKeepsTheInstances(t *testing.T) {
	t.Parallel()
	_, stage := staged(t, watched(t))
	stage.Press("E", "a")
	stage.Type("winof 2 port qos rcv pause frames")
	stage.Press("enter", "enter", " ")
	stage.Want("Chosen: Rcv Pause Frames of 54 instances")
	stage.Press("/")
	stage.Type(" ethernet 7 priority 3")
	stage.Want("Chosen: Rcv Pause Frames of 54 instances")
	stage.Press("enter", "tab", "tab", "down")
	stage.Want("Chosen: Rcv Pause Frames of Ethernet 7 Priority 3") // the row under the cursor
}

// TestInstancesWithoutACounter chooses an instance alone: the counter under the cursor goes with it, into the next search too.
func TestInstancesWithoutACounter(t *testing.T) {
	t.Parallel()
	s, stage := staged(t, watched(t))
	stage.Press("E", "a")
	stage.Type("cxdeck port discarded ethernet 7")
	stage.Press("enter", "enter", "tab", "down", " ")
	stage.Want("Chosen: Packets Discarded/sec of Ethernet 7")
	stage.Press("/", "ctrl+u")
	stage.Type("winof 2 port qos pause")
	stage.Want("Chosen: Packets Discarded/sec of Ethernet 7")
	stage.Press("enter", "enter", "enter", "enter")
	if len(s.curves) != 1 || s.curves[0].set != "cxdeck Port" {
		t.Errorf("%d curves were added", len(s.curves))
	}
}

// TestListsFollowTheSet moves between sets by every key and by the mouse, and checks the lists of counters and instances.
func TestListsFollowTheSet(t *testing.T) {
	t.Parallel()
	s, stage := staged(t, watched(t))
	stage.Press("a") // lists the counters
	d := newAddDialog(s)
	canvas := widget.NewCanvas(116, 30)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	draw := func() { d.Draw(canvas.All()) }
	d.part = partSets
	draw()
	moves := []ui.Msg{
		ui.KeyMsg{Name: "down"}, ui.KeyMsg{Name: " "}, ui.KeyMsg{Name: "end"}, ui.KeyMsg{Name: " "}, ui.KeyMsg{Name: "home"}, ui.KeyMsg{Name: "pgdown"}, ui.KeyMsg{Name: "A"},
		ui.HitMsg{Hit: widget.Hit{ID: zoneAdd + strconv.Itoa(partSets), Index: 3}},
		ui.HitMsg{Hit: widget.Hit{ID: zoneAdd + strconv.Itoa(partSets)}, Button: ui.WheelDown},
		ui.HitMsg{Hit: widget.Hit{ID: zoneAdd + strconv.Itoa(partSets)}, Button: ui.WheelUp},
	}
	for _, msg := range moves {
		d.Update(msg)
		if f := d.set(); d.lists[partCounters].Length() != len(f.Counters) || d.lists[partInstances].Length() != len(f.Instances)+allInstances {
			t.Errorf("after %+v the lists belong to another set", msg)
		}
		draw()
	}
}
