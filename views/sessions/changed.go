package sessions

import (
	"fmt"

	"cxdeck/perf/compare"
	"cxdeck/views/comparison"
	"cxdeck/views/exec"
	"cxdeck/views/moment"
)

// subject opens a session for a comparison, with the range of --from and --to. Close it at the end.
func (c *Call) subject(id int64) (*comparison.Subject, compare.Range, error) {
	return c.subjectIn(id, c.From, c.To)
}

// subjectIn is subject with another typed range.
func (c *Call) subjectIn(id int64, begin, end string) (*comparison.Subject, compare.Range, error) {
	subject, err := comparison.OpenSession(c.Ctx, c.DB, id, c.Restore)
	if err != nil {
		return nil, compare.Range{}, err
	}
	whole := subject.FullRange()
	from, to, err := moment.Range(begin, end, whole.From.Local(), whole.To.Local())
	if err != nil {
		_ = subject.Close() // nothing was written
		return nil, compare.Range{}, exec.Mistake("session %d: %v", id, err)
	}
	return subject, compare.Range{From: from, To: to}, nil
}

// changed ranks the counters by how much they differ between a range and the period before it, up to four times as long; with
// --change, before and after a change.
func changed(c *Call) error {
	subject, in, err := c.subject(c.id(0))
	if err != nil {
		return err
	}
	defer subject.Close() //nolint:errcheck // nothing was written
	if c.Change != 0 {
		return c.aroundChange(subject)
	}
	if c.From == "" {
		in.From = in.To.Add(-in.To.Sub(subject.FullRange().From) / comparison.LastPart)
	}
	found, err := comparison.WhatChanged(c.Ctx, subject, in, c.progress("compare"))
	if err != nil {
		return err
	}
	return c.print(found)
}

// aroundChange compares before and after a change.
func (c *Call) aroundChange(subject *comparison.Subject) error {
	if c.From != "" || c.To != "" {
		return exec.Mistake("--change sets the periods: --from and --to can't be given with it")
	}
	entry, err := comparison.FindChange(c.Ctx, subject, c.Change)
	if err != nil {
		return fmt.Errorf("%w; sessions show %d lists the changes with their numbers", err, subject.Session)
	}
	found, err := comparison.AroundChange(c.Ctx, subject, entry, comparison.DefaultLength, c.progress("measure noise"))
	if err != nil {
		return err
	}
	if err := found.AddHosts(c.Ctx, subject, subject); err != nil {
		return err
	}
	return c.print(found)
}

// compareSessions ranks the counters of two sessions by how much they differ, and lists the kinds of events that happened in only
// one of them, and the differences of registry and host. --from and --to bound both, unless --from2 or --to2 bound the second.
func compareSessions(c *Call) error {
	var subjects [2]*comparison.Subject
	var ranges [2]compare.Range
	for i := range subjects {
		var err error
		begin, end := c.From, c.To
		if i == 1 && (c.From2 != "" || c.To2 != "") {
			begin, end = c.From2, c.To2
		}
		if subjects[i], ranges[i], err = c.subjectIn(c.id(i), begin, end); err != nil {
			return err
		}
		defer subjects[i].Close() //nolint:errcheck // nothing was written
	}
	found, err := comparison.Compare(c.Ctx, subjects[0], subjects[1], ranges[0], ranges[1], c.progress("compare"))
	if err != nil {
		return err
	}
	if err := found.AddHosts(c.Ctx, subjects[0], subjects[1]); err != nil {
		return err
	}
	return c.print(found)
}
