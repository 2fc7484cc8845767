package twin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/script"
	"cxdeck/driver/twin"
	"cxdeck/driver/wording"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

// errNoAdapters is the error for a machine without ConnectX adapters.
var errNoAdapters = errors.New("this machine has no ConnectX adapter; nothing was written")

// collect writes the bundle of a machine into a file with mode 0600, and returns a sentence about it. Without replace it fails if the file
// exists.
func collect(m *linuxhost.Machine, path string, now time.Time, replace bool) (string, error) {
	data, err := json.MarshalIndent(twin.NewBundle(m, now), "", "  ")
	if err != nil {
		return "", fmt.Errorf("the bundle can't be encoded: %w", err)
	}
	data = append(data, '\n')
	facts := &twin.Facts{}
	if _, err := facts.Add("the bundle", data); err != nil {
		return "", err
	}
	d, err := twin.New(facts, "check", now)
	if errors.Is(err, twin.ErrNoAdapter) {
		return "", errNoAdapters
	}
	if err != nil {
		return "", err
	}
	err = deck.WriteFiles([]script.File{{Path: path, Data: data}}, replace)
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", fmt.Errorf("%s exists; --force replaces it", exec.Clean(path))
	case err != nil:
		return "", fmt.Errorf("the bundle can't be written: %w", exec.FailureReason(err))
	}
	row := RowOf("", d)
	text := fmt.Sprintf("The bundle of %s is in %s, readable only by you: %s with %s.", exec.Clean(row.Host), exec.Clean(path),
		wording.Count(row.Adapters, "adapter"), wording.Count(row.Ports, "port"))
	if len(m.Unread) > 0 {
		text += fmt.Sprintf(" It lacks %s that could not be read; root can read more.", wording.Count(len(m.Unread), "part"))
	}
	return text + " cxdeck twin make NAME " + exec.Clean(path) + " makes a twin of it.", nil
}
