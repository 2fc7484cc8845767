package host

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/keeper"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
	"cxdeck/views/exec/registrykey"
)

// draftWithReview returns the draft and its review.
func draftWithReview(c *exec.Call) (plan driver.Plan, review driver.Review, err error) {
	if plan, err = currentDraft(c); err != nil || len(plan.Operations) == 0 {
		return plan, review, err
	}
	review, err = reviewDraft(c, plan)
	return plan, review, err
}

// reviewDraft reviews a plan on a copy of the host.
func reviewDraft(c *exec.Call, plan driver.Plan) (driver.Review, error) {
	copied, err := c.CopyHost()
	if err != nil {
		return driver.Review{}, err
	}
	return copied.Review(plan), nil
}

func planShow(c *exec.Call) (exec.Answer, error) {
	plan, review, err := draftWithReview(c)
	if err != nil {
		return exec.Answer{}, err
	}
	row := reviewOf(c, plan, &review)
	return exec.Answer{
		Result: struct {
			Plan reviewRow `json:"plan"`
		}{row},
		Text: func(w io.Writer) error {
			if len(plan.Operations) == 0 {
				_, err := fmt.Fprintln(w, wording.UpperFirst(errNoDraft.Error())+".")
				return err
			}
			return writeReview(c, w, &row, &review)
		},
	}, nil
}

func planApply(c *exec.Call) (exec.Answer, error) {
	within, guarded, err := withinFlag(c)
	if err != nil {
		return exec.Answer{}, err
	}
	plan, review, err := draftWithReview(c)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(plan.Operations) == 0:
		return exec.Answer{}, &request.UnchangedError{Why: errNoDraft.Error()}
	case review.Refusal != nil:
		return exec.Answer{}, fmt.Errorf("the plan can't be applied: %w", review.Refusal)
	}
	if err := needsForce(c, &review, guarded); err != nil {
		return exec.Answer{}, err
	}
	if c.Flags["no-restart"] == "" {
		plan = review.Plan
	}
	var entry driver.Entry
	if guarded {
		entry, err = c.Host.ApplyGuarded(c.Ctx, plan, within)
	} else {
		entry, err = c.Host.Apply(c.Ctx, plan)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	if err := c.Runner.Drafts.SaveDraft(c.Ctx, driver.Plan{}); err != nil {
		return exec.Answer{}, fmt.Errorf("the plan was applied as change %d, but the draft can't be emptied: %w", entry.Sequence,
			err)
	}
	answer := exec.ChangeAnswer(exec.EntryOf(&entry))
	values := readBackRows(entry.Values)
	unconfirmed := guarded && len(entry.Inverse.Operations) > 0
	result := appliedRow{Change: exec.EntryOf(&entry), Values: values}
	if unconfirmed {
		result.Within = within.Seconds()
	}
	return exec.Answer{Result: result, Text: func(w io.Writer) error {
		if err := answer.Text(w); err != nil {
			return err
		}
		if err := writeReadBack(w, values); err != nil || !unconfirmed {
			return err
		}
		_, err := fmt.Fprintf(w, "Unless plan confirm is given within %s, it is reverted, at the latest at the next start of "+
			"cxdeck.\n", within)
		return err
	}}, nil
}

// appliedRow is an applied plan as JSON. Within is 0 if no confirmation is needed.
type appliedRow struct {
	Change exec.EntryRow `json:"change"`
	Values []readBackRow `json:"values"`
	Within float64       `json:"confirm_within_seconds,omitempty"`
}

// withinFlag returns the time of --confirm-within; guarded reports whether the flag was given.
func withinFlag(c *exec.Call) (within time.Duration, guarded bool, err error) {
	text, guarded := c.Flags["confirm-within"]
	if !guarded {
		return 0, false, nil
	}
	within, err = time.ParseDuration(text)
	if err != nil || within < keeper.MinConfirmTime || within > keeper.MaxConfirmTime {
		return 0, false, exec.Mistake("invalid time %q: it must be 1s to 10m, such as 30s", text)
	}
	return within, true, nil
}

// needsForce returns an error for a plan that requires --force: it stores an invalid value, or it affects the operator's
// session and has no --confirm-within.
func needsForce(c *exec.Call, review *driver.Review, guarded bool) error {
	if c.Flags["force"] != "" {
		return nil
	}
	if err := invalidValueIn(review); err != nil {
		return err
	}
	if review.Management.Touched && !guarded {
		return fmt.Errorf("%s; --confirm-within 30s reverts the plan unless plan confirm follows, --force applies it without confirmation",
			review.Management.Why)
	}
	return nil
}

// invalidValueIn returns an error for the first value of a plan that the driver can't use.
func invalidValueIn(review *driver.Review) error {
	for i := range review.Changes {
		if v := &review.Changes[i].Verdict; v.Grade == registry.Invalid {
			return fmt.Errorf("the new value of %s for %s is invalid: %s; --force stores it anyway", review.Changes[i].Row.Name,
				review.Changes[i].Target, strings.Replace(v.Reasons[0].Why, " is used", " would be used", 1))
		}
	}
	return nil
}

func planConfirm(c *exec.Call) (exec.Answer, error) {
	var guard driver.Guard
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		guard, _ = h.Unconfirmed()
		return nil
	})
	if err == nil {
		err = c.Host.Confirm(c.Ctx)
	}
	type row struct {
		Sequence uint64 `json:"sequence"`
		Title    string `json:"title"`
	}
	return exec.Answer{
		Result: struct {
			Confirmed row `json:"confirmed"`
		}{row{guard.Sequence, guard.Title}},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "Change %d (%s) is kept.\n", guard.Sequence, exec.Clean(guard.Title))
			return err
		},
	}, err
}

func planRevert(c *exec.Call) (exec.Answer, error) {
	entry, err := c.Host.Revert(c.Ctx)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.ChangeAnswer(exec.EntryOf(&entry)), nil
}

// planDiscard empties the draft, or removes one value from it.
func planDiscard(c *exec.Call) (exec.Answer, error) {
	plan, err := c.Runner.Drafts.Draft(c.Ctx)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(plan.Operations) == 0:
		return discardAnswer(driver.Plan{}, driver.Plan{}, "Nothing changes: "+errNoDraft.Error()+".\n"), nil
	case len(c.Arguments) == 1:
		return exec.Answer{}, exec.Mistake("an argument is missing: plan discard takes NAME and KEY, or neither")
	}
	rest, dropped := driver.Plan{}, plan
	if len(c.Arguments) == 2 {
		if rest, dropped, err = draftWithout(c, plan, c.Arguments[0], c.Arguments[1]); err != nil {
			return exec.Answer{}, err
		}
	}
	if err := c.Runner.Drafts.SaveDraft(c.Ctx, rest); err != nil {
		return exec.Answer{}, err
	}
	text := "Discarded: " + exec.Clean(dropped.Title) + ".\n"
	if len(rest.Operations) > 0 {
		text += "Still in the draft: " + exec.Clean(rest.Title) + ".\n"
	}
	return discardAnswer(dropped, rest, text), nil
}

// discardAnswer returns the answer with the removed and the remaining part of the draft.
func discardAnswer(dropped, rest driver.Plan, text string) exec.Answer {
	return exec.Answer{
		Result: struct {
			Discarded drafts.Row `json:"discarded"`
			Draft     drafts.Row `json:"draft"`
		}{drafts.RowOf(dropped), drafts.RowOf(rest)},
		Text: func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		},
	}
}

// draftWithout splits a plan into the Operations on a key, dropped, and the rest.
func draftWithout(c *exec.Call, plan driver.Plan, name, key string) (rest, dropped driver.Plan, err error) {
	t, err := registrykey.FindTarget(c, name)
	if err != nil {
		return rest, dropped, err
	}
	k, err := storedKey(c, t, key)
	if err != nil {
		return rest, dropped, err
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		slot := drafts.SlotOf(t.Connection, k)
		for _, o := range plan.Operations {
			if all := drafts.SlotsOf(h, o); len(all) == 1 && all[0] == slot {
				dropped.Operations = append(dropped.Operations, o)
			} else {
				rest.Operations = append(rest.Operations, o)
			}
		}
		rest.Title, dropped.Title = drafts.Title(h, rest.Operations), drafts.Title(h, dropped.Operations)
		return nil
	})
	if err == nil && len(dropped.Operations) == 0 {
		err = fmt.Errorf("the draft does not change %s of %s; plan show lists what it changes", k.Row.Name, targetName(&t))
	}
	return rest, dropped, err
}
