package guides

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"

	"cxdeck/views/exec"
)

//go:embed real.toml
var realText []byte

// realLine is a line of the console, and the line of a real host that shows the same.
type realLine struct {
	Own  string `toml:"own"`
	Real string `toml:"real"`
}

// realLines are the lines of real.toml.
var realLines = sync.OnceValue(func() []realLine {
	var table struct{ Lines []realLine }
	if err := toml.Unmarshal(realText, &table); err != nil {
		panic("views/exec/guides/real.toml: " + err.Error())
	}
	return table.Lines
})

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(\d|seconds)\}`) })

// isReal reports whether a real host has the line as it stands: a program, a cmdlet, or lines of PowerShell.
func isReal(table *exec.Table, line string) bool {
	if table.IsShell(line) {
		return true
	}
	words, err := table.Split(line)
	return err == nil && table.IsProgram(words)
}

// real returns the lines that do on a real host what a line of exec does in the lab; empty if a real host has no such line.
// A program or a cmdlet is its own line.
func (r Ran) real(table *exec.Table) []string {
	if !r.sentence && isReal(table, r.Line) {
		return []string{r.Line}
	}
	words, err := table.Split(r.Line)
	if len(r.Commands) > 0 || err != nil {
		return r.Commands
	}
	for _, known := range realLines() {
		name := strings.Fields(known.Own)
		if len(words) < len(name) || strings.Join(words[:len(name)], " ") != known.Own {
			continue
		}
		if line, ok := known.fill(argumentsOf(words[len(name):])); ok {
			return []string{line}
		}
	}
	return nil
}

// argumentsOf returns the words before the first flag.
func argumentsOf(words []string) []string {
	for i, word := range words {
		if strings.HasPrefix(word, "--") {
			return words[:i]
		}
	}
	return words
}

// fill returns the real line with its arguments; ok is false if it is for another number of arguments.
func (r realLine) fill(arguments []string) (line string, ok bool) {
	used := map[int]bool{}
	line = placeholder().ReplaceAllStringFunc(r.Real, func(name string) string {
		if name == "{seconds}" {
			used[0] = true
			if len(arguments) == 1 {
				if d, err := time.ParseDuration(arguments[0]); err == nil {
					return fmt.Sprint(int(d.Round(time.Second).Seconds()))
				}
			}
			return ""
		}
		n, _ := strconv.Atoi(strings.Trim(name, "{}"))
		if n > len(arguments) {
			return ""
		}
		used[n-1] = true
		return arguments[n-1]
	})
	return line, len(used) == len(arguments) && strings.Count(r.Real, "{") == len(used)
}
