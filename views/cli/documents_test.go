package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// documents is the path of the documentation from this package.
const documents = "../../docs"

// TestDocuments compares the generated documentation with the program: pictures, tables of keys, the pages of the command line
// and of the counter sets. With -update it writes them.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	stage := newShowing(t)
	for name, picture := range stage.pictures(t) {
		sameDocument(t, filepath.Join(documents, "pictures", name+".svg"), picture)
	}
	reference := slices.Concat(stage.Shell.Reference(), stage.compared, ui.WizardReference())
	for _, page := range keyPages {
		path := filepath.Join(documents, page.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := fillKeys(string(text), page.table, tableOf(reference, page.table, page.screen))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		sameDocument(t, path, []byte(filled))
	}
	sameDocument(t, filepath.Join(documents, "command-line.md"), []byte(commandLinePage()))
	sameDocument(t, filepath.Join(documents, "counter-sets.md"), []byte(counterSetsPage(stage.schema)))
}

// tableOf returns a table of keys by its name.
func tableOf(reference []ui.ReferenceRow, table, screen string) string {
	if table == "letters" {
		return letterTable()
	}
	return keyTable(reference, screen)
}

// sameDocument fails the test if a file differs from the generated one; with -update it writes the file.
func sameDocument(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err == nil && bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		return
	}
	if !viewtest.Updating() {
		t.Errorf("%s is not what the program shows now: run task docs and look at the difference", path)
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDocumentLinks: every link to a file of the project leads to an existing file.
func TestDocumentLinks(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(documents, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "](")[1:] {
			target, _, _ := strings.Cut(part, ")")
			target, _, _ = strings.Cut(target, "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, target)
			}
		}
	}
}
