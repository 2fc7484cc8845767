package shell

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// stage runs a cmdlet that works on values.
func (r *run) stage(s stage, list []Value) ([]Value, error) {
	switch s := s.(type) {
	case *filter:
		return r.filter(s, list)
	case *each:
		return r.each(s, list, true)
	case *selection:
		return s.run(list)
	case *sorting:
		return s.run(list)
	case *measurement:
		return s.run(list)
	case *formatting:
		return s.run(list)
	case *asText:
		return s.run(list), nil
	case *asJSON:
		return s.run(list)
	case *saving:
		return nil, r.save(s, list)
	case *writing:
		all := slices.Clone(list)
		for _, item := range s.items {
			v, err := r.evaluate(item)
			if err != nil {
				return nil, err
			}
			all = append(all, values(v)...)
		}
		return all, nil
	case *search:
		return r.search(s, list)
	case *discard:
		return nil, nil
	}
	return list, nil
}

// within runs work with a value of $_.
func (r *run) within(v Value, work func() error) error {
	r.current = append(r.current, v)
	err := work()
	r.current = r.current[:len(r.current)-1]
	return err
}

func (r *run) filter(s *filter, list []Value) (kept []Value, err error) {
	for _, v := range list {
		if err := r.step(s); err != nil {
			return nil, err
		}
		holds := false
		err := r.within(v, func() error {
			if s.test != nil {
				found, err := r.evaluate(s.test)
				holds = truth(found)
				return err
			}
			found, err := r.block(s.block, true)
			holds = truth(found)
			return err
		})
		if err != nil {
			return nil, err
		}
		if holds {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

func (r *run) each(s *each, list []Value, needed bool) (all []Value, err error) {
	for _, v := range list {
		if err := r.step(s); err != nil {
			return nil, err
		}
		if s.block == nil {
			found, err := property(v, s.member)
			if err != nil {
				return nil, err
			}
			all = append(all, values(found)...)
			continue
		}
		err := r.within(v, func() error {
			found, err := r.block(s.block, needed)
			all = append(all, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(all) > maxValues {
			return nil, errTooMany()
		}
	}
	if s.block == nil && !needed {
		return nil, r.host.Show(all)
	}
	return all, nil
}

func (r *run) search(s *search, list []Value) (kept []Value, err error) {
	v, err := r.evaluate(s.pattern)
	if err != nil {
		return nil, err
	}
	text := Text(v)
	matches := func(line string) bool { return strings.Contains(strings.ToLower(line), strings.ToLower(text)) }
	if !s.plain {
		pattern, err := regular(text)
		if err != nil {
			return nil, err
		}
		matches = pattern.MatchString
	}
	for _, v := range list {
		if matches(lineOf(v)) {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

// pick returns properties of an object, in the spelling of the object.
func pick(v Value, names []string) (*Object, error) {
	o, ok := v.(*Object)
	if !ok {
		return nil, fmt.Errorf("%q is a text and has no properties", Text(v))
	}
	picked := &Object{Noun: o.Noun}
	for _, name := range names {
		if strings.ContainsAny(name, "*?") {
			found := false
			for i := range o.Properties {
				if ok, err := like(name, o.Properties[i].Name); err != nil {
					return nil, err
				} else if ok {
					picked.Properties, found = append(picked.Properties, o.Properties[i]), true
				}
			}
			if found {
				continue
			}
		}
		p := o.find(name)
		if p == nil {
			_, err := property(o, name)
			if err == nil {
				err = fmt.Errorf("the object has no property %s", name)
			}
			return nil, err
		}
		picked.Properties = append(picked.Properties, *p)
	}
	return picked, nil
}

func (s *selection) run(list []Value) (kept []Value, err error) {
	if s.skip > 0 {
		list = list[min(s.skip, len(list)):]
	}
	if s.first >= 0 {
		list = list[:min(s.first, len(list))]
	}
	if s.last >= 0 {
		list = list[len(list)-min(s.last, len(list)):]
	}
	if s.expand == "" && s.names == nil && !s.unique {
		return list, nil
	}
	layout := &Layout{Dashes: true, List: len(s.names) > 4}
	for _, v := range list {
		switch {
		case s.expand != "":
			found, err := property(v, s.expand)
			if err != nil {
				return nil, err
			}
			kept = append(kept, values(found)...)
			continue
		case s.names != nil:
			o, err := pick(v, s.names)
			if err != nil {
				return nil, err
			}
			o.Layout, v = layout, o
		}
		kept = append(kept, v)
	}
	if s.unique {
		kept = unique(kept)
	}
	return kept, nil
}

// unique returns the values without repetitions.
func unique(list []Value) (kept []Value) {
	seen := map[string]bool{}
	for _, v := range list {
		key := Text(v)
		if !seen[key] {
			kept = append(kept, v)
		}
		seen[key] = true
	}
	return kept
}

func (s *sorting) run(list []Value) ([]Value, error) {
	sorted := slices.Clone(list)
	var failed error
	key := func(v Value, name string) Value {
		if name == "" {
			if o, ok := v.(*Object); ok && len(o.Properties) > 0 {
				return o.Properties[0].Value
			}
			return v
		}
		found, err := property(v, name)
		if err != nil && failed == nil {
			failed = err
		}
		return found
	}
	names := s.names
	if names == nil {
		names = []string{""}
	}
	slices.SortStableFunc(sorted, func(a, b Value) int {
		for _, name := range names {
			if n := sortOrder(key(a, name), key(b, name)); n != 0 {
				if s.descending {
					return -n
				}
				return n
			}
		}
		return 0
	})
	if s.unique {
		sorted = slices.CompactFunc(sorted, func(a, b Value) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return sortOrder(key(a, name), key(b, name)) != 0 })
		})
	}
	return sorted, failed
}

// sortOrder is a total order: numbers before texts.
func sortOrder(a, b Value) int {
	x, ok := number(a)
	y, also := number(b)
	switch {
	case ok && also && x != y:
		return map[bool]int{true: -1, false: 1}[x < y]
	case ok != also:
		return map[bool]int{true: -1, false: 1}[ok]
	}
	return strings.Compare(strings.ToLower(Text(a)), strings.ToLower(Text(b)))
}

func (s *measurement) run(list []Value) ([]Value, error) {
	o := &Object{Layout: &Layout{List: true}, Properties: []Property{{"Count", int64(len(list))}}}
	if s.sum || s.average || s.minimum || s.maximum {
		sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
		for _, v := range list {
			if s.property != "" {
				found, err := property(v, s.property)
				if err != nil {
					return nil, err
				}
				v = found
			}
			n, ok := number(v)
			if !ok {
				return nil, fmt.Errorf("%q is no number", Text(v))
			}
			sum, least, most = sum+n, min(least, n), max(most, n)
		}
		count := float64(max(len(list), 1))
		for _, figure := range []struct {
			wanted bool
			name   string
			value  float64
		}{{s.average, "Average", sum / count}, {s.sum, "Sum", sum}, {s.maximum, "Maximum", most}, {s.minimum, "Minimum", least}} {
			if figure.wanted && (len(list) > 0 || figure.name == "Sum") {
				o.Properties = append(o.Properties, Property{figure.name, whole(figure.value)})
			}
		}
	}
	if s.property != "" {
		o.Properties = append(o.Properties, Property{"Property", s.property})
	}
	return []Value{o}, nil
}

// run gives objects the form in which they are to be printed.
func (s *formatting) run(list []Value) (shaped []Value, err error) {
	layout := &Layout{List: s.list, Dashes: true}
	for _, v := range list {
		o, ok := v.(*Object)
		if !ok {
			shaped = append(shaped, v)
			continue
		}
		one := &Object{Noun: o.Noun, Properties: o.Properties}
		if s.names != nil {
			if one, err = pick(o, s.names); err != nil {
				return nil, err
			}
		} else if o.Layout != nil && o.Layout.Names != nil && !s.list {
			if one, err = pick(o, o.Layout.Names); err != nil {
				return nil, err
			}
		}
		one.Layout = layout
		shaped = append(shaped, one)
	}
	return shaped, nil
}

// run returns the lines that would be printed, as one text or with -Stream as one each.
func (s *asText) run(list []Value) []Value {
	var lines []string
	for _, part := range Parts(list) {
		lines = append(lines, part.Lines()...)
	}
	if !s.stream {
		return []Value{strings.Join(lines, "\n")}
	}
	texts := make([]Value, len(lines))
	for i, line := range lines {
		texts[i] = line
	}
	return texts
}
