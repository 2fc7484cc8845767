package guides_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/script"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/guides"
	"cxdeck/views/exec/hosts"
)

// memoryFiles keeps what commands write, by path.
type memoryFiles map[string][]byte

func (m memoryFiles) Read(path string, _ int64) ([]byte, error) {
	data, ok := m[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (m memoryFiles) Write(files []script.File, _ bool) error {
	for _, f := range files {
		m[f.Path] = f.Data
	}
	return nil
}

func (m memoryFiles) Stream(path string, _ bool, write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	m[path] = b.Bytes()
	return err
}

func (memoryFiles) Folder(name string) (string, error) { return "/" + name, nil }

// stage is a host of the lab with the commands.
type stage struct {
	host   *hosts.Lab
	source *lab.Source
	drafts exec.DraftStore
	files  memoryFiles
}

func newStage(t *testing.T, name string) *stage {
	t.Helper()
	d := description.Default()
	for _, named := range description.NamedLabs() {
		if named.Name == name {
			var err error
			if d, err = description.ParseText(named.Text()); err != nil {
				t.Fatal(err)
			}
		}
	}
	made, err := device.New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(made))
	if err != nil {
		t.Fatal(err)
	}
	return &stage{hosts.OnLab(source, nil, nil), source, exec.NewDraftStore(), memoryFiles{}}
}

// run runs a line and returns its status and what it printed.
func (s *stage) run(t *testing.T, words ...string) (exec.Status, string) {
	t.Helper()
	var out bytes.Buffer
	runner := exec.Runner{
		Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return s.host, nil }, Drafts: s.drafts, Files: s.files, Out: &out, Err: &out,
		Ask: func(context.Context) string { return "y" },
	}
	if len(words) == 1 {
		status := runner.Script(t.Context(), strings.NewReader(words[0]))
		return status, out.String()
	}
	status := runner.Run(t.Context(), words)
	return status, out.String()
}

// prepare brings the lab into the state that a guide starts from, and returns the answers of its test as words.
func (s *stage) prepare(t *testing.T, g *guide.Guide) (answers []string) {
	t.Helper()
	s.run(t, "advance 30s")
	for _, line := range g.Try.Prepare {
		if status, out := s.run(t, line); status != exec.Done {
			t.Fatalf("prepare: %s gives %d: %s", line, status, out)
		}
	}
	for name, value := range g.Try.Answers {
		answers = append(answers, name+"="+value)
	}
	return answers
}

// settings returns the parts of the saved host that an undo restores.
func (s *stage) settings(t *testing.T) map[string]string {
	t.Helper()
	parts := map[string]json.RawMessage{}
	err := s.host.ReadHost(t.Context(), func(h *driver.Host) error {
		data, err := h.Save()
		if err != nil {
			return err
		}
		return json.Unmarshal(data, &parts)
	})
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for _, name := range []string{"registry", "virtual", "qos", "teams", "stack", "vlans"} {
		var part any
		if len(parts[name]) > 0 {
			if err := json.Unmarshal(parts[name], &part); err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(withoutHistory(part))
		if err != nil {
			t.Fatal(err)
		}
		kept[name] = string(text)
	}
	return kept
}

// runningState are the parts of teams and machines that follow from traffic and links, and what a host remembers of the past.
var runningState = []string{"history", "chosen", "lost", "seen", "failovers", "path", "why", "moved"}

// withoutHistory removes the running state: an undo does not restore it.
func withoutHistory(part any) any {
	switch part := part.(type) {
	case map[string]any:
		for _, name := range runningState {
			delete(part, name)
		}
		for name := range part {
			part[name] = withoutHistory(part[name])
		}
	case []any:
		for i := range part {
			part[i] = withoutHistory(part[i])
		}
	}
	return part
}

// TestGuides carries out each guide in the lab from its preconditions to the checks after it, and back by undo.
func TestGuides(t *testing.T) {
	t.Parallel()
	for _, g := range guide.All() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, g.Try.Lab)
			answers := s.prepare(t, g)
			words := func(command string, more ...string) []string {
				return slices.Concat([]string{"guide", command, g.Name}, answers, more)
			}
			if status, out := s.run(t, words("check")...); status != exec.Done {
				t.Fatalf("a precondition is not met:\n%s", out)
			}
			before := s.settings(t)
			afterMet, _ := s.run(t, words("check", "--after")...)
			if afterMet == exec.Done && len(g.After) > 0 && changes(g) {
				t.Errorf("the checks after the guide are met before it: they show nothing")
			}
			journal := s.journal(t)
			scripted, refusal := s.run(t, slices.Concat([]string{"guide", "export", g.Name, "guide.ps1"}, answers)...)
			if scripted != exec.Done && !strings.Contains(refusal, "ends in .md") && !strings.Contains(refusal, "requires an answer") {
				t.Errorf("the script is refused: %s", refusal)
			}
			if is := s.journal(t); is != journal {
				t.Fatalf("the export has changed the host: %s", difference(journal, is))
			}
			status, out := s.run(t, words("run")...)
			for strings.Contains(out, "guide tick") { // outside the host, and not in the lab
				s.run(t, "guide", "tick", g.Name)
				status, out = s.run(t, words("run")...)
			}
			if status != exec.Done || !strings.Contains(out, "The guide is done.") {
				t.Fatalf("the guide ends with %d:\n%s", status, out)
			}
			if scripted == exec.Done && !slices.Contains(unlikeScript, g.Name) {
				checkScript(t, g, string(s.files["guide.ps1"]), s.settings(t))
			}
			if status, out := s.run(t, "guide", "undo", g.Name); g.NoUndo != "" {
				if status == exec.Done {
					t.Errorf("a guide without undo is undone: %s", out)
				}
				return
			} else if status != exec.Done {
				t.Fatalf("undo: %s", out)
			}
			if left, _ := s.run(t, words("check", "--after")...); left == exec.Done && len(g.After) > 0 && changes(g) {
				t.Errorf("the checks after the guide are met after its undo, too")
			}
			for part, was := range before {
				if is := s.settings(t)[part]; is != was {
					t.Errorf("after undo the %s differ: %s", part, difference(was, is))
				}
			}
		})
	}
}

// TestPageOfOptionalAnswers: the page has placeholders for answers that were not given, and leaves out the checks that don't apply.
func TestPageOfOptionalAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t, "")
	_, without := s.run(t, "guide", "show", "qos-pfc-host")
	_, with := s.run(t, "guide", "check", "qos-pfc-host", "--after", "vlan=55")
	if !strings.Contains(without, `"{vlan}"`) || strings.Contains(without, "is in VLAN") || !strings.Contains(with, "is in VLAN 55") {
		t.Errorf("without a VLAN:\n%s\nwith one:\n%s", without, with)
	}
}

// TestCheckOfEachItem: a check of each item of a list has a verdict for each, which names it; other machines don't matter.
func TestCheckOfEachItem(t *testing.T) {
	t.Parallel()
	s := newStage(t, "")
	for _, line := range []string{"Set-VMNetworkAdapter vm002 -IovWeight 0", "Set-VMNetworkAdapter vm003 -IovWeight 0", "advance 10s"} {
		if status, out := s.run(t, line); status != exec.Done {
			t.Fatalf("%s:\n%s", line, out)
		}
	}
	if status, out := s.run(t, "guide", "check", "attach-vfs", "--after", "adapters=vm001/Network Adapter"); status != exec.Done {
		t.Errorf("the function of vm001 is not seen:\n%s", out)
	}
	status, out := s.run(t, "guide", "check", "attach-vfs", "--after", "adapters=vm001/Network Adapter,vm003/Network Adapter")
	if status == exec.Done || !regexp.MustCompile(`(?m)^\W*met .*vm001/Network Adapter\s*$`).MatchString(out) || !regexp.MustCompile(`not met .*vm003/Network Adapter`).MatchString(out) || strings.Contains(out, "vm002") {
		t.Errorf("vm003 has no function:\n%s", out)
	}
	if _, out := s.run(t, "guide", "check", "attach-vfs", "--after"); !strings.Contains(out, "it depends on Adapters") {
		t.Errorf("without an answer:\n%s", out)
	}
}

// changes reports whether a step of a guide changes something.
func changes(g *guide.Guide) bool {
	return slices.ContainsFunc(g.Steps, func(s guide.Step) bool { return s.Kind != guide.Look && len(s.Run) > 0 })
}

// difference returns the first places where two texts differ.
func difference(was, is string) string {
	n := 0
	for n < min(len(was), len(is)) && was[n] == is[n] {
		n++
	}
	from := max(n-60, 0)
	return was[from:min(n+60, len(was))] + " became " + is[from:min(n+60, len(is))]
}

// TestChecksWaitForAnswers: a check whose text or pattern has a placeholder without an answer can't be seen yet; it is not unmet.
func TestChecksWaitForAnswers(t *testing.T) {
	t.Parallel()
	for _, check := range []guide.Check{
		{Text: "{local} is there", Run: "adapter list"}, {Text: "it is there", Run: "adapter list", Expect: "{local}"},
		{Text: "it is gone", Run: "adapter list", Refuse: "{local}"}, {Text: "it answers", Run: "adapter show {local}"},
	} {
		g := &guide.Guide{Name: "g", Fields: []guide.Field{{Name: "local", Label: "Local address"}}}
		course := &guides.Course{Guide: g, Progress: &guides.Progress{}}
		if v := course.Check(t.Context(), []guide.Check{check})[0]; v.State != guides.Unseen || v.Why != "it depends on Local address" {
			t.Errorf("%+v: %v, %s", check, v.State, v.Why)
		}
	}
}

// TestPageShowsWhatApplies holds that a page lists the checks that apply, and shows the fields of steps that don't by their names.
func TestPageShowsWhatApplies(t *testing.T) {
	t.Parallel()
	_, page := newStage(t, "").run(t, "guide", "show", "vf-spoof-protection-mlx5")
	for text, want := range map[string]bool{"The driver allows": false, "-RegistryValue {type0}": true, "has a link again": true} {
		if strings.Contains(strings.Join(strings.Fields(page), " "), text) != want {
			t.Errorf("the page contains %q: %t\n%s", text, !want, page)
		}
	}
}

// TestRunbookNamesUndo holds that a runbook has the commands of the undo, and what the operator undoes by hand.
func TestRunbookNamesUndo(t *testing.T) {
	t.Parallel()
	g, _ := guide.Find("sriov-bios-enable")
	s := newStage(t, g.Try.Lab)
	s.prepare(t, g)
	if status, out := s.run(t, "guide", "export", "sriov-bios-enable", "runbook.md"); status != exec.Done {
		t.Fatal(out)
	}
	if text := string(s.files["runbook.md"]); !strings.Contains(text, "## Undo\n\n```\nRestart-Computer -ComputerName") || !strings.Contains(text, "- By hand: Set in the BIOS of ") {
		t.Errorf("the runbook is\n%s", text)
	}
}

// journal returns the journal of the host as text.
func (s *stage) journal(t *testing.T) string {
	t.Helper()
	_, out := s.run(t, "journal")
	return out
}
