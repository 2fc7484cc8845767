package device

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestCounterNamesAreThoseOfTheConstants holds the names against the source: each constant of a class, in its order.
func TestCounterNamesAreThoseOfTheConstants(t *testing.T) {
	t.Parallel()
	constants := map[string][]string{}
	for _, path := range []string{"counter.go", "counter_inner.go", "virtual.go"} {
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
			of := first.Type.(*ast.Ident).Name
			for _, spec := range group.Specs {
				if name := spec.(*ast.ValueSpec).Names[0].Name; ast.IsExported(name) {
					constants[of] = append(constants[of], name)
				}
			}
		}
	}
	for class, of := range []string{
		"Counter", "PriorityCounter", "ReceiveRingCounter", "SendRingCounter", "CardCounter", "FunctionCounter", "ProcessorCounter",
		"VirtualCounter",
	} {
		names := strings.Fields(counterNames[class])
		if !slices.Equal(names, constants[of]) {
			t.Errorf("%s: the names are %v, the constants %v", of, names, constants[of])
		}
		for i, name := range names {
			if found, ok := FindCounter(name); !ok || found != (NamedCounter{CounterClass(class), i}) {
				t.Errorf("%s is found as %v, %v", name, found, ok)
			}
		}
	}
	if _, ok := FindCounter("portCounters"); ok {
		t.Error("a count of counters is one")
	}
}
