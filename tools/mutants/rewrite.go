//go:build linux

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is an operator that is replaced by another.
type mutant struct {
	number   int // from 1
	file     string
	line     int
	function string
	before   string // the original expression
	after    string // the operator that replaces its own
	key      uint64 // a hash of the seed, the function and the text, independent of line numbers
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s   [%s]", m.file, m.line, m.function, m.before, m.after)
}

// swaps are the operators with their replacements and the function that selects one. They are the defaults of gremlins:
// arithmetic, boundaries and negations of conditions, counting, signs. An ordering comparison has two mutants.
var swaps = map[token.Token]struct {
	function string
	after    []string
}{
	token.ADD: {"Add", []string{"-"}},
	token.SUB: {"Sub", []string{"+"}},
	token.MUL: {"Mul", []string{"/"}},
	token.QUO: {"Quo", []string{"*"}},
	token.REM: {"Rem", []string{"*"}},
	token.LSS: {"Lss", []string{"<=", ">="}},
	token.LEQ: {"Leq", []string{"<", ">"}},
	token.GTR: {"Gtr", []string{">=", "<="}},
	token.GEQ: {"Geq", []string{">", "<"}},
	token.EQL: {"", []string{"!="}},
	token.NEQ: {"", []string{"=="}},
	token.INC: {"Inc", []string{"--"}},
	token.DEC: {"Dec", []string{"++"}},
}

// listedPackage is the go command's description of a package.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	DepOnly                 bool
}

// list returns the packages of a pattern, and an importer of their compiled imports.
func list(pattern string) ([]listedPackage, types.Importer, *token.FileSet, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,DepOnly", pattern).Output() //nolint:gosec,noctx // developers name the packages, and an interrupt ends both
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("go list %s: %s", pattern, exit.Stderr)
		}
		return nil, nil, nil, err
	}
	var packages []listedPackage
	exports := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p listedPackage
		if err := decoder.Decode(&p); err != nil {
			return nil, nil, nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			packages = append(packages, p)
		}
	}
	files := token.NewFileSet()
	return packages, importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }), files, nil
}

// edit replaces the bytes [start, end) of a file with text. At the same place the lower rank comes first, and within a rank the
// earlier edit.
type edit struct {
	start, end, rank int
	text             string
}

const (
	closing = iota
	opening
	replacing
)

// build is a set of packages with all their mutants and their source files.
type build struct {
	seed      string
	directory string          // of the rewritten files
	unfit     map[string]bool // "path:line" of lines that do not compile with their mutants
	mutants   []*mutant
	overlay   map[string]string
	packages  []string
}

// rewrite writes copies of the packages' files in which the number in the environment selects a mutant. It does not change
// lines in b.unfit.
func (b *build) rewrite(pattern string) error {
	b.mutants, b.overlay, b.packages = nil, map[string]string{}, nil
	packages, imports, files, err := list(pattern)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, p := range packages {
		b.packages = append(b.packages, p.ImportPath)
		var parsed []*ast.File
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				return err
			}
			parsed = append(parsed, file)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		config := types.Config{Importer: imports, FakeImportC: true}
		self, err := config.Check(p.ImportPath, files, parsed, info)
		if err != nil {
			return err
		}
		for _, file := range parsed {
			path := files.File(file.Pos()).Name()
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			r := &rewriter{build: b, name: name, source: source, files: files, info: info, file: file, self: self, seen: map[string]int{}}
			edits := r.edits()
			if len(edits) == 0 {
				continue
			}
			edits = append(edits, edit{r.offset(file.Name.End()), r.offset(file.Name.End()), opening, `; import mutant_ "cxdeck/mutant_"`})
			place := filepath.Join(b.directory, strings.ReplaceAll(name, string(filepath.Separator), "_"))
			if err := os.WriteFile(place, edited(source, edits), 0o600); err != nil {
				return err
			}
			b.overlay[path] = place
		}
	}
	return nil
}

func edited(source []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(a.start-b.start, a.rank-b.rank) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, source[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, source[at:]...)
}

// rewriter adds the mutants of one file.
type rewriter struct {
	*build
	name     string
	source   []byte
	files    *token.FileSet
	info     *types.Info
	file     *ast.File
	self     *types.Package
	function string
	seen     map[string]int // the number of mutants with the same text in a function
	out      []edit
}

func (r *rewriter) offset(p token.Pos) int { return r.files.Position(p).Offset }

func (r *rewriter) open(e ast.Expr, format string, values ...any) {
	r.out = append(r.out, edit{r.offset(e.Pos()), r.offset(e.Pos()), opening, fmt.Sprintf(format, values...)})
}

func (r *rewriter) close(e ast.Expr, format string, values ...any) {
	r.out = append(r.out, edit{r.offset(e.End()), r.offset(e.End()), closing, fmt.Sprintf(format, values...)})
}

func (r *rewriter) replace(operator token.Pos, length int, text string) {
	r.out = append(r.out, edit{r.offset(operator), r.offset(operator) + length, replacing, text})
}

func (r *rewriter) edits() []edit {
	for _, declaration := range r.file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue // code outside functions is data
		}
		r.function = function.Name.Name
		if function.Recv != nil && len(function.Recv.List) > 0 {
			receiver := types.ExprString(function.Recv.List[0].Type)
			receiver, _, _ = strings.Cut(strings.TrimPrefix(receiver, "*"), "[")
			r.function = receiver + "." + r.function
		}
		var ends []func()
		ast.Inspect(function.Body, func(n ast.Node) bool {
			if n == nil {
				last := len(ends) - 1
				if ends[last] != nil {
					ends[last]()
				}
				ends = ends[:last]
				return true
			}
			switch n := n.(type) {
			case *ast.GenDecl:
				if n.Tok == token.CONST {
					return false
				}
			case *ast.ArrayType, *ast.StructType, *ast.InterfaceType:
				return false
			case *ast.IncDecStmt:
				r.visit(n)
				return false
			}
			ends = append(ends, r.visit(n))
			return true
		})
	}
	return r.out
}

// visit adds the mutants of a node, and returns a function to call after its last child.
func (r *rewriter) visit(n ast.Node) func() {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		swap, ok := swaps[n.Op]
		if !ok || r.unsuitableAt(n.OpPos) {
			return nil
		}
		if n.Op == token.EQL || n.Op == token.NEQ {
			if r.info.Types[n].Value != nil {
				return nil
			}
			number := r.add(n, n.OpPos, swap.after)
			r.open(n, "((")
			return func() { r.close(n, ") != mutant_.On(%d))", number) }
		}
		if basic, ok := r.info.Types[n.X].Type.Underlying().(*types.Basic); ok && basic.Info()&types.IsString != 0 && n.Op == token.ADD {
			return nil
		}
		number := r.add(n, n.OpPos, swap.after)
		r.open(n, "mutant_.%s%s(%d, ", swap.function, r.instance(n), number)
		r.replace(n.OpPos, len(n.Op.String()), ",")
		return func() { r.close(n, ")") }
	case *ast.UnaryExpr:
		if n.Op != token.SUB || r.unsuitableAt(n.OpPos) {
			return nil
		}
		number := r.add(n, n.OpPos, []string{"+"})
		r.open(n, "mutant_.Neg%s(%d, ", r.instance(n), number)
		return func() { r.close(n, ")") }
	case *ast.IncDecStmt:
		if r.unsuitableAt(n.TokPos) || calls(n.X) {
			return nil
		}
		number := r.add(n, n.TokPos, swaps[n.Tok].after)
		// The operand of a counting statement is duplicated, so it must not call functions, and has no mutants.
		text := string(r.source[r.offset(n.X.Pos()):r.offset(n.X.End())])
		r.replace(n.TokPos, 2, fmt.Sprintf(" = mutant_.%s(%d, %s)", swaps[n.Tok].function, number, text))
	}
	return nil
}

// calls reports whether evaluating an expression twice may have other effects than evaluating it once.
func calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.CallExpr); ok {
			found = true
		}
		return !found
	})
	return found
}

func (r *rewriter) unsuitableAt(p token.Pos) bool {
	at := r.files.Position(p)
	return r.unfit[fmt.Sprintf("%s:%d", at.Filename, at.Line)]
}

// instance returns the type of a constant, which can't be inferred from the function's arguments.
func (r *rewriter) instance(e ast.Expr) string {
	is := r.info.Types[e]
	if is.Value == nil {
		return ""
	}
	name := types.TypeString(is.Type, func(p *types.Package) string {
		if p == r.self {
			return ""
		}
		return p.Name()
	})
	if basic, ok := is.Type.(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
		return ""
	}
	return "[" + name + "]"
}

// add appends the mutants of one operator and returns the number of the first.
func (r *rewriter) add(n ast.Node, operator token.Pos, after []string) int {
	first := len(r.mutants) + 1
	before := strings.Join(strings.Fields(string(r.source[r.offset(n.Pos()):r.offset(n.End())])), " ")
	for _, replacement := range after {
		what := fmt.Sprint(r.function, "\n", before, "\n", replacement)
		r.seen[what]++
		sum := sha256.Sum256(fmt.Append(nil, r.seed, "\n", r.seen[what], "\n", what))
		r.mutants = append(r.mutants, &mutant{
			number: len(r.mutants) + 1, file: r.name, line: r.files.Position(operator).Line,
			function: r.function, before: before, after: replacement, key: binary.BigEndian.Uint64(sum[:]),
		})
	}
	return first
}
