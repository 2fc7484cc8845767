package checkup

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/journal"
	"cxdeck/driver/lossless/plans"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
)

// numericTexts are the placeholders whose values are numbers in Operations.
var numericTexts = map[string]string{"generation": "generation", "lanes": "lanes", "number_value": "number", "speed_number": "speed"}

// Plan returns the plan of a fix of a finding for a host. It returns an error for a fix outside the console.
func Plan(h *driver.Host, f *findings.Finding, fix *findings.Fix) (driver.Plan, error) {
	plan := driver.Plan{Title: fix.Title}
	for _, o := range fix.Steps {
		if o, ok := o.(driver.Operation); ok {
			plan.Operations = append(plan.Operations, o)
		}
	}
	made, err := namedPlan(h, f, fix.Plan)
	if err != nil {
		return driver.Plan{}, err
	}
	plan.Operations = append(plan.Operations, made.Operations...)
	for _, template := range fix.Operations {
		data, err := expand(template, f)
		if err != nil {
			return driver.Plan{}, err
		}
		o, err := journal.UnmarshalOperation(data)
		if err != nil {
			return driver.Plan{}, fmt.Errorf("%s: %w", fix.Title, err)
		}
		plan.Operations = append(plan.Operations, o)
	}
	if len(plan.Operations) == 0 {
		return driver.Plan{}, fmt.Errorf("the console can't do it: %s", fix.Title)
	}
	return plan, nil
}

// namedPlan returns the plan that the console makes for a host by the name in a fix; it has no Operations without a name.
func namedPlan(h *driver.Host, f *findings.Finding, name string) (driver.Plan, error) {
	switch name {
	case "":
		return driver.Plan{}, nil
	case findings.Agreement:
		return h.AgreementPlan(f.Subject.Port)
	case findings.RDMA:
		if f.Subject.Kind == findings.Port {
			return h.RDMAPlan([]int{f.Subject.Port})
		}
		return h.RDMAPlan(portsWithOtherRoCE(h))
	case findings.Congestion:
		priorities := h.QoS().Ports[f.Subject.Port].Operational
		made, err := plans.Congestion{Connection: f.Subject.Connection, Priorities: &priorities}.Plan(h)
		return made.Plan, err
	case findings.Shares:
		return sharesPlan(h)
	default:
		return driver.Plan{}, request.Errorf("there is no plan %q", name)
	}
}

// portsWithOtherRoCE returns the ports with RDMA workloads that use another RoCE mode than v2.
func portsWithOtherRoCE(h *driver.Host) (ports []int) {
	lab, described := h.Lab(), h.Lab().Description().Flows
	for i, f := range lab.Flows() {
		if i >= len(described) || described[i].Protocol != description.RDMA || f.Scale == 0 || slices.Contains(ports, f.Port) {
			continue
		}
		if mode := lab.Settings(f.Port).RoCE; mode != description.NoRoCE && mode != description.RoCEv2 {
			ports = append(ports, f.Port)
		}
	}
	return ports
}

// sharesPlan returns the plan that divides the bandwidth that no ETS class has equally among the strict classes and the default class.
func sharesPlan(h *driver.Host) (plan driver.Plan, err error) {
	left := 100
	var strict []qos.Class
	for _, c := range h.QoS().Classes {
		switch {
		case c.Default:
		case c.Algorithm == qos.Strict:
			strict = append(strict, c.Class)
		default:
			left -= c.Bandwidth
		}
	}
	share := left / (len(strict) + 1)
	if len(strict) == 0 || share == 0 {
		return plan, errors.New("the host has no strict class, or its other classes have all the bandwidth")
	}
	for _, c := range strict {
		c.Algorithm, c.Bandwidth = qos.ETS, share
		plan.Operations = append(plan.Operations, qos.SetClass{Class: c})
	}
	return plan, nil
}

// expand inserts the names and texts of a finding into an Operation, as JSON, because a name may contain any character.
func expand(template json.RawMessage, f *findings.Finding) ([]byte, error) {
	text := string(template)
	var done strings.Builder
	for {
		before, rest, found := strings.Cut(text, `"{`)
		done.WriteString(before)
		if !found {
			return []byte(done.String()), nil
		}
		name, after, closed := strings.Cut(rest, `}"`)
		if !closed {
			return nil, fmt.Errorf("the operation %s has an unclosed placeholder", template)
		}
		var value any = f.Value(name)
		if source, numeric := numericTexts[name]; numeric {
			n, err := strconv.Atoi(strings.TrimSuffix(f.Value(source), " Gb/s"))
			if err != nil {
				return nil, fmt.Errorf("the placeholder %s is no number: %w", name, err)
			}
			value = n
		}
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		done.Write(data)
		text = after
	}
}
