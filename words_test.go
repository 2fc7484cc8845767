package main

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

// codeName matches a word in the form of an unexported Go name of two words or more.
var codeName = regexp.MustCompile(`[a-z][a-z0-9]*[A-Z]\w*`)

// codeNames returns the words of texts in a package that are names of its own declarations: a renamed declaration must not rename
// the word in a text, too. Queries have names of columns.
func codeNames(files []*ast.File) (found []*ast.BasicLit) {
	declared := map[string]bool{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared[n.Name.Name] = true
			case *ast.Ident:
				declared[n.Name] = declared[n.Name] || n.Obj != nil
			}
			return true
		})
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			text, ok := n.(*ast.BasicLit)
			if !ok || text.Kind != token.STRING || !strings.Contains(text.Value, " ") || strings.HasPrefix(text.Value, "`json:") {
				return true
			}
			value, err := strconv.Unquote(text.Value)
			if err != nil || strings.Contains(value, "SELECT ") {
				return true
			}
			for _, word := range codeName.FindAllString(value, -1) {
				if declared[word] {
					found = append(found, text)
				}
			}
			return true
		})
	}
	return found
}

// TestTextsHaveNoCodeNames: no text of the program contains the name of a function, variable or type of its package.
func TestTextsHaveNoCodeNames(t *testing.T) {
	t.Parallel()
	set, packages, texts := token.NewFileSet(), map[string][]*ast.File{}, 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range packages {
		texts += len(files)
		for _, text := range codeNames(files) {
			t.Errorf("%s: %.120s has a name of the code", set.Position(text.Pos()), text.Value)
		}
	}
	if texts < 500 {
		t.Errorf("only %d files were read", texts)
	}
	wrong, err := parser.ParseFile(set, "wrong.go", "package p\nfunc countParts() string { return \"the file has 3 countParts\" }", 0)
	if err != nil || len(codeNames([]*ast.File{wrong})) != 1 {
		t.Errorf("a name of the code in a text is not found: %v", err)
	}
}
