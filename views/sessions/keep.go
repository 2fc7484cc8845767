package sessions

import (
	"errors"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/store/fault"
)

func remove(c *Call) error {
	ids, err := c.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		// A number given twice is not an error.
		if err := c.DB.Delete(c.Ctx, id); err != nil && !errors.Is(err, fault.ErrNoSession) {
			return err
		}
		c.say("Session %d is deleted.", id)
	}
	return nil
}

func pin(c *Call) error { return setPinned(c, true, "is pinned: max_age and max_size keep it") }

func unpin(c *Call) error { return setPinned(c, false, "is not pinned") }

// setPinned pins or unpins sessions: max_age and max_size never remove pinned ones.
func setPinned(c *Call, pinned bool, state string) error {
	ids, err := c.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.DB.SetPinned(c.Ctx, id, pinned); err != nil {
			return err
		}
		c.say("Session %d %s.", id, state)
	}
	return nil
}

// vacuum applies the limits of age and size, aggregates old samples, and frees disk space; a running console does this in the
// background.
func vacuum(c *Call) error {
	done, err := c.DB.Tidy(c.Ctx, c.progress("Aggregating samples"))
	if err != nil {
		return err
	}
	if done.Removed != "" {
		c.say("%s.", wording.UpperFirst(done.Removed))
	}
	if done.Reduced > 0 {
		c.say("%s of samples and minutes aggregated (keep_samples, keep_minutes).", perf.Number(float64(done.Reduced), perf.Bytes, false, true))
	}
	c.say("%s freed.", perf.Number(float64(done.Freed), perf.Bytes, false, true))
	return nil
}
