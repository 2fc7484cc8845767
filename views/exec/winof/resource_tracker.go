package winof

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// resourceRow is the JSON form of a function's use of the card's resources.
type resourceRow struct {
	Adapter  string `json:"adapter"`
	Function *int   `json:"virtual_function"`
	Resource string `json:"resource"`
	Quota    int    `json:"quota"`
	Used     int    `json:"used"`
	Managed  bool   `json:"managed_by_pf,omitempty"`
}

// trackedResource is a resource of the cards of WinOF: how many the hardware has, how many of them the firmware keeps,
// and how many a function uses for each queue pair. The manual shows the tracker in a figure only, without numbers.
type trackedResource struct {
	name                  string
	hardware, kept, basic int
	perPair               int
	managed               bool
}

func trackedResources() []trackedResource {
	return []trackedResource{
		{"QPs", 1 << 18, 256, 2, 1, false}, {"CQs", 1 << 16, 128, 2, 2, false}, {"SRQs", 1 << 16, 64, 0, 0, false},
		{"MPTs", 1 << 19, 256, 1, 1, false}, {"MTTs", 1 << 20, 4096, 8, 16, false}, {"FS_RULEs", 1 << 12, 32, 0, 1, true},
	}
}

// dbgResources is mlxtool dbg resources: what each virtual function of a card may use, and uses.
func dbgResources(c *exec.Call, view *driver.View) (exec.Answer, error) {
	cards, err := cardsAt(c, view, "mlxtool dbg resources")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []resourceRow{}
	for _, a := range cards {
		rows = append(rows, resourcesOf(a)...)
	}
	return exec.Answer{
		Result: struct {
			Resources []resourceRow `json:"resources"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CARD", "FUNCTION", "RESOURCE", "QUOTA", "USED")
			for _, r := range rows {
				function, quota := "PF", strconv.Itoa(r.Quota)
				if r.Function != nil {
					function = fmt.Sprintf("VF%d", *r.Function)
				}
				if r.Managed {
					quota = "Managed by PF"
				}
				t.Row(r.Adapter, function, r.Resource, quota, strconv.Itoa(r.Used))
			}
			return t.Flush()
		},
	}, nil
}

// resourcesOf returns the limits and the use of the functions of a card. The physical function keeps half of the resources that the
// firmware leaves, the virtual functions share the other half evenly.
func resourcesOf(a *driver.AdapterView) (rows []resourceRow) {
	var functions []virtualization.VFView
	for i := range a.Ports {
		functions = append(functions, a.Ports[i].SRIOV.VFs...)
	}
	for _, r := range trackedResources() {
		left := r.hardware - r.kept
		rows = append(rows, resourceRow{a.Description.Name, nil, r.name, left - left/2, r.basic + 16*len(a.Ports)*r.perPair,
			false})
		for number := range functions {
			row := resourceRow{Adapter: a.Description.Name, Function: new(number), Resource: r.name, Managed: r.managed}
			if !r.managed {
				row.Quota = left / 2 / len(functions)
			}
			if functions[number].State != virtualization.VFFree {
				row.Used = r.basic + functions[number].QueuePairs*r.perPair
			}
			rows = append(rows, row)
		}
	}
	number := func(f *int) int {
		if f == nil {
			return -1
		}
		return *f
	}
	slices.SortStableFunc(rows, func(a, b resourceRow) int { return number(a.Function) - number(b.Function) })
	return rows
}
