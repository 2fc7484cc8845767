package winof2

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/exec"
)

// mlx5cmd -Qosconfig -Dcqcn: congestion control of a port of WinOF-2 (WinOF-2 manual, "RCM Configuration").

// dcqcnTool is the tool's name in sentences.
const dcqcnTool = "mlx5cmd -Qosconfig -Dcqcn"

// dcqcnVerb is the verb of a call of the tool.
type dcqcnVerb string

// The verbs, which begin with a dash as they are typed.
const (
	dcqcnGet      dcqcnVerb = "-Get"
	dcqcnDefaults dcqcnVerb = "-Defaults"
	dcqcnEnable   dcqcnVerb = "-Enable"
	dcqcnDisable  dcqcnVerb = "-Disable"
	dcqcnSet      dcqcnVerb = "-Set"
	dcqcnRestore  dcqcnVerb = "-Restore"
)

func dcqcnVerbs() []dcqcnVerb {
	return []dcqcnVerb{dcqcnGet, dcqcnDefaults, dcqcnEnable, dcqcnDisable, dcqcnSet, dcqcnRestore}
}

// dcqcnRequest is a parsed call of the tool.
type dcqcnRequest struct {
	connection string
	verb       dcqcnVerb
	// priorities are the priorities that Enable and Disable switch.
	priorities []int
	// values are the settings of Set, in their order: a parameter as it was typed, with its number.
	values []dcqcnValue
}

type dcqcnValue struct {
	parameter string
	number    uint32
}

// readDcqcn reads the options of the tool, in any order and any case.
func readDcqcn(words []string) (asked dcqcnRequest, err error) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		known := slices.IndexFunc(dcqcnVerbs(), func(v dcqcnVerb) bool { return strings.EqualFold(string(v), word) })
		switch {
		case known >= 0 && asked.verb != "":
			return asked, exec.Mistake("%s takes %s or %s, not both", dcqcnTool, asked.verb, dcqcnVerbs()[known])
		case known >= 0:
			asked.verb = dcqcnVerbs()[known]
			if words, err = asked.readPriority(words); err != nil {
				return asked, err
			}
			continue
		case !strings.EqualFold(word, "-Name") && asked.verb != dcqcnSet:
			return asked, exec.Mistake("%s does not support %q%s", dcqcnTool, word, exec.Suggest(word, dcqcnWords(),
				"it takes -Name NAME and one of "+strings.Join(dcqcnWords()[1:], ", ")))
		case len(words) == 0:
			return asked, exec.Mistake("%s requires a value", word)
		}
		value := words[0]
		words = words[1:]
		if strings.EqualFold(word, "-Name") {
			asked.connection = value
			continue
		}
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil || !strings.HasPrefix(word, "-") {
			return asked, exec.Mistake("%s -Set takes -PARAMETER with an integer, not %q %q", dcqcnTool, word, value)
		}
		asked.values = append(asked.values, dcqcnValue{strings.TrimPrefix(word, "-"), uint32(n)})
	}
	switch {
	case asked.connection == "":
		return asked, exec.Mistake("%s requires -Name with the name of a connection of WinOF-2", dcqcnTool)
	case asked.verb == "":
		return asked, exec.Mistake("%s requires one of %s", dcqcnTool, strings.Join(dcqcnWords()[1:], ", "))
	case asked.verb == dcqcnSet && len(asked.values) == 0:
		return asked, exec.Mistake("%s -Set requires a parameter with its value, such as -DcqcnCnpDscp 48", dcqcnTool)
	}
	return asked, nil
}

// readPriority reads the priority behind Enable and Disable, which mean all of them without one.
func (a *dcqcnRequest) readPriority(words []string) (rest []string, err error) {
	if a.verb != dcqcnEnable && a.verb != dcqcnDisable {
		return words, nil
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		for priority := range dcqcn.Priorities {
			a.priorities = append(a.priorities, priority)
		}
		return words, nil
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 0 || n >= dcqcn.Priorities {
		return words, exec.Mistake("%s takes a priority from 0 to %d, or none for all, not %q", a.verb, dcqcn.Priorities-1,
			words[0])
	}
	a.priorities = []int{n}
	return words[1:], nil
}

// dcqcnWords returns the options of the tool.
func dcqcnWords() []string {
	words := []string{"-Name"}
	for _, v := range dcqcnVerbs() {
		words = append(words, string(v))
	}
	return words
}

// dcqcnConfig is mlx5cmd -Qosconfig -Dcqcn.
func dcqcnConfig(c *exec.Call) (exec.Answer, error) {
	asked, err := readDcqcn(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	targets, err := c.ToolTargets(description.WinOF2, dcqcnTool, asked.connection, true)
	if err != nil {
		return exec.Answer{}, err
	}
	t := targets[0]
	t.Keys = slices.DeleteFunc(t.Keys, func(k registry.Key) bool { return k.Row.Scope != registry.Congestion })
	switch asked.verb {
	case dcqcnGet:
		return congestionOf(&t, func(k *registry.Key) registry.Value { return k.Effective }), nil
	case dcqcnDefaults:
		return congestionOf(&t, func(k *registry.Key) registry.Value { return k.Default }), nil
	case dcqcnEnable, dcqcnDisable, dcqcnSet, dcqcnRestore: // these change the host
	}
	if err := c.MayChange(dcqcnTool + " " + string(asked.verb)); err != nil {
		return exec.Answer{}, err
	}
	return changeCongestion(c, &t, &asked)
}

// bothFlags is the parameter that represents both flags of a priority.
const bothFlags = "DcqcnEnablePrio"

// dcqcnRow is a parameter as JSON.
type dcqcnRow struct {
	Name  string `json:"name"`
	Value uint32 `json:"value"`
}

// congestionOf returns the parameters of a port as the tool lists them: senders first, then receivers.
func congestionOf(t *exec.ToolTarget, value func(*registry.Key) registry.Value) exec.Answer {
	numbers := map[string]uint32{}
	for i := range t.Keys {
		if v := value(&t.Keys[i]); v.Exists() {
			numbers[t.Keys[i].Row.Name] = v.Number()
		}
	}
	result := struct {
		Connection string     `json:"connection"`
		Reaction   []dcqcnRow `json:"reaction_point"`
		Notice     []dcqcnRow `json:"notification_point"`
	}{t.Connection, []dcqcnRow{}, []dcqcnRow{}}
	for _, p := range dcqcn.All() {
		row := dcqcnRow{p.String(), numbers[p.String()]}
		if p < dcqcn.ClampTargetRate {
			if both, ok := numbers[fmt.Sprint(bothFlags, int(p%dcqcn.Priorities))]; ok {
				row.Value = both
			}
		}
		if p >= dcqcn.NPEnable && p < dcqcn.ClampTargetRate || p >= dcqcn.NotificationDSCP {
			result.Notice = append(result.Notice, row)
		} else {
			result.Reaction = append(result.Reaction, row)
		}
	}
	return exec.Answer{Result: result, Text: func(w io.Writer) error {
		var b strings.Builder
		part := func(which string, rows []dcqcnRow) {
			fmt.Fprintf(&b, "DCQCN %s attributes for adapter \"%s\":\n", which, exec.Clean(t.Connection))
			for _, r := range rows {
				fmt.Fprintf(&b, "\t%s: %d\n", r.Name, r.Value)
			}
		}
		part("RP", result.Reaction)
		b.WriteByte('\n')
		part("NP", result.Notice)
		b.WriteString("The command was executed successfully\n")
		_, err := io.WriteString(w, b.String())
		return err
	}}
}

// changeCongestion stores parameters of a port. One above the line rate leaves the line rate behind, and is a failure
// all the same (DCQ-18).
func changeCongestion(c *exec.Call, t *exec.ToolTarget, asked *dcqcnRequest) (exec.Answer, error) {
	var operations []driver.Operation
	var clamped error
	set := func(k *registry.Key, n uint32) {
		operations = append(operations, edit.SetValue{Connection: t.Connection, Key: k.Row.Name, Value: fmt.Sprint(n)})
	}
	on := map[dcqcnVerb]uint32{dcqcnEnable: 1}[asked.verb]
	for _, priority := range asked.priorities {
		asked.values = append(asked.values, dcqcnValue{fmt.Sprint(bothFlags, priority), on})
	}
	for _, v := range asked.values {
		k, err := congestionParameter(t, v.parameter)
		if err != nil {
			return exec.Answer{}, err
		}
		p, _ := dcqcn.Find(k.Row.Name)
		least, most := endsOf(k)
		switch {
		case v.number >= least && v.number <= most:
		case p.Range().LineRate && v.number > most:
			clamped = fmt.Errorf("%s of %s can't be %d, which is above the line rate; the line rate of %d Mbit/s was stored instead",
				k.Row.Name, t.Connection, v.number, most)
			v.number = most
		default:
			return exec.Answer{}, exec.Mistake("%s of %s must be %d to %d, not %d", k.Row.Name, t.Connection, least, most, v.number)
		}
		operations = append(operations, congestionFlags(t, k, v.number)...)
		set(k, v.number)
	}
	if asked.verb == dcqcnRestore {
		for i := range t.Keys {
			switch k := &t.Keys[i]; {
			case k.Default.Exists() && k.Stored != k.Default:
				set(k, k.Default.Number())
			case !k.Default.Exists() && k.Stored.Exists():
				operations = append(operations, edit.DeleteValue{Connection: t.Connection, Key: k.Row.Name})
			}
		}
		if len(operations) == 0 {
			return exec.NothingChanges("Restore congestion control of "+t.Connection, []string{"all parameters have their defaults already"}), nil
		}
	}
	said, err := c.Apply(driver.Plan{Title: "Set congestion control of " + t.Connection, Operations: operations})
	if err == nil {
		err = clamped
	}
	return said, err
}

// congestionFlags returns the Operations that keep the flags of a priority and the parameter that represents both of them in
// line when one of them is set.
func congestionFlags(t *exec.ToolTarget, k *registry.Key, n uint32) (list []driver.Operation) {
	set := func(name string, n uint32) {
		list = append(list, edit.SetValue{Connection: t.Connection, Key: name, Value: fmt.Sprint(n)})
	}
	p, isFlag := dcqcn.Find(k.Row.Name)
	isFlag = isFlag && p < dcqcn.ClampTargetRate
	if priority, ok := strings.CutPrefix(k.Row.Name, bothFlags); ok {
		set("DcqcnRPEnablePrio"+priority, n)
		set("DcqcnNPEnablePrio"+priority, n)
	} else if isFlag {
		both, err := congestionParameter(t, fmt.Sprint(bothFlags, int(p%dcqcn.Priorities)))
		if err != nil || !both.Stored.Exists() || both.Stored.Number() == n {
			return nil
		}
		twin := dcqcn.RPEnable
		if p < dcqcn.NPEnable {
			twin = dcqcn.NPEnable
		}
		set((twin + p%dcqcn.Priorities).String(), both.Stored.Number())
		list = append(list, edit.DeleteValue{Connection: t.Connection, Key: both.Row.Name})
	}
	return list
}

// endsOf returns the range of a parameter, up to the largest storable value where the manual names no maximum.
func endsOf(k *registry.Key) (least, most uint32) {
	most = math.MaxUint32
	if k.Least != nil {
		least = *k.Least
	}
	if k.Most != nil {
		most = *k.Most
	}
	return least, most
}

// congestionParameter returns a parameter of the port by its name, in any case.
func congestionParameter(t *exec.ToolTarget, name string) (*registry.Key, error) {
	var names []string
	for i := range t.Keys {
		if strings.EqualFold(t.Keys[i].Row.Name, name) {
			return &t.Keys[i], nil
		}
		names = append(names, "-"+t.Keys[i].Row.Name)
	}
	return nil, exec.Mistake("%s -Set has no parameter -%s%s", dcqcnTool, name, exec.Suggest("-"+name, names, "-Get prints them"))
}

// untaggedKey is the priority of frames without a tag.
const untaggedKey = "DefaultUntaggedPriority"

// untaggedPriority is mlx5cmd -QoSConfig -DefaultUntaggedPriority: -Get shows it, -Set PRIORITY stores it.
func untaggedPriority(c *exec.Call) (exec.Answer, error) {
	const tool = "mlx5cmd -QosConfig -DefaultUntaggedPriority"
	name, value, get := "", "", false
	for words := c.Arguments; len(words) > 0; {
		word := words[0]
		words = words[1:]
		into := map[string]*string{"-name": &name, "-set": &value}[strings.ToLower(word)]
		switch {
		case strings.EqualFold(word, string(dcqcnGet)):
			get = true
			continue
		case into == nil:
			return exec.Answer{}, exec.Mistake("%s takes -Name NAME with -Get or -Set PRIORITY, not %q", tool, word)
		case len(words) == 0:
			return exec.Answer{}, exec.Mistake("%s requires a value", word)
		}
		*into, words = words[0], words[1:]
	}
	if name == "" || get == (value != "") {
		return exec.Answer{}, exec.Mistake("%s requires -Name with the name of a connection of WinOF-2, and -Get or -Set PRIORITY", tool)
	}
	targets, err := c.ToolTargets(description.WinOF2, tool, name, true)
	if err != nil {
		return exec.Answer{}, err
	}
	k, err := c.Key(exec.KeyTarget{Connection: targets[0].Connection}, untaggedKey)
	if err != nil {
		return exec.Answer{}, err
	}
	if get {
		return exec.PrintLines([]string{fmt.Sprintf("%s: %s", untaggedKey, exec.ValueText(k.Effective))}, struct {
			Priority any `json:"default_untagged_priority"`
		}{exec.JSONValue(k.Effective)}), nil
	}
	if err := c.MayChange(tool + " -Set"); err != nil {
		return exec.Answer{}, err
	}
	least, most := endsOf(&k)
	if n, err := strconv.ParseUint(value, 10, 32); err != nil || uint32(n) < least || uint32(n) > most {
		return exec.Answer{}, exec.Mistake("the priority must be %d to %d, not %q", least, most, value)
	}
	return c.ApplyOne(edit.SetValue{Connection: targets[0].Connection, Key: untaggedKey, Value: value})
}
