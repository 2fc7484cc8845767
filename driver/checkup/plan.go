package checkup

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/health/findings"
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
	if fix.Plan == findings.Agreement {
		made, err := h.AgreementPlan(f.Subject.Port)
		if err != nil {
			return driver.Plan{}, err
		}
		plan.Operations = append(plan.Operations, made.Operations...)
	}
	for _, template := range fix.Operations {
		data, err := expand(template, f)
		if err != nil {
			return driver.Plan{}, err
		}
		o, err := driver.UnmarshalOperation(data)
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
