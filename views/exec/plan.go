package exec

import (
	"fmt"
	"io"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/perf/monitor"
)

// reviewed is the draft with what it would do.
func (c *call) reviewed() (plan driver.Plan, review driver.Review, err error) {
	if plan, err = c.draft(); err != nil || len(plan.Operations) == 0 {
		return plan, review, err
	}
	review, err = c.review(plan)
	return plan, review, err
}

// review is what a plan would do, found on a copy of the host.
func (c *call) review(plan driver.Plan) (driver.Review, error) {
	copied, err := c.copied()
	if err != nil {
		return driver.Review{}, err
	}
	return copied.Review(plan), nil
}

func planShow(c *call) (answer, error) {
	plan, review, err := c.reviewed()
	if err != nil {
		return answer{}, err
	}
	row := c.reviewOf(plan, &review)
	return answer{
		result: struct {
			Plan reviewRow `json:"plan"`
		}{row},
		text: func(w io.Writer) error {
			if len(plan.Operations) == 0 {
				_, err := fmt.Fprintln(w, upper(errNoDraft.Error())+".")
				return err
			}
			return c.writeReview(w, &row, &review)
		},
	}, nil
}

func planApply(c *call) (answer, error) {
	within, guarded, err := c.within()
	if err != nil {
		return answer{}, err
	}
	plan, review, err := c.reviewed()
	switch {
	case err != nil:
		return answer{}, err
	case len(plan.Operations) == 0:
		return answer{}, &request.UnchangedError{Why: errNoDraft.Error()}
	case review.Refusal != nil:
		return answer{}, fmt.Errorf("the plan can't be applied: %w", review.Refusal)
	}
	if err := c.dares(&review, guarded); err != nil {
		return answer{}, err
	}
	if c.flags["no-restart"] == "" {
		plan = review.Plan
	}
	var entry driver.Entry
	if guarded {
		entry, err = c.host.ApplyGuarded(c.ctx, plan, within)
	} else {
		entry, err = c.host.Apply(c.ctx, plan)
	}
	if err != nil {
		return answer{}, err
	}
	if err := c.runner.Shelf.SaveDraft(c.ctx, driver.Plan{}); err != nil {
		return answer{}, fmt.Errorf("the plan was applied as change %d, but the draft can't be emptied: %w", entry.Sequence,
			err)
	}
	said := told(entryOf(&entry))
	values := writtenOf(entry.Values)
	waits := guarded && len(entry.Inverse.Operations) > 0
	result := appliedRow{Change: entryOf(&entry), Values: values}
	if waits {
		result.Within = within.Seconds()
	}
	return answer{result: result, text: func(w io.Writer) error {
		if err := said.text(w); err != nil {
			return err
		}
		if err := writeWritten(w, values); err != nil || !waits {
			return err
		}
		_, err := fmt.Fprintf(w, "plan confirm keeps it; without that within %s it is taken back, at the latest when "+
			"cxdeck starts next.\n", within)
		return err
	}}, nil
}

// appliedRow is what came of a plan, as JSON.
type appliedRow struct {
	Change entryRow     `json:"change"`
	Values []writtenRow `json:"values"`
	Within float64      `json:"confirm_within_seconds,omitempty"`
}

// within is how long there is to confirm.
func (c *call) within() (within time.Duration, guarded bool, err error) {
	text, guarded := c.flags["confirm-within"]
	if !guarded {
		return 0, false, nil
	}
	within, err = time.ParseDuration(text)
	if err != nil || within < monitor.MinConfirmTime || within > monitor.MaxConfirmTime {
		return 0, false, mistake("%q is no time to confirm in: it is 1s to 10m, such as 30s", text)
	}
	return within, true, nil
}

// dares says why a plan is not applied without --force: it stores what the driver can't use, or may cut the operator
// off.
func (c *call) dares(review *driver.Review, guarded bool) error {
	if c.flags["force"] != "" {
		return nil
	}
	if err := invalid(review); err != nil {
		return err
	}
	if review.Management.Touched && !guarded {
		return fmt.Errorf("%s; --confirm-within 30s takes the plan back unless plan confirm follows, --force applies it "+
			"for good",
			review.Management.Why)
	}
	return nil
}

// invalid says which value of a plan the driver can't use.
func invalid(review *driver.Review) error {
	for i := range review.Changes {
		if v := &review.Changes[i].Verdict; v.Grade == registry.Invalid {
			return fmt.Errorf("%s of %s is invalid: %s; --force stores it all the same", review.Changes[i].Row.Name,
				review.Changes[i].Target, v.Reasons[0].Why)
		}
	}
	return nil
}

func planConfirm(c *call) (answer, error) {
	var guard driver.Guard
	err := c.host.Look(c.ctx, func(h *driver.Host) error {
		guard, _ = h.Unconfirmed()
		return nil
	})
	if err == nil {
		err = c.host.Confirm(c.ctx)
	}
	type row struct {
		Sequence uint64 `json:"sequence"`
		Title    string `json:"title"`
	}
	return answer{
		result: struct {
			Confirmed row `json:"confirmed"`
		}{row{guard.Sequence, guard.Title}},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "Change %d (%s) is kept.\n", guard.Sequence, Clean(guard.Title))
			return err
		},
	}, err
}

func planRevert(c *call) (answer, error) {
	entry, err := c.host.Revert(c.ctx)
	if err != nil {
		return answer{}, err
	}
	return told(entryOf(&entry)), nil
}

// planDiscard empties the draft, or takes one value out of it.
func planDiscard(c *call) (answer, error) {
	plan, err := c.runner.Shelf.Draft(c.ctx)
	switch {
	case err != nil:
		return answer{}, err
	case len(plan.Operations) == 0:
		return discarded(driver.Plan{}, driver.Plan{}, "Nothing changes: "+errNoDraft.Error()+".\n"), nil
	case len(c.arguments) == 1:
		return answer{}, mistake("an argument is missing: plan discard takes NAME and KEY, or neither")
	}
	rest, dropped := driver.Plan{}, plan
	if len(c.arguments) == 2 {
		if rest, dropped, err = c.without(plan, c.arguments[0], c.arguments[1]); err != nil {
			return answer{}, err
		}
	}
	if err := c.runner.Shelf.SaveDraft(c.ctx, rest); err != nil {
		return answer{}, err
	}
	text := "Discarded: " + Clean(dropped.Title) + ".\n"
	if len(rest.Operations) > 0 {
		text += "Still in the draft: " + Clean(rest.Title) + ".\n"
	}
	return discarded(dropped, rest, text), nil
}

// discarded says what was taken out of the draft.
func discarded(dropped, rest driver.Plan, text string) answer {
	return answer{
		result: struct {
			Discarded draftRow `json:"discarded"`
			Draft     draftRow `json:"draft"`
		}{draftOf(dropped), draftOf(rest)},
		text: func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		},
	}
}

// without is a plan without the Operations on a key, and those.
func (c *call) without(plan driver.Plan, name, key string) (rest, dropped driver.Plan, err error) {
	t, err := c.target(name)
	if err != nil {
		return rest, dropped, err
	}
	k, err := c.storedKey(t, key)
	if err != nil {
		return rest, dropped, err
	}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		slot := slotOf(t.connection, k)
		for _, o := range plan.Operations {
			if all := slots(h, o); len(all) == 1 && all[0] == slot {
				dropped.Operations = append(dropped.Operations, o)
			} else {
				rest.Operations = append(rest.Operations, o)
			}
		}
		rest.Title, dropped.Title = draftTitle(h, rest.Operations), draftTitle(h, dropped.Operations)
		return nil
	})
	if err == nil && len(dropped.Operations) == 0 {
		err = fmt.Errorf("the draft does not change %s of %s; plan show lists what it changes", k.Row.Name, t.name())
	}
	return rest, dropped, err
}
