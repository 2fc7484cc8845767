package host

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/registry/tuning"
	"cxdeck/driver/request"
	"cxdeck/driver/script"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
)

// profileRow is a profile as JSON.
type profileRow struct {
	Name   string         `json:"name"`
	About  string         `json:"about"`
	Values []profileValue `json:"values"`
}

type profileValue struct {
	Key string `json:"key"`
	// Value is null if the profile deletes the key.
	Value *string `json:"value"`
}

func profileOf(p profile.Profile) profileRow {
	row := profileRow{Name: p.Name, About: p.About, Values: []profileValue{}}
	for _, v := range p.Values {
		value := profileValue{Key: v.Key}
		if !v.Delete {
			value.Value = &v.Value
		}
		row.Values = append(row.Values, value)
	}
	return row
}

// findProfile finds a saved profile by its name, in any case.
func findProfile(c *exec.Call, name string) (profile.Profile, error) {
	all, err := c.Runner.Drafts.Profiles(c.Ctx)
	var names []string
	for _, p := range all {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if err != nil {
		return profile.Profile{}, err
	}
	if s, ok := tuning.Find(strings.ToLower(name)); ok {
		return profile.Profile{}, fmt.Errorf("%s is a tuning scenario, not a saved profile; reg profile apply %s NAME stores its "+
			"values",
			s.Name, s.Name)
	}
	return profile.Profile{}, request.Errorf("there is no profile %q%s", name,
		exec.Suggest(name, names, "reg profile list prints the names"))
}

func profileList(c *exec.Call) (exec.Answer, error) {
	all, err := c.Runner.Drafts.Profiles(c.Ctx)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []profileRow{}
	for _, p := range all {
		rows = append(rows, profileOf(p))
	}
	return exec.Answer{
		Result: struct {
			Profiles []profileRow `json:"profiles"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no profiles; reg profile save saves the values of a connection as one. reg profile "+
					"apply also takes these scenarios of the tuning tool: "+scenarioNames()+".")
				return err
			}
			t := exec.NewTextTable(w, "PROFILE", "VALUES", "ABOUT")
			for _, r := range rows {
				t.Row(r.Name, strconv.Itoa(len(r.Values)), r.About)
			}
			return t.Flush()
		},
	}, nil
}

// savedProfile is the name of a saved profile as an argument.
type savedProfile struct{ profile.Profile }

// Read finds the profile.
func (p *savedProfile) Read(c *exec.Call, name, _ string) (err error) {
	p.Profile, err = findProfile(c, name)
	return err
}

func profileShow(_ *exec.Call, in *struct{ Profile savedProfile }) (exec.Answer, error) {
	return profileAnswer(in.Profile.Profile, ""), nil
}

// profileAnswer lists the values of a profile; done is " is saved", " is deleted" or empty.
func profileAnswer(p profile.Profile, done string) exec.Answer {
	row := profileOf(p)
	return exec.Answer{
		Result: struct {
			Profile profileRow `json:"profile"`
		}{row},
		Text: func(w io.Writer) error {
			if _, err := fmt.Fprintf(w, "Profile %s%s: %s\n", exec.Clean(row.Name), done, exec.Clean(row.About)); err != nil {
				return err
			}
			t := exec.NewTextTable(w, "", "KEY", "VALUE")
			for _, v := range row.Values {
				value := "(absent)"
				if v.Value != nil {
					value = *v.Value
				}
				t.Row("", v.Key, value)
			}
			return t.Flush()
		},
	}
}

// saveProfile saves a profile. It replaces one with the same name only with --force.
func saveProfile(c *exec.Call, p profile.Profile) (exec.Answer, error) {
	all, err := c.Runner.Drafts.Profiles(c.Ctx)
	if err != nil {
		return exec.Answer{}, err
	}
	for _, older := range all {
		if strings.EqualFold(older.Name, p.Name) && c.Flags["force"] == "" {
			return exec.Answer{}, request.Errorf("the profile %q exists already; --force replaces it", older.Name)
		}
	}
	if err := c.Runner.Drafts.SaveProfile(c.Ctx, p); err != nil {
		return exec.Answer{}, err
	}
	return profileAnswer(p, " is saved"), nil
}

func profileSave(c *exec.Call, in *struct {
	Profile string
	Name    string `is:"connection"`
	Keys    []string
}) (exec.Answer, error) {
	var p profile.Profile
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		p, err = h.ProfileOf(in.Name, strings.TrimSpace(in.Profile), in.Keys...)
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	return saveProfile(c, p)
}

// scenarioNames lists the tuning scenarios, without the one that requires RSS processors as arguments.
func scenarioNames() string {
	var names []string
	for _, s := range tuning.Scenarios() {
		if s.Flag != "-m" {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}

// profileApply applies a saved profile, or a tuning scenario if there is no profile with the name.
func profileApply(c *exec.Call) (exec.Answer, error) {
	p, err := findProfile(c, c.Arguments[0])
	scenario, isScenario := tuning.Find(strings.ToLower(c.Arguments[0]))
	isScenario = isScenario && err != nil
	if err != nil && !isScenario {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	var names []string
	for _, name := range c.Arguments[1:] {
		if name, err = exec.Connection(view, name); err != nil {
			return exec.Answer{}, err
		}
		names = append(names, name)
	}
	var plan driver.Plan
	var absent []string
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		if !isScenario {
			plan, absent, err = h.ApplyProfile(p, names...)
			return err
		}
		var tuned tuning.Tuning
		plan, tuned, err = h.Tune(scenario, nil, nil, names...)
		absent = tuned.Absent()
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	if len(plan.Operations) == 0 {
		return exec.Answer{}, &request.UnchangedError{Why: "all values of " + plan.Title + " are stored already"}
	}
	answer, err := drafts.Answer(c, plan)
	if err != nil || len(absent) == 0 {
		return answer, err
	}
	text := answer.Text
	answer.Text = func(w io.Writer) error {
		if err := text(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "  skipped, because there are no such keys: %s\n", exec.Clean(strings.Join(absent, ", ")))
		return err
	}
	return answer, nil
}

func profileDelete(c *exec.Call) (exec.Answer, error) {
	p, err := findProfile(c, c.Arguments[0])
	if err == nil {
		err = c.Runner.Drafts.DeleteProfile(c.Ctx, p.Name)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	return profileAnswer(p, " is deleted"), nil
}

func profileExport(c *exec.Call, in *struct{ Profile savedProfile }) (exec.Answer, error) {
	p := in.Profile.Profile
	data, err := p.Encode()
	if err != nil {
		return exec.Answer{}, err
	}
	files := []script.File{{Path: c.Arguments[1], Data: data}}
	if err := c.Write(files); err != nil {
		return exec.Answer{}, err
	}
	rows := filesOf(files)
	return exec.Answer{
		Result: struct {
			Files []fileRow `json:"files"`
		}{rows},
		Text: writtenText("Profile "+exec.Clean(p.Name), rows),
	}, nil
}

func profileImport(c *exec.Call) (exec.Answer, error) {
	data, err := c.Read(c.Arguments[0], profile.LargestFile)
	if err != nil {
		return exec.Answer{}, err
	}
	p, err := profile.Read(c.Arguments[0], data)
	if err != nil {
		return exec.Answer{}, err
	}
	return saveProfile(c, p)
}
