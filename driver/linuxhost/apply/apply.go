package apply

import (
	"errors"
	"fmt"

	"cxdeck/driver/linuxhost"
)

// Target is a machine whose settings can be read and set.
type Target interface {
	Machine() *linuxhost.Machine
	// Set gives a setting its new value.
	Set(c linuxhost.Change) error
}

// Closing is a Target that holds sockets.
type Closing interface {
	Target
	Close()
}

// Backer is a Target that can save what a plan changes.
type Backer interface {
	// Backup writes a new file into a folder, and returns its path.
	Backup(folder string, plan linuxhost.Plan) (path string, err error)
}

// Run applies a plan. A change whose old value no longer holds is refused; each is read back, and if one fails or the driver keeps
// another value, the settings before it are undone.
func Run(t Target, plan linuxhost.Plan) error {
	for n, c := range plan {
		err := one(t, c)
		if err == nil {
			continue
		}
		// A driver that chose another value has changed something: its own old value comes back too.
		undo := plan[:n].Inverse()
		var kept *keptError
		if errors.As(err, &kept) {
			back := c
			back.Old, back.New = kept.value, c.Old
			undo = append(linuxhost.Plan{back}, undo...)
		}
		return errors.Join(err, Revert(t, undo))
	}
	return nil
}

// keptError reports that the driver has another value than the one it was given.
type keptError struct {
	change linuxhost.Change
	value  string
}

// Error names the value that the driver has.
func (e *keptError) Error() string {
	return fmt.Sprintf("%s of %s is %s after it was set to %s: the driver chose another value", e.change.Name, e.change.Interface, e.value, e.change.New)
}

// one applies a change and reads it back.
func one(t Target, c linuxhost.Change) error {
	now, err := current(t, c)
	if err != nil {
		return err
	}
	if now != c.Old {
		return fmt.Errorf("%s of %s is %s now and not %s: review the change again", c.Name, c.Interface, now, c.Old)
	}
	if err := t.Set(c); err != nil {
		return fmt.Errorf("%s of %s can't be changed to %s: %s", c.Name, c.Interface, c.New, linuxhost.Reason(err))
	}
	now, err = current(t, c)
	if err != nil {
		return err
	}
	if now != c.New {
		return &keptError{c, now}
	}
	return nil
}

func current(t Target, c linuxhost.Change) (string, error) {
	i, ok := t.Machine().Interface(c.Interface)
	if !ok && c.Name == "link" {
		return linuxhost.Absent, nil
	}
	if !ok {
		return "", fmt.Errorf("the interface %s is gone", c.Interface)
	}
	s, ok := i.Setting(c.Name)
	if !ok {
		return "", fmt.Errorf("%s no longer has the setting %s", c.Interface, c.Name)
	}
	return s.Value, nil
}

// Revert applies a plan as far as it goes: an error at one change does not keep the others from being restored.
func Revert(t Target, plan linuxhost.Plan) error {
	var all error
	for _, c := range plan {
		if err := t.Set(c); err != nil {
			all = errors.Join(all, fmt.Errorf("%s of %s could not be restored to %s: %s", c.Name, c.Interface, c.New, linuxhost.Reason(err)))
			continue
		}
		if now, err := current(t, c); err != nil || now != c.New {
			all = errors.Join(all, fmt.Errorf("%s of %s is %s and not %s again", c.Name, c.Interface, now, c.New))
		}
	}
	return all
}
