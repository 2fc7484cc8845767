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

// meanings is what each key means, by the table of letters.
func meanings(t *testing.T) map[string]ui.Verb {
	t.Helper()
	known := map[string]ui.Verb{}
	for _, verb := range ui.Verbs() {
		for _, key := range verb.Keys {
			if other, twice := known[key]; twice {
				t.Errorf("%q means both %q and %q", key, other.Does, verb.Does)
			}
			known[key] = verb
		}
	}
	return known
}

// meant fails the test when a key of an action does not mean what the table says.
func meant(t *testing.T, known map[string]ui.Verb, id, key string) {
	t.Helper()
	_, word, _ := strings.Cut(id, ".")
	verb, there := known[key]
	switch {
	case strings.HasPrefix(id, "shell.screen."), strings.HasPrefix(id, "wizard.step"):
	case !there:
		t.Errorf("%s: the key %q is in no row of the table of letters", id, key)
	case !slices.Contains(verb.Actions, id) && !slices.Contains(verb.Actions, word):
		t.Errorf("%s: the key %q means %q everywhere else", id, key, verb.Does)
	}
}

// TestEachKeyHasOneMeaning walks the actions of all screens, wherever the focus and the cursor are, of wizards, and of a
// recording that is open.
func TestEachKeyHasOneMeaning(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, many cases")
	}
	t.Parallel()
	known := meanings(t)
	stage := newShowing(t)
	stage.Resize(120, 40)
	seen := map[string]bool{}
	look := func(rows []ui.ReferenceRow) {
		for _, row := range rows {
			for _, key := range row.Keys {
				if one := row.ID + " " + key; !seen[one] {
					seen[one] = true
					meant(t, known, row.ID, key)
				}
			}
		}
	}
	look(ui.WizardReference())
	screens := len(Screens(&deck.Deck{}))
	for screen := 1; screen <= screens; screen++ {
		stage.Press(strconv.Itoa(screen))
		for range 4 {
			for range 14 {
				look(stage.Shell.Reference())
				stage.Press("down")
			}
			stage.Press("tab")
		}
	}
	stage.Press("8", "enter")
	look(stage.Shell.Reference())
	for _, want := range []string{"counters.play  ", "teams.detach d", "teams.vlan-id e", "overview.restart R", "registry.review r"} {
		if !seen[want] {
			t.Errorf("the walk did not come to %q", want)
		}
	}
}

// rooms are where keys are taken, seen from this package.
var rooms = []string{"../../ui", ".."}

// plain are letters that a dialog may take without declaring them: the moves, the end of a dialog, the answers to a
// question, and choosing.
const plain = "hjklgGqyYnN /?!c,."

// TestEveryLetterIsDeclared reads the source: a letter that is compared with a key elsewhere than in a declaration is a
// move or an answer, what is declared means what the table says, and what a wizard offers does so, too.
func TestEveryLetterIsDeclared(t *testing.T) {
	t.Parallel()
	known := meanings(t)
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
						lettersOf(t, files, n)
					}
				case *ast.CompositeLit:
					declared(t, known, n)
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

// takesKeys reports whether a switch is one over the name of a key.
func takesKeys(tag ast.Expr) bool {
	switch tag := tag.(type) {
	case *ast.SelectorExpr:
		return tag.Sel.Name == "Name"
	case *ast.Ident:
		return tag.Name == "name" || tag.Name == "key"
	}
	return false
}

// lettersOf fails the test for each letter of a switch that ought to be declared.
func lettersOf(t *testing.T, files *token.FileSet, n *ast.SwitchStmt) {
	t.Helper()
	for _, clause := range n.Body.List {
		for _, expr := range clause.(*ast.CaseClause).List {
			if key, ok := literal(expr); ok && len(key) == 1 && !strings.Contains(plain, key) {
				t.Errorf("%s: the letter %q is taken without being declared as an action", files.Position(expr.Pos()), key)
			}
		}
	}
}

// declared holds a literal of an action, or of what a wizard offers, against the table.
func declared(t *testing.T, known map[string]ui.Verb, n *ast.CompositeLit) {
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
				id = "wizard." + offered[value.Name]
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
			meant(t, known, id, key)
		}
	}
}

// offered are the actions that wizards offer, by the constants that name them.
var offered = map[string]string{"forecastKey": "forecast", "undoKey": "undo", "goOnKey": "go-on", "drillKey": "drill"}

func literal(expr ast.Expr) (string, bool) {
	basic, ok := expr.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}
