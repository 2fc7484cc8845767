package catalog

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// TestCommandForms holds each form of a command in the manuals against the program: the rows in testdata/forms run the form with
// all its options, see what it prints and changes, and what it refuses. A form that cxdeck reads must have a row for each option,
// output and error that the manuals list. With -update it writes docs/manual-commands.md.
func TestCommandForms(t *testing.T) {
	if testing.Short() {
		t.Skip("many lines: run it without -short")
	}
	t.Parallel()
	forms := commandForms(t)
	t.Run("tables", func(t *testing.T) {
		for i := 0; i < len(forms); {
			// The forms of a table run one after the other, since some share a lab.
			file := forms[i].file
			if file == "" || slices.ContainsFunc(forms[:i], func(form *commandForm) bool { return form.file == file }) {
				i++
				continue
			}
			table := slices.Clone(forms)
			table = slices.DeleteFunc(table, func(form *commandForm) bool { return form.file != file })
			slices.SortStableFunc(table, func(a, b *commandForm) int { return a.at - b.at })
			t.Run(strings.TrimSuffix(file, ".txt"), func(t *testing.T) {
				t.Parallel()
				proof := formProof{T: t}
				for _, form := range table {
					proof.run(form)
					form.ran = true
				}
			})
			i++
		}
	})
	for _, form := range forms {
		if form.file == "" {
			t.Errorf("%s: it is read by %q, and testdata/forms has no rows for it", form.Form, form.readBy())
			continue
		}
		if !form.ran {
			continue // the flag -run chose other tables
		}
		for _, missing := range form.missing() {
			t.Errorf("%s: no row of %s proves %s", form.Form, form.file, missing)
		}
	}
	if whole := !slices.ContainsFunc(forms, func(form *commandForm) bool { return form.file != "" && !form.ran }); whole && !t.Failed() {
		golden(t, "../../../docs/manual-commands.md", formsPage(forms))
	}
}

// formProof runs the rows of a table.
type formProof struct {
	*testing.T
	form     *commandForm
	bench    *bench
	lab      string
	answer   string            // to the last line, each run of blanks as one
	readings map[string]string // of this form
	covers   []string          // options of the next line
	refuses  string            // error that the next line proves
	pending  string            // place of the row whose options wait for a check
}

func (p *formProof) run(form *commandForm) {
	p.form, p.readings, p.covers, p.refuses, p.pending = form, map[string]string{}, nil, "", ""
	fresh := true
	for _, row := range form.proofs {
		fresh = fresh && row.kind != "same lab"
	}
	if fresh {
		p.bench = nil
	}
	for _, row := range form.proofs {
		p.row(row)
	}
	if p.pending != "" || p.covers != nil || p.refuses != "" {
		p.Errorf("%s: no check follows the last row of %s", p.pending, form.Form)
	}
}

// row runs a row.
func (p *formProof) row(row formRow) {
	switch row.kind {
	case "lab":
		if p.lab != row.text {
			p.lab, p.bench = row.text, nil
		}
	case "fresh lab":
		p.bench = nil
	case "answer":
		p.exec("")
		p.bench.Ask = func(context.Context) string {
			p.bench.out.WriteString(row.text + "\n") // as a terminal echoes it
			return row.text
		}
	case "covers":
		if p.pending != "" {
			p.Errorf("%s: no check follows the options of %s", row.place, p.pending)
		}
		for name := range strings.SplitSeq(row.text, "; ") {
			if !slices.Contains(p.form.Options, name) && !slices.ContainsFunc(p.form.Options, func(option string) bool {
				return slices.Contains(alternatives(option), name)
			}) {
				p.Errorf("%s: the form %s has no option %q", row.place, p.form.Form, name)
			}
			p.covers = append(p.covers, name)
		}
	case "refuses":
		if p.refuses = p.listed(p.form.Errors, row.text); p.refuses == "" {
			p.Errorf("%s: the form %s has no such error", row.place, p.form.Form)
		}
	case "$", "!":
		p.line(row)
	case "~":
		if status := p.exec(row.text); status != exec.Done {
			p.Errorf("%s: %s: status %d\n%s", row.place, row.text, status, p.answer)
		}
		if before, again := p.readings[row.text]; again {
			if before == p.answer {
				p.Errorf("%s: %s answers as before:\n%s", row.place, row.text, p.answer)
			}
			p.form.changed, p.pending = true, ""
		}
		p.readings[row.text] = p.answer
	case ">", "<":
		p.check(row)
	case "as printed":
		for _, line := range p.form.Output {
			if !slices.Contains(strings.Split(p.answer, "\n"), oneBlank(line)) {
				p.Errorf("%s: the answer has no line %q:\n%s", row.place, line, p.answer)
			}
			p.form.provenOutput[oneBlank(line)] = true
		}
		p.pending = ""
	}
}

// listed returns the item that begins with text, or empty.
func (p *formProof) listed(items []string, text string) string {
	for _, item := range items {
		if strings.HasPrefix(item, text) {
			return item
		}
	}
	return ""
}

// exec runs a line on the lab, which it makes if there is none.
func (p *formProof) exec(line string) exec.Status {
	if p.bench == nil {
		p.bench = newBench(p.T, labOf(p.T, map[bool]string{true: "# lab: " + p.lab}[p.lab != "" && p.lab != "default"]))
		p.bench.Files.(memoryFiles)["manual.ps1"] = []byte(manualStartup)
	}
	p.bench.out.Reset()
	p.bench.errs.Reset()
	status := p.bench.script(line)
	p.answer = oneBlank(p.bench.out.String() + p.bench.errs.String())
	return status
}

// line runs a $ or ! row, and marks what it proves.
func (p *formProof) line(row formRow) {
	status := p.exec(row.text)
	if refused := row.kind == "!"; (status == exec.Done) == refused {
		p.Errorf("%s: %s: status %d\n%s", row.place, row.text, status, p.answer)
	}
	if row.kind == "!" {
		p.form.refusals++
	}
	if p.refuses != "" {
		p.form.provenErrors[p.refuses] = true
		p.refuses = ""
		if row.kind == "$" {
			p.pending = row.place
		}
	}
	lower := strings.ToLower(row.text)
	for _, option := range p.covers {
		words := alternatives(option)
		for i, word := range words {
			typed := mustTyped(word)
			if !typed && len(words) == 1 || strings.Contains(lower, strings.ToLower(word)) || !typed && i == 0 {
				p.form.provenOptions[word] = true
			} else if len(words) == 1 {
				p.Errorf("%s: the line has no %s", row.place, word)
			}
		}
	}
	if p.covers != nil {
		p.covers = nil
		if row.kind == "$" {
			p.pending = row.place // a refusal is a check itself
		}
	}
}

// check holds the last answer against the pattern of a row.
func (p *formProof) check(row formRow) {
	pattern, err := regexp.Compile("^(?:" + oneBlank(row.text) + ")$")
	if err != nil {
		p.Fatalf("%s: %v", row.place, err)
	}
	found := slices.ContainsFunc(strings.Split(p.answer, "\n"), pattern.MatchString)
	if found != (row.kind == ">") {
		p.Errorf("%s: %s %s: got\n%s", row.place, row.kind, row.text, p.answer)
	}
	p.pending = ""
	if row.kind == "<" {
		return
	}
	for _, line := range p.form.Output {
		if line = oneBlank(line); pattern.MatchString(line) {
			p.form.provenOutput[line] = true
		}
	}
	plain := strings.ReplaceAll(row.text, `\`, "")
	for _, field := range p.form.Fields {
		if strings.Contains(strings.ToLower(plain), strings.ToLower(field)) {
			p.form.provenOutput[field] = true
		}
	}
}
