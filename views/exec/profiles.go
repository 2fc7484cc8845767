package exec

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/tuning"
	"cxdeck/driver/request"
)

// profileRow is a profile as JSON.
type profileRow struct {
	Name   string         `json:"name"`
	About  string         `json:"about"`
	Values []profileValue `json:"values"`
}

type profileValue struct {
	Key string `json:"key"`
	// Value is null for a key that is to be absent.
	Value *string `json:"value"`
}

func profileOf(p driver.Profile) profileRow {
	row := profileRow{Name: p.Name, About: p.About, Values: []profileValue{}}
	for _, v := range p.Values {
		one := profileValue{Key: v.Key}
		if !v.Delete {
			one.Value = &v.Value
		}
		row.Values = append(row.Values, one)
	}
	return row
}

// profile is a profile by its name.
func (c *call) profile(name string) (driver.Profile, error) {
	all, err := c.runner.Shelf.Profiles(c.ctx)
	var names []string
	for _, p := range all {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if err != nil {
		return driver.Profile{}, err
	}
	if s, ok := tuning.Find(strings.ToLower(name)); ok {
		return driver.Profile{}, fmt.Errorf("%s is a tuning scenario and no profile that is kept; reg profile apply %s "+
			"NAME stores its values",
			s.Name, s.Name)
	}
	return driver.Profile{}, fmt.Errorf("no profile is called %q%s", name,
		suggest(name, names, "reg profile list prints the names"))
}

func profileList(c *call) (answer, error) {
	all, err := c.runner.Shelf.Profiles(c.ctx)
	if err != nil {
		return answer{}, err
	}
	rows := []profileRow{}
	for _, p := range all {
		rows = append(rows, profileOf(p))
	}
	return answer{
		result: struct {
			Profiles []profileRow `json:"profiles"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No profile is kept; reg profile save keeps the values of a connection as one. reg "+
					"profile apply "+
					"takes these scenarios of the tuning tool, too: "+scenarioNames()+".")
				return err
			}
			t := newTable(w, "PROFILE", "VALUES", "ABOUT")
			for _, r := range rows {
				t.row(r.Name, strconv.Itoa(len(r.Values)), r.About)
			}
			return t.Flush()
		},
	}, nil
}

func profileShow(c *call) (answer, error) {
	p, err := c.profile(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	return toldProfile(p, ""), nil
}

// toldProfile says what is in a profile.
func toldProfile(p driver.Profile, done string) answer {
	row := profileOf(p)
	return answer{
		result: struct {
			Profile profileRow `json:"profile"`
		}{row},
		text: func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "Profile %s%s: %s\n", Clean(row.Name), done, Clean(row.About)); err != nil {
				return err
			}
			t := newTable(w, "", "KEY", "VALUE")
			for _, v := range row.Values {
				value := "(absent)"
				if v.Value != nil {
					value = *v.Value
				}
				t.row("", v.Key, value)
			}
			return t.Flush()
		},
	}
}

// keep keeps a profile; with --force in the place of one of its name.
func (c *call) keep(p driver.Profile) (answer, error) {
	all, err := c.runner.Shelf.Profiles(c.ctx)
	if err != nil {
		return answer{}, err
	}
	for _, older := range all {
		if strings.EqualFold(older.Name, p.Name) && c.flags["force"] == "" {
			return answer{}, fmt.Errorf("there is a profile %q already; --force replaces it", older.Name)
		}
	}
	if err := c.runner.Shelf.SaveProfile(c.ctx, p); err != nil {
		return answer{}, err
	}
	return toldProfile(p, " is kept"), nil
}

func profileSave(c *call) (answer, error) {
	name, err := c.named(1)
	if err != nil {
		return answer{}, err
	}
	var p driver.Profile
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		p, err = h.ProfileOf(name, strings.TrimSpace(c.arguments[0]), c.arguments[2:]...)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return c.keep(p)
}

// scenarioNames are the names of the tuning scenarios in a phrase, without the one that has to be told processors.
func scenarioNames() string {
	var names []string
	for _, s := range tuning.Scenarios() {
		if s.Flag != "-m" {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}

// profileApply applies a profile that is kept, or else a tuning scenario.
func profileApply(c *call) (answer, error) {
	p, err := c.profile(c.arguments[0])
	scenario, tunes := tuning.Find(strings.ToLower(c.arguments[0]))
	tunes = tunes && err != nil
	if err != nil && !tunes {
		return answer{}, err
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	var names []string
	for _, name := range c.arguments[1:] {
		if name, err = connection(view, name); err != nil {
			return answer{}, err
		}
		names = append(names, name)
	}
	var plan driver.Plan
	var absent []string
	err = c.host.Look(c.ctx, func(h *driver.Host) (err error) {
		if !tunes {
			plan, absent, err = p.Plan(h, names...)
			return err
		}
		tuned, err := h.Tune(scenario, nil, nil, names...)
		plan, absent = tuned.Plan, tuned.Absent()
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if len(plan.Operations) == 0 {
		return answer{}, &request.UnchangedError{Why: "all values of " + plan.Title + " are stored already"}
	}
	said, err := c.drafted(plan)
	if err != nil || len(absent) == 0 {
		return said, err
	}
	text := said.text
	said.text = func(w io.Writer) error {
		if err := text(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "  left out, for there are no such keys: %s\n", Clean(strings.Join(absent, ", ")))
		return err
	}
	return said, nil
}

func profileDelete(c *call) (answer, error) {
	p, err := c.profile(c.arguments[0])
	if err == nil {
		err = c.runner.Shelf.DeleteProfile(c.ctx, p.Name)
	}
	if err != nil {
		return answer{}, err
	}
	return toldProfile(p, " is deleted"), nil
}

func profileExport(c *call) (answer, error) {
	p, err := c.profile(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	file, err := p.File(c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	files := []driver.File{file}
	if err := c.write(files); err != nil {
		return answer{}, err
	}
	rows := filesOf(files)
	return answer{
		result: struct {
			Files []fileRow `json:"files"`
		}{rows},
		text: written("Profile "+Clean(p.Name), rows),
	}, nil
}

func profileImport(c *call) (answer, error) {
	data, err := c.read(c.arguments[0], driver.LargestProfile)
	if err != nil {
		return answer{}, err
	}
	p, err := driver.ReadProfile(c.arguments[0], data)
	if err != nil {
		return answer{}, err
	}
	return c.keep(p)
}
