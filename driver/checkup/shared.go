package checkup

import (
	"encoding/json"

	"cxdeck/driver"
	"cxdeck/driver/health/findings"
)

// AlsoFixed returns the other findings whose first applicable fix is a part of the plan: one change ends them all.
func AlsoFixed(h *driver.Host, all []*findings.Finding, f *findings.Finding, plan driver.Plan) (also []*findings.Finding) {
	made := map[string]bool{}
	for _, o := range plan.Operations {
		made[written(o)] = true
	}
	for _, other := range all {
		if other != f && other.Follows == "" && isPart(h, other, made) {
			also = append(also, other)
		}
	}
	return also
}

// isPart reports whether the first fix of a finding that can be applied consists of Operations of a set.
func isPart(h *driver.Host, f *findings.Finding, made map[string]bool) bool {
	for i := range f.Fixes {
		if !f.Fixes[i].Applies() {
			continue
		}
		plan, err := Plan(h, f, &f.Fixes[i])
		if err != nil {
			return false
		}
		for _, o := range plan.Operations {
			if !made[written(o)] {
				return false
			}
		}
		return true
	}
	return false
}

// written returns an Operation as JSON with its kind.
func written(o driver.Operation) string {
	data, err := json.Marshal(o)
	if err != nil {
		return ""
	}
	return o.Kind() + " " + string(data)
}
