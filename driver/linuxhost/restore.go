package linuxhost

// place is a setting of an interface.
type place struct{ of, name string }

// Remaining returns the plan that restores the old values of a plan of which any part may have been applied: a program that was killed
// leaves such a machine. It is empty when all old values hold. A setting that can't be read, because its interface is gone, stays in the
// plan, so that restoring it fails with a reason.
func Remaining(m *Machine, plan Plan) Plan {
	values := map[place]string{} // as they will be after the changes of the result
	now := func(c *Change) (string, bool) {
		if value, ok := values[place{c.Interface, c.Name}]; ok {
			return value, true
		}
		i, ok := m.Interface(c.Interface)
		if !ok {
			return Absent, c.Name == "link"
		}
		s, ok := i.Setting(c.Name)
		return s.Value, ok
	}
	var rest Plan
	add := func(c Change) {
		rest = append(rest, c)
		values[place{c.Interface, c.Name}] = c.New
		switch c.Name { // what the kernel does with the state of an interface by itself
		case "link":
			values[place{c.Interface, "state"}] = "down"
		case "master":
			values[place{c.Interface, "state"}] = map[bool]string{true: "down", false: "up"}[c.New == Absent]
		}
	}
	for _, c := range plan.Inverse() {
		if value, ok := now(&c); !ok || value == c.Old && c.Old != c.New {
			add(c)
		}
	}
	// A driver that chose another value than the one it was given.
	seen := map[place]bool{}
	for n := range plan {
		c := &plan[n]
		at := place{c.Interface, c.Name}
		value, ok := now(c)
		if !seen[at] && ok && value != c.Old {
			back := *c
			back.Old, back.New = value, c.Old
			if i, ok := m.Interface(c.Interface); ok {
				for _, step := range steps(i, back) {
					add(step)
				}
			}
		}
		seen[at] = true
	}
	return rest
}
