package counter

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCounterNamesAreThoseOfTheConstants holds the names against the source: each constant of a class, in its order.
func TestCounterNamesAreThoseOfTheConstants(t *testing.T) {
	t.Parallel()
	constants := map[string][]string{}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			first, ok := group.Specs[0].(*ast.ValueSpec)
			if !ok || first.Type == nil {
				continue
			}
			of, ok := first.Type.(*ast.Ident)
			if !ok {
				continue
			}
			for _, spec := range group.Specs {
				if name := spec.(*ast.ValueSpec).Names[0].Name; ast.IsExported(name) {
					constants[of.Name] = append(constants[of.Name], name)
				}
			}
		}
	}
	classes := []string{"Port", "Priority", "ReceiveRing", "SendRing", "Card", "Function", "Processor", "Virtual"}
	for class, of := range classes {
		names := strings.Fields(names[class])
		if constants := constants[of]; !slices.Equal(append(names, of+"Count"), constants) { // the last one counts them
			t.Errorf("%s: the names are %v, the constants %v", of, names, constants)
		}
		for i, name := range names {
			if found, ok := Find(name); !ok || found != (Named{Class(class), i}) {
				t.Errorf("%s is found as %v, %v", name, found, ok)
			}
		}
	}
	if _, ok := Find("PortCount"); ok {
		t.Error("a count of counters is found as a counter")
	}
}
