package machines

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// vswitchRow is a virtual switch as JSON.
type vswitchRow struct {
	Name         string `json:"name"`
	On           string `json:"on"`
	IOV          bool   `json:"iov_enabled"`
	IovSupport   bool   `json:"iov_support"`
	PacketDirect bool   `json:"packet_direct_enabled"`
	ManagementOS bool   `json:"allow_management_os"`
	Extension    string `json:"extension,omitempty"`
	GUID         string `json:"guid"`
	Adapters     int    `json:"adapters"`
	Why          string `json:"why,omitempty"`
}

func vswitchOf(s *virtualization.SwitchView) vswitchRow {
	return vswitchRow{
		s.Name, cmp.Or(s.Connection, s.Team), s.IOV, s.IovSupport, s.PacketDirect, s.ManagementOS, string(s.Extension),
		s.GUID, s.Adapters, s.Why,
	}
}

// SwitchRows lists the virtual switches, or the one with a name.
func SwitchRows(view *driver.View, name string) (exec.Answer, error) {
	rows := []vswitchRow{}
	for i := range view.Switches {
		rows = append(rows, vswitchOf(&view.Switches[i]))
	}
	if name != "" {
		s, err := exec.FindSwitch(view, name)
		if err != nil {
			return exec.Answer{}, err
		}
		rows = []vswitchRow{vswitchOf(s)}
	}
	return exec.Answer{
		Result: struct {
			Switches []vswitchRow `json:"switches"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no virtual switches. vswitch create creates one.")
				return err
			}
			t := exec.NewTextTable(w, "SWITCH", "ON", "SR-IOV", "PACKETDIRECT", "HOST", "EXTENSION", "ADAPTERS", "WHY")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Name, r.On, wording.OnOff(r.IOV), wording.OnOff(r.PacketDirect), wording.OnOff(r.ManagementOS), wording.OrDash(r.Extension),
					strconv.Itoa(r.Adapters), r.Why)
			}
			return t.Flush()
		},
	}, nil
}

// SwitchOn sets the team or connection of a new virtual switch by its name.
func SwitchOn(view *driver.View, record *virtualization.SwitchRecord, name string) (err error) {
	for i := range view.Teams {
		if strings.EqualFold(view.Teams[i].Name, name) {
			record.Team = view.Teams[i].Name
			return nil
		}
	}
	record.Connection, err = exec.Connection(view, name)
	return err
}
