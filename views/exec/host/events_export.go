package host

import (
	"bytes"
	"fmt"
	"io"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/eventlog/query"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// eventsExport implements events export: it writes the event log as XML or CSV.
func eventsExport(c *exec.Call, in *struct {
	File string
	Name string `is:"connection"`
}) (exec.Answer, error) {
	var list []eventlog.Event
	var data bytes.Buffer
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, e := range h.EventsAfter(0) {
			if in.Name == "" || e.Adapter == in.Name {
				list = append(list, e)
			}
		}
		if err := query.Write(&data, in.File, list, h.Lab().Description().Host.Name); err != nil {
			return exec.Mistake("%v", err)
		}
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if err := c.Write([]script.File{{Path: in.File, Data: data.Bytes()}}); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			File   string `json:"file"`
			Events int    `json:"events"`
		}{in.File, len(list)},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s of the log: %s.\n", wording.Count(len(list), "event"), exec.Clean(in.File))
			return err
		},
	}, nil
}
