package plans

import (
	"fmt"

	"cxdeck/device/ets"
	"cxdeck/driver"
	"cxdeck/driver/qos"
)

// Limit limits the send rates of traffic classes of a WinOF adapter.
type Limit struct {
	Connection string
	// Limits are in Mbit/s, by the numbers of the classes; 0 takes a limit away.
	Limits []qos.Limit
}

// Plan implements Setup.
func (s Limit) Plan(h *driver.Host) (AnnotatedPlan, error) {
	if _, _, err := ethernet(h, s.Connection); err != nil {
		return AnnotatedPlan{}, err
	}
	seen := map[int]bool{}
	for _, l := range s.Limits {
		if seen[l.Class] {
			return AnnotatedPlan{}, fmt.Errorf("traffic class %d has two limits", l.Class)
		}
		seen[l.Class] = true
	}
	b := newBuilder(h, "Limit the traffic classes of "+s.Connection)
	if err := b.add(qos.SetLimits{Connection: s.Connection, Limits: s.Limits}); err != nil {
		return AnnotatedPlan{}, err
	}
	for _, l := range s.Limits {
		if is, _ := ets.RoundLimit(l.Mbps); l.Mbps > 0 && is != l.Mbps {
			b.note("class %d gets %d Mbit/s: the adapter has steps of 100 Mbit/s, and of 1000 Mbit/s above 25500", l.Class, is)
		}
	}
	return b.made()
}

// Check implements Setup.
func (s Limit) Check(h *driver.Host) (list []Finding) {
	at, _, err := port(h, s.Connection)
	if err != nil {
		return []Finding{{Title: "the port", Text: err.Error()}}
	}
	view := h.QoS()
	for _, l := range s.Limits {
		want := 0
		if l.Mbps > 0 {
			want, _ = ets.RoundLimit(l.Mbps)
		}
		is := view.Ports[at].Limits[l.Class]
		list = append(list, Finding{fmt.Sprintf("class %d: %s", l.Class, limitText(want)), limitText(is), is == want})
	}
	return list
}

func limitText(mbps int) string {
	if mbps == 0 {
		return "no limit"
	}
	return fmt.Sprintf("at most %d Mbit/s", mbps)
}
