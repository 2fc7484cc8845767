package measurement

import (
	"fmt"
	"slices"
)

// Tests are the running tests of a lab.
type Tests []Test

// maxTests is the maximum number of tests at the same time.
const maxTests = 16

// Clone returns an independent copy.
func (l Tests) Clone() (c Tests) {
	for i := range l {
		c = append(c, l[i].Clone())
	}
	return c
}

// Find returns the place of a test, -1 for none.
func (l Tests) Find(name string) int {
	return slices.IndexFunc(l, func(t Test) bool { return t.Name == name })
}

// Start returns the tests with another one, which begins at a step without results; see Test.Check and CanStart.
func (l Tests) Start(t Test, ports int, step int64) (Tests, error) {
	t.Begin, t.Results = step, make([]Result, len(t.Sizes))
	if err := t.Check(ports, step); err != nil {
		return nil, err
	}
	if err := l.CanStart(t.Name); err != nil {
		return nil, err
	}
	return append(l.Clone(), t), nil
}

// CanStart returns why a test of a name can't start beside the others.
func (l Tests) CanStart(name string) error {
	switch {
	case len(l) >= maxTests:
		return fmt.Errorf("%d performance tests run already: end one first", maxTests)
	case l.Find(name) >= 0:
		return fmt.Errorf("a performance test %q runs already", name)
	}
	return nil
}

// Check rejects tests that no lab has; see Test.Check.
func (l Tests) Check(ports int, steps int64) error {
	for i := range l {
		if err := l[:i].CanStart(l[i].Name); err != nil {
			return err
		}
		if err := l[i].Check(ports, steps); err != nil {
			return err
		}
	}
	return nil
}

// Move reports whether a test goes on to its next size with a step.
func (l Tests) Move(step int64) bool {
	return slices.ContainsFunc(l, func(t Test) bool { return t.Stage(step) != t.Stage(step-1) })
}
