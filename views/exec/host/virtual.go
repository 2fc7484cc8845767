package host

import (
	"io"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

func virtualLink(r *exec.VirtualRow) string {
	if r.Up {
		return "up"
	}
	return "down"
}

func virtualAnswer(row exec.VirtualRow) exec.Answer {
	return exec.Answer{
		Result: struct {
			Virtual exec.VirtualRow `json:"virtual"`
		}{row},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w)
			t.Row("Adapter", row.Name)
			t.Row("Device", row.Device)
			t.Row("Link", virtualLink(&row))
			t.Row("Parent", wording.OrDash(strings.Join(row.On, ", ")))
			t.Row("Interface GUID", row.GUID)
			if row.Why != "" {
				t.Row("Reason", row.Why)
			}
			return t.Flush()
		},
	}
}
