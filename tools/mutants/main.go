//go:build linux

// Command mutants replaces operators in packages, one at a time, and lists the replacements that no test notices. It makes the
// same replacements as gremlins by default, but builds all mutants at once, each selected by a number in the environment. So
// the tests are compiled once, only the tests that reach a mutant run for it, and tests of other packages can be included. A
// package whose tests take a minute takes minutes this way, and a day if it is built and tested as a whole for each mutant.
// Linux only.
package main

import (
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed mutant.go.txt
var mutantSource string

// options are the parsed flags.
type options struct {
	pattern     string
	with        string
	sample      int
	seed        string
	only        *regexp.Regexp
	slow, limit time.Duration
	unreached   bool
}

func main() {
	var o options
	flag.IntVar(&o.sample, "sample", 0, "how many of the mutants that tests reach to try (0: all)")
	flag.StringVar(&o.seed, "seed", "1", "seed of the sample")
	flag.StringVar(&o.with, "with", "", "further packages whose tests take part, separated by commas; PACKAGE:EXPRESSION takes only some of them")
	flag.DurationVar(&o.slow, "slow", 20*time.Second, "leave out tests that take more processor time, when they have no shorter subtests")
	flag.DurationVar(&o.limit, "limit", time.Minute, "processor time that the tests of one mutant may take")
	flag.BoolVar(&o.unreached, "unreached", false, "list the mutants that no test reaches, too")
	only := flag.String("only", "", "try only mutants whose line of the report matches this regular expression")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: mutants [flags] PACKAGES (such as ./device or ./driver/...)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	o.pattern = flag.Arg(0)
	var err error
	if o.only, err = regexp.Compile(*only); err == nil {
		err = o.measure()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func (o *options) measure() error {
	directory, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // a temporary directory
	b := &build{seed: o.seed, directory: directory, unfit: map[string]bool{}}
	if err := b.rewrite(o.pattern); err != nil {
		return err
	}
	further := strings.FieldsFunc(o.with, func(r rune) bool { return r == ',' })
	start := time.Now()
	programs, err := b.compile(o.pattern, slices.Concat(b.packages, further))
	if err != nil {
		return err
	}
	built := time.Now()
	tests, err := b.record(programs, o.slow)
	if err != nil {
		return err
	}
	fmt.Printf("%d mutants, %d tests; built in %.0f s, recorded in %.0f s; lines that do not compile with mutants: %d\n",
		len(b.mutants), len(tests), built.Sub(start).Seconds(), time.Since(built).Seconds(), len(b.unfit))
	var reached []*mutant
	for _, m := range b.mutants {
		if slices.ContainsFunc(tests, func(t *test) bool { return t.reached[m.number] != 0 }) {
			reached = append(reached, m)
		} else if o.unreached {
			fmt.Println("unreached", m)
		}
	}
	uncovered := len(b.mutants) - len(reached)
	if o.sample > 0 && o.sample < len(reached) {
		slices.SortFunc(reached, func(x, y *mutant) int { return cmp.Compare(x.key, y.key) })
		reached = reached[:o.sample]
	}
	slices.SortFunc(reached, func(x, y *mutant) int { return x.number - y.number })
	killed, hanging, tried := 0, 0, 0
	for _, m := range reached {
		if !o.only.MatchString(m.String()) {
			continue
		}
		tried++
		fate := try(m, tests, o.limit)
		switch fate.verdict {
		case failed:
			killed++
		case hung:
			hanging++
			fmt.Printf("hung   %s by %s\n", m, fate.by)
		case passed:
			fmt.Printf("lived  %s", m)
			if fate.left > 0 {
				fmt.Printf(" (%d tests not run)", fate.left)
			}
			fmt.Println()
		}
	}
	fmt.Printf("%s: %d tried, %d killed, %d hung, %d lived: %.1f%%; %d reached by no test\n", o.pattern, tried, killed, hanging,
		tried-killed-hanging, 100*float64(killed+hanging)/float64(max(tried, 1)), uncovered)
	return nil
}
