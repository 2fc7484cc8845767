package host

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/intent"
	"cxdeck/driver/script"
	"cxdeck/driver/survey"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// checkRow is the result of a check as JSON.
type checkRow struct {
	Group   string `json:"group"`
	Number  int    `json:"number"`
	Object  string `json:"object,omitempty"`
	Title   string `json:"title"`
	Outcome string `json:"outcome"`
	Wanted  string `json:"wanted,omitempty"`
	Found   string `json:"found"`
}

// intentFile is the file of an intent; without a path it is the stored intent.
type intentFile struct{ Path string }

// errNoIntent is the error of a command that needs a file or a stored intent.
var errNoIntent = exec.Mistake("no intent is stored: name a file, or store one with intent keep FILE")

// read reads an intent. A file that can't be read is a mistake, which exits with 2.
func (f *intentFile) read(c *exec.Call) (*intent.Intent, error) {
	if len(c.Arguments) == 0 {
		kept, err := keptIntent(c)
		if err != nil {
			return nil, err
		}
		return kept.Declared(), nil
	}
	data, err := c.Read(f.Path, intent.MaxBytes+1)
	if err != nil {
		return nil, exec.Mistake("%s", err)
	}
	in, err := intent.Read(data)
	if err != nil {
		return nil, exec.Mistake("can't read the intent %s: %s", f.Path, err)
	}
	return in, nil
}

// keptIntent returns the stored intent; its absence is a mistake.
func keptIntent(c *exec.Call) (kept *intent.Kept, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if kept = h.Intent(); kept == nil {
			return errNoIntent
		}
		return nil
	})
	return kept, err
}

// intentKeep stores an intent with the host.
func intentKeep(c *exec.Call, file *intentFile) (exec.Answer, error) {
	if _, err := file.read(c); err != nil {
		return exec.Answer{}, err
	}
	data, err := c.Read(file.Path, intent.MaxBytes)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(intent.Keep{File: baseName(file.Path), Data: data})
}

// baseName returns the last part of a path of any system.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

func intentDrop(c *exec.Call) (exec.Answer, error) { return c.ApplyOne(intent.Keep{}) }

// intentShow prints the stored intent.
func intentShow(c *exec.Call) (exec.Answer, error) {
	kept, err := keptIntent(c)
	if err != nil {
		return exec.Answer{}, err
	}
	text, err := intent.Text(kept.Data)
	if err != nil {
		return exec.Answer{}, err
	}
	lines := []string{fmt.Sprintf("# %s, stored at %s", kept.File, kept.Kept.Format(time.DateTime))}
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	return exec.PrintLines(lines, struct {
		File string    `json:"file"`
		Kept time.Time `json:"kept"`
		Text string    `json:"text"`
	}{kept.File, kept.Kept, text}), nil
}

func intentCheck(c *exec.Call, file *intentFile) (exec.Answer, error) {
	in, err := file.read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	var report *intent.Report
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		report, err = survey.Check(h, in)
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []checkRow{}
	for _, r := range report.Results {
		rows = append(rows, checkRow{string(r.Group), r.Number, r.Object, r.Title, string(r.Outcome), r.Wanted, r.Found})
	}
	return exec.Answer{
		Failed: !report.Passed(),
		Result: struct {
			Node   string     `json:"node"`
			Passed bool       `json:"passed"`
			Checks []checkRow `json:"checks"`
		}{report.Node, report.Passed(), rows},
		Text: func(w io.Writer) error { return writeChecks(w, rows) },
	}, nil
}

// writeChecks writes the results, and their count.
func writeChecks(w io.Writer, rows []checkRow) error {
	t := exec.NewTextTable(w, "CHECK", "OBJECT", "RESULT", "WHAT MUST HOLD", "WANTED", "FOUND")
	count := map[string]int{}
	for i := range rows {
		r := &rows[i]
		count[r.Outcome]++
		t.Row(fmt.Sprintf("%s %d", r.Group, r.Number), wording.OrDash(r.Object), r.Outcome, r.Title, wording.OrDash(r.Wanted), cmp.Or(r.Found, "-"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d passed, %d failed, %d not applicable.\n", count[string(intent.Passed)], count[string(intent.Failed)],
		count[string(intent.NotApplicable)])
	return err
}

func intentPlan(c *exec.Call, in *struct {
	Path string
	Yes  bool `flag:"yes"`
}) (exec.Answer, error) {
	declared, err := (&intentFile{in.Path}).read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	var plan driver.Plan
	var remaining []intent.Result
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		if plan, err = survey.Plan(h, declared); err == nil {
			remaining, err = survey.Remaining(h, declared, plan)
		}
		return err
	})
	if len(remaining) > 0 {
		c.Note(remainingText(remaining, len(plan.Operations) > 0))
	}
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(plan.Operations) == 0:
		return exec.NothingChanges(plan.Title, []string{"the host has all that a plan can set"}), nil
	case in.Yes:
		return c.Apply(plan)
	}
	review, err := reviewDraft(c, plan)
	if err != nil {
		return exec.Answer{}, err
	}
	row := reviewOf(c, plan, &review)
	var short struct {
		Title string   `json:"title"`
		Steps []string `json:"steps"`
	}
	short.Title = plan.Title
	for _, o := range plan.Operations {
		short.Steps = append(short.Steps, o.Describe())
	}
	return exec.Answer{
		Result: struct {
			Plan any `json:"plan"`
		}{short},
		Text: func(w io.Writer) error {
			if err := writeReview(c, w, &row, &review); err != nil {
				return err
			}
			_, err := fmt.Fprintln(w, "Nothing was changed; --yes applies the plan.")
			return err
		},
	}, nil
}

// remainingText names the first checks that fail after a plan too, or that no plan fixes.
func remainingText(list []intent.Result, planned bool) string {
	const shown = 6
	var words []string
	for _, r := range list[:min(shown, len(list))] {
		word := fmt.Sprintf("%s %d", r.Group, r.Number)
		if r.Object != "" {
			word += " of " + r.Object
		}
		words = append(words, word)
	}
	if more := len(list) - shown; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	text := " will fail after the plan too: "
	if !planned {
		text = " will go on failing, and no plan fixes them: "
	}
	return wording.Count(len(list), "check") + text + strings.Join(words, ", ")
}

func intentSave(c *exec.Call, file *intentFile) (exec.Answer, error) {
	var data []byte
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		data = survey.Save(h)
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	files := []script.File{{Path: file.Path, Data: data}}
	if err := c.Write(files); err != nil {
		return exec.Answer{}, err
	}
	rows := filesOf(files)
	return exec.Answer{
		Result: struct {
			Files []fileRow `json:"files"`
		}{rows},
		Text: writtenText("The intent of the host", rows),
	}, nil
}
