package catalog

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commandForm is what the manuals say about a form of a command, taken from views/cli/testdata/command-forms.json.
type commandForm struct {
	Form, Source, Effect           string
	Changes                        bool
	Lines, Options, Output, Fields []string
	Errors                         []string
	proofs                         []formRow // its rows in testdata/forms
	provenOptions, provenOutput    map[string]bool
	provenErrors                   map[string]bool
	refusals                       int
	changed, ran                   bool
	file                           string // of its rows
	at                             int    // line of its rows in the file
}

// formRow is a line of a table in testdata/forms.
type formRow struct {
	kind, text string
	place      string // file and number of the line
}

// rowKinds are the first words of the rows. A row "form NAME" begins the rows of a form, on a lab of its own unless the row "same
// lab" follows. The other rows are:
//
//	lab NAME         the lab of this form and the following ones of the file
//	same lab         the form uses the lab of the form before
//	fresh lab        the following rows use a new lab
//	covers A; B      the next $ row has the options A and B, and the rows after it prove that they act
//	$ LINE           runs, and must succeed
//	! LINE           must be refused
//	> PATTERN        matches a whole line of the answer; runs of blanks count as one
//	< PATTERN        matches no line of the answer
//	as printed       the answer has each line of the manual's output
//	~ LINE           a reading; when it repeats a reading of this form, the answer must be a different one
//	refuses TEXT     the next ! row or $ row proves the error of the manual that begins with TEXT
//	answer TEXT      the answer that is typed at each question from here on
//	except KIND TEXT: WHY   the option, output or error that begins with TEXT has no row, for the reason WHY; KIND may be change
var rowKinds = []string{"form ", "lab ", "same lab", "fresh lab", "covers ", "$ ", "! ", "> ", "< ", "as printed", "~ ", "refuses ", "answer ", "except "}

// commandForms returns the forms of the manuals with their rows.
func commandForms(t *testing.T) []*commandForm {
	t.Helper()
	data, err := os.ReadFile("../../cli/testdata/command-forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var forms []*commandForm
	if err := json.Unmarshal(data, &forms); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/forms/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no tables of forms: %v", err)
	}
	for _, form := range forms {
		form.provenOptions, form.provenOutput, form.provenErrors = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	for _, path := range paths {
		readFormRows(t, path, forms)
	}
	return forms
}

// readFormRows adds the rows of a table to their forms.
func readFormRows(t *testing.T, path string, forms []*commandForm) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var form *commandForm
	lab := formRow{kind: "lab"}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		place := fmt.Sprintf("%s:%d", filepath.Base(path), number)
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		kind := slices.IndexFunc(rowKinds, func(kind string) bool { return strings.HasPrefix(line, kind) })
		if kind < 0 {
			t.Fatalf("%s: unknown row %q", place, line)
		}
		row := formRow{kind: strings.TrimSpace(rowKinds[kind]), text: strings.TrimSpace(line[len(rowKinds[kind]):]), place: place}
		switch {
		case row.kind == "form":
			at := slices.IndexFunc(forms, func(form *commandForm) bool { return form.Form == row.text })
			if at < 0 {
				t.Fatalf("%s: the manuals have no form %q", place, row.text)
			}
			if form = forms[at]; form.file != "" {
				t.Fatalf("%s: the form %q has rows in %s", place, row.text, form.file)
			}
			form.file, form.at, form.proofs = filepath.Base(path), number, []formRow{lab}
		case form == nil && row.kind == "lab":
			lab = row
		case form == nil:
			t.Fatalf("%s: a row without a form", place)
		default:
			if row.kind == "lab" {
				lab = row
			}
			form.proofs = append(form.proofs, row)
		}
	}
}

// alternatives splits the name of an option into the words that can be typed for it.
func alternatives(option string) []string {
	var words []string
	for _, word := range regexp.MustCompile(` \| | / | \.\.\. `).Split(option, -1) {
		words = append(words, strings.TrimSpace(word))
	}
	return words
}

// mustTyped reports whether an option is a word to type, and not the name of a value.
func mustTyped(word string) bool {
	return !strings.ContainsAny(word, "<{\" ") && regexp.MustCompile(`^[-/_]|[A-Z]_|^[A-Z][A-Za-z]+$|^[a-z]$`).MatchString(word)
}

// missing returns the options, outputs and errors of a form that no row proves.
func (form *commandForm) missing() []string {
	var missing []string
	for _, option := range form.Options {
		for _, word := range alternatives(option) {
			if !form.provenOptions[word] && !form.excepted("option", option) {
				missing = append(missing, "the option "+word)
			}
		}
	}
	for _, output := range slices.Concat(form.Output, form.Fields) {
		if text := oneBlank(output); strings.Trim(text, " .") != "" && !form.provenOutput[text] && !form.excepted("output", text) {
			missing = append(missing, "the output "+output)
		}
	}
	for _, refusal := range form.Errors {
		if !form.provenErrors[refusal] && !form.excepted("error", refusal) {
			missing = append(missing, "the error "+refusal)
		}
	}
	if form.Changes && !form.changed && !form.excepted("change", "") {
		missing = append(missing, "the change: a reading (~) that differs after it")
	}
	return missing
}

// excepted reports whether a row excepts an item.
func (form *commandForm) excepted(kind, item string) bool {
	for _, row := range form.proofs {
		if what, rest, _ := strings.Cut(row.text, " "); row.kind == "except" && what == kind {
			if text, _, found := strings.Cut(rest, ": "); found && strings.HasPrefix(oneBlank(item), oneBlank(text)) || kind == "change" {
				return true
			}
		}
	}
	return false
}
