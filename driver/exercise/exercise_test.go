package exercise

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/tomlfile"
)

// TestEmbedded holds that there are twenty exercises in five levels, that titles and stories don't tell what is broken, and that each
// file is named for its exercise.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	levels := map[int]int{}
	for _, e := range All() {
		levels[e.Level]++
		if found, ok := Find(strings.ToUpper(e.Name)); !ok || found != e {
			t.Errorf("%s is not found", e.Name)
		}
		for _, telling := range []string{"PFC", "RSS", "unplugged", "disabled", "roce_mode", "TcpWindowSize"} {
			if strings.Contains(e.Title+e.Story, telling) {
				t.Errorf("%s tells that %s is broken", e.Name, telling)
			}
		}
	}
	if len(All()) != 20 || len(levels) != Levels {
		t.Errorf("%d exercises, by level %v", len(All()), levels)
	}
	if _, ok := Find("no-such-exercise"); ok {
		t.Error("an exercise that does not exist is found")
	}
}

const sound = `
name = "own"
title = "Mine"
level = 2
places = ["Ethernet 7", "Ethernet 8"]
story = "At {place} something is wrong."
break = ['cable pull "{place}"']
settle = "20s"
broken = "The cable of {place} was out."
signs = ["No link at {place}."]
rules = ["cable-out"]
hints = ["Look at {place}."]
steps = [{ text = "Plug in {place}.", run = ['cable plug "{place}"'] }]
`

// TestParse holds that the seed chooses the place, and that each mistake gives one sentence with its place where it has one.
func TestParse(t *testing.T) {
	t.Parallel()
	e, err := Parse([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	for seed, place := range map[uint64]string{1: "Ethernet 7", 2: "Ethernet 8", 3: "Ethernet 7"} {
		at := e.At(seed)
		texts := slices.Concat(at.Break, at.Signs, at.Hints, at.Steps[0].Run, []string{at.Story, at.Broken, at.Steps[0].Text})
		for _, text := range texts {
			if !strings.Contains(text, place) {
				t.Errorf("seed %d: %s lacks %s", seed, text, place)
			}
		}
	}
	if time.Duration(e.Settle) != 20*time.Second || !strings.Contains(e.Story, "{place}") {
		t.Errorf("the exercise is %+v", e)
	}
	long := strings.Repeat("x", maxSentence+1)
	for _, c := range []struct{ from, to, want string }{
		{`name = "own"`, `name = "Own one"`, `name must be at most 40 small letters, digits and hyphens, not "Own one"`},
		{`name = "own"`, ``, "name is required"},
		{"level = 2", "level = 6", "level must be 1 to 5, not 6"},
		{"level = 2", `level = "two"`, "line 4, column 9: level must be an integer, not a TOML string"},
		{"level = 2", "level = 2\nlevl = 3", `line 5, column 1: an exercise has no key "levl"`},
		{`title = "Mine"`, `title = ""`, "title is required"},
		{`title = "Mine"`, `title = "` + strings.Repeat("x", 61) + `"`, "title is longer than 60 characters"},
		{`story = "At {place} something is wrong."`, `story = "` + long + `"`, "story is longer than 2000 characters"},
		{`settle = "20s"`, `settle = "soon"`, `invalid time "soon": write it like 20s or 2m`},
		{`settle = "20s"`, `settle = "3h"`, "settle must be 0s to 10m0s"},
		{`rules = ["cable-out"]`, "rules = []", "rules is required"},
		{`hints = ["Look at {place}."]`, `hints = ["a", ""]`, "hints has an empty entry"},
		{`break = ['cable pull "{place}"']`, `break = ["a\nb"]`, "break has a line break within a line"},
		{`break = ['cable pull "{place}"']`, `break = ["a\u0007"]`, "break has a control character"},
		{"steps = [", "steps = [] #", "steps is required: the solution of an expert"},
		{`, run = ['cable plug "{place}"']`, "", "no step has a line in run: the steps change nothing"},
		{"level = 2", "level = 2\nlab = \"my lab\"", `there is no embedded lab "my lab"`},
		{"level = 2", "level = ", "line 4, column "},
	} {
		text := strings.Replace(sound, c.from, c.to, 1)
		_, err := Parse([]byte(text))
		var problem *tomlfile.Error
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q gives %v, want %q", c.to, err, c.want)
		}
	}
	if _, err := Parse(make([]byte, MaxText+1)); err == nil || err.Error() != "the exercise is longer than 64 kB" {
		t.Errorf("a long file gives %v", err)
	}
}

// FuzzParse holds that no text makes Parse panic, that an error is one line, and that an accepted exercise keeps its limits.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte("name = 1"))
	f.Add([]byte(`steps = [{ text = "a", run = [["b"]] }]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := Parse(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			return
		}
		if e.Level < 1 || e.Level > Levels || len(e.Steps) == 0 || len(e.Break) == 0 || e.Name == "" {
			t.Errorf("an incomplete exercise is accepted: %+v", e)
		}
		e.At(7)
	})
}
