//go:build linux

// Command mutants replaces operators in packages, one at a time, and lists the replacements that no test notices. It
// replaces what gremlins replaces by default, but builds all mutants at once, each behind a number that the environment
// selects. So the tests are compiled once, each mutant meets only the tests that reach it, and tests of other packages
// can take part. A package whose tests take a minute takes minutes this way, and a day when it is built and tested as a
// whole for each mutant. Linux only.
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

func main() {
	sample := flag.Int("sample", 0, "how many of the mutants that tests reach to try (0: all)")
	seed := flag.String("seed", "1", "seed of the sample")
	with := flag.String("with", "", "further packages whose tests take part, separated by commas; PACKAGE:EXPRESSION takes only some of them")
	slow := flag.Duration("slow", 20*time.Second, "leave out tests that take more processor time, when they have no shorter subtests")
	limit := flag.Duration("limit", time.Minute, "processor time that the tests of one mutant may take")
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
	wanted, err := regexp.Compile(*only)
	if err == nil {
		err = measure(flag.Arg(0), strings.FieldsFunc(*with, func(r rune) bool { return r == ',' }), *sample, *seed, wanted, *slow, *limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func measure(pattern string, with []string, sample int, seed string, only *regexp.Regexp, slow, limit time.Duration) error {
	directory, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory) //nolint:errcheck // a temporary directory
	b := &build{seed: seed, directory: directory, unfit: map[string]bool{}}
	if err := b.rewrite(pattern); err != nil {
		return err
	}
	start := time.Now()
	programs, err := b.compile(pattern, slices.Concat(b.packages, with))
	if err != nil {
		return err
	}
	built := time.Now()
	tests, err := b.record(programs, slow)
	if err != nil {
		return err
	}
	fmt.Printf("%d mutants, %d tests; built in %.0f s, recorded in %.0f s; lines that do not compile with mutants: %d\n",
		len(b.mutants), len(tests), built.Sub(start).Seconds(), time.Since(built).Seconds(), len(b.unfit))
	var reached []*mutant
	for _, m := range b.mutants {
		if slices.ContainsFunc(tests, func(one *test) bool { return one.reached[m.number] != 0 }) {
			reached = append(reached, m)
		}
	}
	uncovered := len(b.mutants) - len(reached)
	if sample > 0 && sample < len(reached) {
		slices.SortFunc(reached, func(x, y *mutant) int { return cmp.Compare(x.key, y.key) })
		reached = reached[:sample]
	}
	slices.SortFunc(reached, func(x, y *mutant) int { return x.number - y.number })
	killed, hanging, tried := 0, 0, 0
	for _, m := range reached {
		if !only.MatchString(m.String()) {
			continue
		}
		tried++
		fate := try(m, tests, limit)
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
	fmt.Printf("%s: %d tried, %d killed, %d hung, %d lived: %.1f%%; %d reached by no test\n", pattern, tried, killed, hanging,
		tried-killed-hanging, 100*float64(killed+hanging)/float64(max(tried, 1)), uncovered)
	return nil
}
