package guides

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/form"
)

// course is a course of a command.
type course struct {
	Course
	call *exec.Call
}

// find returns the guide with a name, or the one in a file whose name ends in .toml.
func find(c *exec.Call, name string) (*guide.Guide, error) {
	if strings.HasSuffix(strings.ToLower(name), ".toml") {
		text, err := c.Read(name, guide.MaxText)
		if err != nil {
			return nil, err
		}
		g, err := guide.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", exec.Clean(name), err)
		}
		return g, nil
	}
	if g, found := guide.Find(name); found {
		return g, nil
	}
	var names []string
	for _, g := range guide.All() {
		names = append(names, g.Name)
	}
	return nil, exec.Mistake("there is no guide %q%s", exec.Clean(name), exec.Suggest(name, names, "guide list lists them"))
}

// Open returns the course of a guide for a screen: the call has the guide and answers as arguments, a runner with drafts, and the host.
func Open(c *exec.Call, forms form.Makers) (*Course, error) {
	o, err := commands{forms}.open(c)
	if err != nil {
		return nil, err
	}
	return &o.Course, nil
}

// OpenForm returns the course of a guide for its form on a screen, which knows the answers; with nil they are the ones of the progress.
func OpenForm(c *exec.Call, forms form.Makers, answers guide.Answers) (*Course, error) {
	o, err := commands{forms}.prepare(c)
	if err != nil {
		return nil, err
	}
	maps.Copy(o.Progress.Answers, answers)
	return &o.Course, nil
}

// open returns the course of the guide that the first argument names, with the answers of the other arguments and of the file.
func (s commands) open(c *exec.Call) (*course, error) {
	o, err := s.prepare(c)
	if err != nil {
		return nil, err
	}
	return o, o.fill(c.Ctx)
}

// prepare is open before the form is filled in.
func (s commands) prepare(c *exec.Call) (*course, error) {
	g, err := find(c, c.Arguments[0])
	if err != nil {
		return nil, err
	}
	o := &course{Course: Course{Guide: g, Runner: c.Runner, Host: c.Host, Forms: s.forms}, call: c}
	if o.all, err = read(c.Ctx, c.Runner.Drafts); err != nil {
		return nil, err
	}
	o.Progress = o.all[g.Name]
	if o.Progress == nil || !o.Progress.fits(g) {
		o.Progress = &Progress{Answers: guide.Answers{}}
	}
	answers := g.Defaults()
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		o.forgetUndone(h)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(o.Progress.Done) > 0 || g.Form() == "" {
		maps.Copy(answers, o.Progress.Answers)
	}
	o.Progress.Answers = answers
	if err := o.readAnswers(); err != nil {
		return nil, err
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		o.choosePorts(h)
		return nil
	})
	return o, err
}

// choosePorts gives each connection that was not named the first port of the host that fits it and has no other question's answer.
func (c *Course) choosePorts(h *driver.Host) {
	used := map[string]bool{}
	for i := range c.Guide.Fields {
		if f := &c.Guide.Fields[i]; f.Kind == guide.Connection {
			used[c.Progress.Answers[f.Name]] = true
		}
	}
	for i := range c.Guide.Fields {
		f := &c.Guide.Fields[i]
		if f.Kind != guide.Connection || f.Optional || c.Progress.Answers[f.Name] != "" {
			continue
		}
		for port := range h.Lab().Ports() {
			d, card, _ := h.Lab().Port(port)
			family := map[description.Family]string{description.WinOF: "winof", description.WinOF2: "winof2"}[h.Lab().Description().Adapters[card].Family]
			if !used[d.Connection] && (d.Link == description.InfiniBand) == f.InfiniBand && slices.Contains(c.Guide.Families, family) {
				c.Progress.Answers[f.Name], used[d.Connection] = d.Connection, true
				break
			}
		}
	}
}

// readAnswers adds the answers of --answers FILE, and of arguments such as team=Storage.
func (o *course) readAnswers() (err error) {
	given := guide.Answers{}
	if file := o.call.Flags["answers"]; file != "" {
		text, err := o.call.Read(file, guide.MaxText)
		if err != nil {
			return err
		}
		table := map[string]any{}
		if err := toml.NewDecoder(bytes.NewReader(text)).Decode(&table); err != nil {
			return fmt.Errorf("%s is no TOML file with answers: %s", exec.Clean(file), exec.Clean(err.Error()))
		}
		for name, value := range table {
			switch value := value.(type) {
			case bool:
				given[name] = map[bool]string{true: "yes", false: "no"}[value]
			case []any:
				items := make([]string, len(value))
				for i := range value {
					items[i] = fmt.Sprint(value[i])
				}
				given[name] = form.List(items)
			default:
				given[name] = fmt.Sprint(value)
			}
		}
	}
	for _, word := range o.call.Arguments[1:] {
		name, value, found := strings.Cut(word, "=")
		if !found {
			return exec.Mistake("an answer is written FIELD=VALUE, not %q; guide show %s lists the fields", exec.Clean(word), o.Guide.Name)
		}
		given[name] = value
	}
	for name, value := range given {
		f, found := o.Guide.Field(name)
		if !found {
			var names []string
			for i := range o.Guide.Fields {
				names = append(names, o.Guide.Fields[i].Name)
			}
			return exec.Mistake("the guide %s has no field %q%s", o.Guide.Name, exec.Clean(name), exec.Suggest(name, names, "guide show lists them"))
		}
		if f.Kind == guide.YesNo {
			value = map[string]string{"on": "yes", "true": "yes", "off": "no", "false": "no"}[value]
			value = firstOf(value, given[name])
		}
		if err := f.Check(value); err != nil {
			return exec.Mistake("%v", err)
		}
		if o.Progress.Answers[f.Name], err = o.onHost(f, value); err != nil {
			return err
		}
	}
	return nil
}

func firstOf(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// onHost returns the name of a connection as the host spells it, or the error that the host has none with this name.
func (o *course) onHost(f *guide.Field, value string) (spelt string, err error) {
	if f.Kind != guide.Connection || value == "" {
		return value, nil
	}
	err = o.Host.ReadHost(o.call.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if name := h.Lab().Connection(port); strings.EqualFold(name, value) {
				spelt = name
				return nil
			}
		}
		return request.Errorf("there is no connection %q", exec.Clean(value))
	})
	return spelt, err
}
