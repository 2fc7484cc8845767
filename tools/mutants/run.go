//go:build linux

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A run of tests hangs when it computes, or waits without computing, for this much longer than the same tests took without a
// mutant. Time without a free processor is not included.
const (
	processorFactor = 10
	processorSpare  = 10 * time.Second
	idleFactor      = 10
	idleSpare       = 30 * time.Second
	memoryLimit     = 3 << 30 // bytes; it ends a loop that appends
)

// program is the compiled tests of a package.
type program struct {
	importPath, binary, directory string
	tests                         string // regular expression for the names of the tests
}

// test is a test, or a subtest of a test that would take too long as a whole: then its name has slashes.
type test struct {
	*program
	name      string
	clock     time.Duration
	processor time.Duration
	reached   []byte // by mutant
}

// compile builds the tests of packages with all mutants in them; a package may be followed by a colon and a regular expression
// for the names of its tests. Lines that do not compile with their mutants are not changed.
func (b *build) compile(pattern string, packages []string) ([]*program, error) {
	for {
		if err := b.rewrite(pattern); err != nil {
			return nil, err
		}
		if err := b.writeOverlay(); err != nil {
			return nil, err
		}
		var programs []*program
		var complaint []byte
		for _, argument := range packages {
			importPath, tests, chosen := strings.Cut(argument, ":")
			if !chosen {
				tests = anyTest
			}
			directory, err := exec.Command("go", "list", "-f", "{{.Dir}}", importPath).Output() //nolint:gosec,noctx // developers name the packages, and an interrupt ends both
			if err != nil {
				return nil, fmt.Errorf("go list %s: %w", importPath, err)
			}
			p := &program{importPath: importPath, tests: tests, directory: strings.TrimSpace(string(directory)),
				binary: filepath.Join(b.directory, strings.ReplaceAll(importPath, "/", "_")+".test")}
			arguments := []string{"test", "-c", "-vet=off", "-o", p.binary}
			for _, changed := range b.packages {
				arguments = append(arguments, "-gcflags="+changed+"=-e")
			}
			command := exec.Command("go", append(arguments, importPath)...) //nolint:gosec,noctx // developers name the packages, and an interrupt ends both
			command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+b.overlayPath())
			if complaint, err = command.CombinedOutput(); err != nil {
				break
			}
			if _, err := os.Stat(p.binary); err == nil { // a package without tests has no binary
				programs = append(programs, p)
			}
		}
		if len(programs) > 0 && len(complaint) == 0 {
			return programs, nil
		}
		before := len(b.unfit)
		for _, found := range regexp.MustCompile(`(?m)^(\S+\.go):(\d+)`).FindAllSubmatch(complaint, -1) {
			for path, place := range b.overlay {
				if filepath.Base(place) == filepath.Base(string(found[1])) {
					b.unfit[path+":"+string(found[2])] = true
				}
			}
		}
		if len(b.unfit) == before {
			return nil, fmt.Errorf("the tests can't be built:\n%s", complaint)
		}
	}
}

func (b *build) overlayPath() string { return filepath.Join(b.directory, "overlay.json") }

func (b *build) writeOverlay() error {
	source := filepath.Join(b.directory, "mutant.go")
	if err := os.WriteFile(source, []byte(mutantSource), 0o600); err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	b.overlay[filepath.Join(root, "mutant_", "mutant.go")] = source
	text, err := json.Marshal(map[string]any{"Replace": b.overlay})
	if err != nil {
		return err
	}
	return os.WriteFile(b.overlayPath(), text, 0o600)
}

// record runs every test by itself without a mutant, and records the mutants that it reaches and its time. For a long test it
// records the subtests, so that only the cases of a table that reach a mutant run for it. A test that fails, or takes longer
// than the limit, is left out.
func (b *build) record(programs []*program, limit time.Duration) ([]*test, error) {
	var tests []*test
	for _, p := range programs {
		names, err := exec.Command(p.binary, "-test.list", p.tests).Output() //nolint:gosec,noctx // developers name the packages, and an interrupt ends both
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.importPath, err)
		}
		for name := range strings.FieldsSeq(string(names)) {
			if !testName.MatchString(name) {
				continue // a benchmark
			}
			t := &test{program: p, name: name}
			result, err := b.runBaseline(t, max(limit, tableLimit))
			if err != nil {
				return nil, err
			}
			cases := leaves(name, result.output)
			if result.processor <= shortTest || len(cases) < 2 {
				if result.processor > limit {
					result.verdict = hung
				}
				tests = keep(tests, t, result)
				continue
			}
			for _, name := range cases {
				t := &test{program: p, name: name}
				result, err := b.runBaseline(t, limit)
				if err != nil {
					return nil, err
				}
				tests = keep(tests, t, result)
			}
		}
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return cmp.Compare(a.processor, b.processor) })
	return tests, nil
}

const (
	shortTest  = time.Second // processor time up to which a test is not split
	tableLimit = 2 * time.Minute
)

const anyTest = "^(Test|Fuzz|Example)"

var testName = regexp.MustCompile(anyTest)

// runBaseline runs a test without a mutant.
func (b *build) runBaseline(t *test, limit time.Duration) (result, error) {
	place := filepath.Join(b.directory, "reached")
	if err := os.WriteFile(place, make([]byte, len(b.mutants)+1), 0o600); err != nil {
		return result{}, err
	}
	r := run([]*test{t}, limit, "MUTANTS_REACHED="+place)
	t.clock, t.processor = r.clock, r.processor
	var err error
	t.reached, err = os.ReadFile(place)
	return r, err
}

// keep appends a test that passed, and reports another as left out.
func keep(tests []*test, t *test, r result) []*test {
	if r.verdict != passed {
		fmt.Printf("left out: %s %s %s without a mutant\n", t.importPath, t.name, r.verdict)
		return tests
	}
	return append(tests, t)
}

// leaves returns the subtests that have no subtests, from the output of a verbose run.
func leaves(name string, output []byte) (names []string) {
	var started []string
	for _, found := range regexp.MustCompile(`(?m)^=== RUN +(\S+)`).FindAllSubmatch(output, -1) {
		started = append(started, string(found[1]))
	}
	for _, candidate := range started {
		inner := func(other string) bool { return strings.HasPrefix(other, candidate+"/") }
		if strings.HasPrefix(candidate, name+"/") && !slices.ContainsFunc(started, inner) {
			names = append(names, candidate)
		}
	}
	return names
}

// pattern returns the regular expression that selects only the given tests.
func pattern(tests []*test) string {
	var all []string
	for _, test := range tests {
		var parts []string
		for part := range strings.SplitSeq(test.name, "/") {
			parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
		}
		all = append(all, strings.Join(parts, "/"))
	}
	return strings.Join(all, "|")
}

type verdict string

const (
	passed verdict = "passes"
	failed verdict = "fails"
	hung   verdict = "hangs"
)

type result struct {
	verdict          verdict
	clock, processor time.Duration
	output           []byte
}

// run runs tests of one program up to the first failure, for at most limit or (with 0) until they hang.
func run(tests []*test, limit time.Duration, environment ...string) result {
	processorLimit, idleLimit := processorSpare, idleSpare
	for _, test := range tests {
		processorLimit += processorFactor * test.processor
		idleLimit += idleFactor * test.clock
	}
	if limit > 0 {
		processorLimit, idleLimit = limit, 10*limit
	}
	scratch, err := os.MkdirTemp("", "mutants-tests-")
	if err != nil {
		return result{verdict: passed, output: []byte(err.Error())}
	}
	defer os.RemoveAll(scratch)                                    //nolint:errcheck // a temporary directory
	if err := os.Chmod(scratch, os.ModeSticky|0o777); err != nil { // tests that drop their rights need access, as in /tmp
		return result{verdict: passed, output: []byte(err.Error())}
	}
	command := exec.Command(tests[0].binary, "-test.v", "-test.failfast", "-test.timeout=0", "-test.run="+pattern(tests)) //nolint:gosec,noctx // developers name the packages, and an interrupt ends both
	command.Dir = tests[0].directory
	command.Env = append(append(os.Environ(), "TMPDIR="+scratch), environment...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	start := time.Now()
	if err := command.Start(); err != nil {
		return result{verdict: passed, output: []byte(err.Error())}
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	const pace = 50 * time.Millisecond
	idle := time.Duration(0)
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			r := result{verdict: passed, clock: time.Since(start), output: output.Bytes()}
			r.processor = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
			if err != nil {
				r.verdict = failed
			}
			return r
		case <-tick.C:
			processor, memory, busy := uses(command.Process.Pid)
			if !busy {
				idle += pace
			}
			if processor > processorLimit || memory > memoryLimit || idle > idleLimit {
				_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
				<-ended //nolint:errcheck // it was killed
				return result{verdict: hung, clock: time.Since(start), processor: processor}
			}
		}
	}
}

// uses returns the processor time and memory of a process and its children, and whether one of them is running or ready to run.
func uses(pid int) (processor time.Duration, memory int, busy bool) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for i, thread := range threads {
		text, err := os.ReadFile(filepath.Join(thread, "stat"))
		_, rest, found := strings.Cut(string(text), ") ") // the process name before it may contain any characters
		fields := strings.Fields(rest)
		if err != nil || !found || len(fields) < 22 {
			continue
		}
		busy = busy || fields[0] != "S"
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		processor += time.Duration(user+system) * 10 * time.Millisecond
		if pages, _ := strconv.Atoi(fields[21]); i == 0 { // the same for all threads
			memory += pages * os.Getpagesize()
		}
		children, _ := os.ReadFile(filepath.Join(thread, "children"))
		for child := range strings.FieldsSeq(string(children)) {
			if number, err := strconv.Atoi(child); err == nil {
				p, m, b := uses(number)
				processor, memory, busy = processor+p, memory+m, busy || b
			}
		}
	}
	return processor, memory, busy
}

// outcome is the result for a mutant.
type outcome struct {
	verdict verdict
	by      string
	left    int // tests that reach it and were not run for lack of time
}

// try enables one mutant and runs the tests that reach it, quick ones first, in growing groups, until their processor time
// without the mutant reaches a limit.
func try(m *mutant, tests []*test, limit time.Duration) outcome {
	var covering []*test
	for _, test := range tests {
		if test.reached[m.number] != 0 {
			covering = append(covering, test)
		}
	}
	var taken time.Duration
	size := time.Second / 2
	for len(covering) > 0 {
		var group, rest []*test
		var together time.Duration
		for _, t := range covering {
			if t.program == covering[0].program && (len(group) == 0 || together+t.processor <= size) {
				group, together = append(group, t), together+t.processor
			} else {
				rest = append(rest, t)
			}
		}
		if taken > 0 && taken+together > limit {
			return outcome{passed, "", len(covering)}
		}
		covering, taken, size = rest, taken+together, size*2
		result := run(group, 0, "MUTANT="+strconv.Itoa(m.number))
		if result.verdict == passed {
			continue
		}
		by, others := group[0].importPath, group[1:]
		for _, found := range regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`).FindAllSubmatch(result.output, -1) {
			name := string(found[1])
			if at := slices.IndexFunc(group, func(t *test) bool { return t.name == name }); at >= 0 {
				by, others, group = name, slices.Concat(group[:at], group[at+1:]), group[at:at+1]
				break
			}
		}
		// A test that fails under load does not kill the mutant: it must pass without the mutant at the same time.
		if result.verdict == failed && run(group, 0).verdict != passed {
			covering = append(covering, others...)
			continue
		}
		return outcome{result.verdict, by, 0}
	}
	return outcome{verdict: passed}
}
