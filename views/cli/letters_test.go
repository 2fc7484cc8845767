package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cxdeck/ui"
	"cxdeck/views/deck"
)

// keyMeanings returns the meaning of each key in the table of letters.
func keyMeanings(t *testing.T) map[string]ui.Verb {
	t.Helper()
	known := map[string]ui.Verb{}
	for _, verb := range ui.Verbs() {
		for _, key := range verb.Keys {
			if other, found := known[key]; found {
				t.Errorf("%q means both %q and %q", key, other.Does, verb.Does)
			}
			known[key] = verb
		}
	}
	return known
}

// checkMeaning fails the test if a key of an action contradicts the table of letters.
func checkMeaning(t *testing.T, known map[string]ui.Verb, id, key string) {
	t.Helper()
	_, word, _ := strings.Cut(id, ".")
	verb, found := known[key]
	switch {
	case strings.HasPrefix(id, "shell.screen."), strings.HasPrefix(id, "wizard.step"):
	case !found:
		t.Errorf("%s: the key %q is in no row of the table of letters", id, key)
	case !slices.Contains(verb.Actions, id) && !slices.Contains(verb.Actions, word):
		t.Errorf("%s: the key %q means %q everywhere else", id, key, verb.Does)
	}
}

// TestEachKeyHasOneMeaning checks the keys of all screens, with the focus and the cursor on many places, of wizards, and of an
// open recording.
func TestEachKeyHasOneMeaning(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	known := keyMeanings(t)
	stage := newShowing(t)
	stage.Resize(120, 40)
	seen := map[string]bool{}
	checkRows := func(rows []ui.ReferenceRow) {
		for _, row := range rows {
			for _, key := range row.Keys {
				if pair := row.ID + " " + key; !seen[pair] {
					seen[pair] = true
					checkMeaning(t, known, row.ID, key)
				}
			}
		}
	}
	checkRows(ui.WizardReference())
	screens := len(Screens(&deck.Deck{}))
	for screen := 1; screen <= screens; screen++ {
		stage.Press(strconv.Itoa(screen))
		for range 4 {
			for range 14 {
				checkRows(stage.Shell.Reference())
				stage.Press("down")
			}
			stage.Press("tab")
		}
	}
	stage.Press("8", "enter")
	checkRows(stage.Shell.Reference())
	for _, want := range []string{"counters.play  ", "teams.detach d", "teams.vlan-id e", "overview.restart R", "registry.review r"} {
		if !seen[want] {
			t.Errorf("the walk did not reach %q", want)
		}
	}
}

// rooms are the paths of the packages that handle keys, from this package.
var rooms = []string{"../../ui", ".."}

// undeclared has the letters that a dialog may handle without declaring an action: moves, closing, answers to a question, and
// choosing.
const undeclared = "hjklgGqyYnN /?!c,."

// TestEveryLetterIsDeclared reads the source: a letter that a switch compares with a key is a move or an answer, and the keys of
// declared actions and of wizards have the meaning in the table.
func TestEveryLetterIsDeclared(t *testing.T) {
	t.Parallel()
	known := keyMeanings(t)
	for _, room := range rooms {
		err := filepath.WalkDir(room, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "/exec/") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, text, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SwitchStmt:
					if takesKeys(n.Tag) {
						checkSwitch(t, files, n)
					}
				case *ast.CompositeLit:
					checkDeclaration(t, known, n)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// takesKeys reports whether a switch is over the name of a key.
func takesKeys(tag ast.Expr) bool {
	switch tag := tag.(type) {
	case *ast.SelectorExpr:
		return tag.Sel.Name == "Name"
	case *ast.Ident:
		return tag.Name == "name" || tag.Name == "key"
	}
	return false
}

// checkSwitch fails the test for each letter of a switch that must be declared as an action.
func checkSwitch(t *testing.T, files *token.FileSet, n *ast.SwitchStmt) {
	t.Helper()
	for _, clause := range n.Body.List {
		for _, expr := range clause.(*ast.CaseClause).List {
			if key, ok := literal(expr); ok && len(key) == 1 && !strings.Contains(undeclared, key) {
				t.Errorf("%s: the letter %q is taken without being declared as an action", files.Position(expr.Pos()), key)
			}
		}
	}
}

// checkDeclaration compares a literal of an action, also of a wizard, with the table.
func checkDeclaration(t *testing.T, known map[string]ui.Verb, n *ast.CompositeLit) {
	t.Helper()
	id, keys := "", []string(nil)
	for _, element := range n.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		name, ok := pair.Key.(*ast.Ident)
		if !ok {
			return
		}
		switch value := pair.Value.(type) {
		case *ast.BasicLit:
			text, _ := literal(value)
			switch name.Name {
			case "ID":
				id = text
			case "Key":
				keys = []string{text}
			}
		case *ast.Ident:
			if name.Name == "ID" {
				id = "wizard." + wizardActions[value.Name]
			}
		case *ast.CompositeLit:
			if name.Name != "Keys" {
				continue
			}
			for _, key := range value.Elts {
				if text, ok := literal(key); ok {
					keys = append(keys, text)
				}
			}
		}
	}
	if id == "" || len(keys) == 0 || id == "wizard." {
		return
	}
	for _, key := range keys {
		if key != "space" {
			checkMeaning(t, known, id, key)
		}
	}
}

// wizardActions maps the constants of wizards' keys to their actions.
var wizardActions = map[string]string{"forecastKey": "forecast", "undoKey": "undo", "goOnKey": "go-on", "drillKey": "drill"}

func literal(expr ast.Expr) (string, bool) {
	basic, ok := expr.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}
