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

// resourceRow is a function's quota and use of a resource of the card, as JSON.
type resourceRow struct {
	Adapter  string `json:"adapter"`
	Function *int   `json:"virtual_function"`
	Resource string `json:"resource"`
	Quota    int    `json:"quota"`
	Used     int    `json:"used"`
	Managed  bool   `json:"managed_by_pf,omitempty"`
}

// trackedResource is a resource of WinOF cards. The manual shows the tracker only in a figure, without numbers.
type trackedResource struct {
	name string
	// hardware is the number on the card; the firmware reserves some of them.
	hardware, reserved int
	// A function uses basic ones, and perPair for each queue pair.
	basic, perPair int
	// managed reports that the physical function assigns them.
	managed bool
}

func trackedResources() []trackedResource {
	return []trackedResource{
		{"QPs", 1 << 18, 256, 2, 1, false}, {"CQs", 1 << 16, 128, 2, 2, false}, {"SRQs", 1 << 16, 64, 0, 0, false},
		{"MPTs", 1 << 19, 256, 1, 1, false}, {"MTTs", 1 << 20, 4096, 8, 16, false}, {"FS_RULEs", 1 << 12, 32, 0, 1, true},
	}
}

// dbgResources implements mlxtool dbg resources: it lists quota and use of each resource by function.
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

// resourcesOf returns quota and use of a card's functions. Of the resources that the firmware does not reserve, one half belongs
// to the physical function, and the virtual functions share the other half evenly.
func resourcesOf(a *driver.AdapterView) (rows []resourceRow) {
	var functions []virtualization.VFView
	for i := range a.Ports {
		functions = append(functions, a.Ports[i].SRIOV.VFs...)
	}
	for _, r := range trackedResources() {
		available := r.hardware - r.reserved
		rows = append(rows, resourceRow{a.Description.Name, nil, r.name, available - available/2, r.basic + 16*len(a.Ports)*r.perPair,
			false})
		for number := range functions {
			row := resourceRow{Adapter: a.Description.Name, Function: new(number), Resource: r.name, Managed: r.managed}
			if !r.managed {
				row.Quota = available / 2 / len(functions)
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
