package host

import (
	"io"
	"strings"

	"cxdeck/views/exec"
)

// virtualLink returns up or down.
func virtualLink(r *exec.VirtualRow) string {
	if r.Up {
		return "up"
	}
	return "down"
}

func virtualShow(row exec.VirtualRow) exec.Answer {
	return exec.Answer{
		Result: struct {
			Virtual exec.VirtualRow `json:"virtual"`
		}{row},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w)
			t.Row("Adapter", row.Name)
			t.Row("Device", row.Device)
			t.Row("Link", virtualLink(&row))
			t.Row("On", exec.OrDash(strings.Join(row.On, ", ")))
			t.Row("Interface", row.GUID)
			if row.Why != "" {
				t.Row("Why", row.Why)
			}
			return t.Flush()
		},
	}
}
