package cmdlet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// lineOf is how a line is written by hand: a command and what follows it.
var lineOf = regexp.MustCompile(`(?:^|[^\w-])([A-Z][a-z]+-[A-Z]\w+) `)

// TestAllLinesAreOfTheTable holds that the driver writes no line with a command of the table by hand, and that what it
// gives to the writer is in the table: each command, and each parameter that follows one in the same expression.
func TestAllLinesAreOfTheTable(t *testing.T) {
	t.Parallel()
	written := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				command, parameters := chain(n)
				if command == "" {
					return true
				}
				written++
				c := Find(command)
				if c == nil {
					t.Errorf("%s: the table has no command %s", files.Position(n.Pos()), command)
					return true
				}
				for _, name := range parameters {
					if c.parameter(name) == nil {
						t.Errorf("%s: %s has no parameter -%s", files.Position(n.Pos()), command, name)
					}
				}
			case *ast.BasicLit:
				for _, found := range lineOf.FindAllStringSubmatch(n.Value, -1) {
					if filepath.Dir(path) != "../cmdlet" && filepath.Dir(path) != "../twin" && Find(found[1]) != nil {
						t.Errorf("%s: %s is written by hand", files.Position(n.Pos()), found[1])
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || written < 20 {
		t.Errorf("%d lines are written: %v", written, err)
	}
}

// chain is the command that an expression such as cmdlet.New("X").With("A", 1) begins with, and its parameters; empty for
// another expression.
func chain(call *ast.CallExpr) (command string, parameters []string) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		if ok {
			if inner, is := method.X.(*ast.CallExpr); is {
				return chain(inner)
			}
		}
		return "", nil
	}
	name, _ := call.Args[0].(*ast.BasicLit)
	if name == nil || name.Kind != token.STRING {
		return "", nil
	}
	text, _ := strconv.Unquote(name.Value)
	if room, is := method.X.(*ast.Ident); is && room.Name == "cmdlet" && method.Sel.Name == "New" {
		return text, nil
	}
	inner, is := method.X.(*ast.CallExpr)
	if !is || method.Sel.Name != "With" && method.Sel.Name != "Switch" {
		return "", nil
	}
	command, parameters = chain(inner)
	return command, append(parameters, text)
}
