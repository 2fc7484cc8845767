package guide

import (
	"strings"
	"testing"

	"cxdeck/device/tomlfile"
)

const small = `name = "x"
title = "X"
group = "ports"
families = ["winof"]
goal = "g"
source = "s"
[[fields]]
name = "connection"
label = "Connection"
kind = "connection"
[[steps]]
title = "t"
kind = "run"
run = ['adapter restart "{connection}"']
`

// TestGuidesAreWhole holds that each embedded guide can be read, and that names are unique and as their files are called.
func TestGuidesAreWhole(t *testing.T) {
	t.Parallel()
	list, err := tomlfile.ReadAll(embedded, Parse)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, g := range list {
		if seen[g.Name] {
			t.Errorf("two guides have the name %s", g.Name)
		}
		seen[g.Name] = true
		if _, err := embedded.ReadFile("guides/" + g.Name + ".toml"); err != nil {
			t.Errorf("the guide %s is in a file with another name", g.Name)
		}
		for _, c := range append(g.Needs, g.After...) {
			if c.Guide != "" {
				if _, found := Find(c.Guide); !found {
					t.Errorf("%s: the check %q names the guide %q, which does not exist", g.Name, c.Text, c.Guide)
				}
			}
		}
	}
}

// TestParseRefuses holds that each mistake in a guide gives one sentence that names it.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	if _, err := Parse([]byte(small)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`name = "x"`, `name = "X y"`, "small letters"},
		{`name = "x"`, ``, "name is required"},
		{`"ports"`, `"port"`, "group must be one of"},
		{`["winof"]`, `["mlx9"]`, "families"},
		{`goal = "g"`, `goal = ""`, "goal is required"},
		{`goal = "g"`, `goals = "g"`, `no key "goals"`},
		{`kind = "connection"`, `kind = "conection"`, "there is no kind"},
		{`kind = "connection"`, `kind = "choice"`, "choices"},
		{`kind = "run"`, `kind = "walk"`, "there is no kind"},
		{`{connection}`, `{conection}`, `no field "conection"`},
		{`kind = "run"`, "kind = \"run\"\nwhen = \"a=b\"", `"a", which does not exist`},
		{`kind = "run"`, "kind = \"run\"\nexpect = \"(\"", "no regular expression"},
		{`kind = "run"`, "kind = \"run\"\nkeep = { a = \"b\" }", "one group"},
		{`title = "t"`, `title = "t\u0007"`, "control character"},
		{`title = "X"`, `title = "` + strings.Repeat("x", 100) + `"`, "longer than"},
		{`run = ['adapter restart "{connection}"']`, `run = []`, "no line in run"},
	} {
		_, err := Parse([]byte(strings.Replace(small, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s in place of %s: %v, want %s", c.to, c.from, err, c.want)
		}
	}
	if _, err := Parse(make([]byte, MaxText+1)); err == nil {
		t.Error("a file that is too long is read")
	}
}

// TestAnswers holds what answers fields accept, and what placeholders and conditions make of them.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		field  Field
		answer string
		valid  bool
	}{
		{Field{Kind: Number}, "12", true}, {Field{Kind: Number}, "0x10", true}, {Field{Kind: Number}, "x", false}, {Field{Kind: Text}, "", false},
		{Field{Kind: Text, Optional: true}, "", true}, {Field{Kind: Text}, "a\x1bb", false}, {Field{Kind: Text}, `a" ; host reboot`, false},
		{Field{Kind: YesNo}, "yes", true}, {Field{Kind: YesNo}, "maybe", false}, {Field{Kind: Choice, Choices: []string{"A"}}, "B", false},
	} {
		if err := c.field.Check(c.answer); (err == nil) != c.valid {
			t.Errorf("%+v accepts %q: %v", c.field, c.answer, err)
		}
	}
	a := Answers{"team": "a.b", "empty": ""}
	if got := a.Fill("x {team} {other}"); got != "x a.b {other}" {
		t.Errorf("filled: %q", got)
	}
	if got := a.Given().Fill("{team} {empty}"); got != "a.b {empty}" || a["empty"] != "" {
		t.Errorf("filled with what is given: %q", got)
	}
	if got := a.Pattern("^{team}$"); got != `^a\.b$` {
		t.Errorf("the pattern is %q", got)
	}
	for when, want := range map[string]bool{"": true, "team=a.b": true, "team=x": false, "team!=x": true, "team": true, "empty": false} {
		if a.Applies(when) != want {
			t.Errorf("when %q applies: %t", when, !want)
		}
	}
}

// FuzzParse holds that no text of a guide crashes the parser, and that a guide that it accepts can be filled.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, g := range All() {
		if text, err := embedded.ReadFile("guides/" + g.Name + ".toml"); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(_ *testing.T, text []byte) {
		g, err := Parse(text)
		if err != nil {
			return
		}
		answers := g.Defaults()
		for i := range g.Steps {
			answers.Fill(g.Steps[i].Text)
			answers.Applies(g.Steps[i].When)
		}
	})
}
