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
	"cxdeck/views/exec/registrykey"
)

// mlx5cmd -Qosconfig -Dcqcn sets congestion control of a WinOF-2 port (WinOF-2 manual, "RCM Configuration").

// dcqcnTool is the tool's name in errors.
const dcqcnTool = "mlx5cmd -Qosconfig -Dcqcn"

// dcqcnVerb is a verb of the tool, with its dash.
type dcqcnVerb string

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
	// priorities are the priorities of Enable and Disable.
	priorities []int
	// values are the typed parameters of Set with their numbers, in their order.
	values []dcqcnValue
}

type dcqcnValue struct {
	parameter string
	number    uint32
}

// readDcqcn parses the options of the tool, in any order and any case.
func readDcqcn(words []string) (parsed dcqcnRequest, err error) {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		known := slices.IndexFunc(dcqcnVerbs(), func(v dcqcnVerb) bool { return strings.EqualFold(string(v), word) })
		switch {
		case known >= 0 && parsed.verb != "":
			return parsed, exec.Mistake("%s takes %s or %s, not both", dcqcnTool, parsed.verb, dcqcnVerbs()[known])
		case known >= 0:
			parsed.verb = dcqcnVerbs()[known]
			if words, err = parsed.readPriority(words); err != nil {
				return parsed, err
			}
			continue
		case !strings.EqualFold(word, "-Name") && parsed.verb != dcqcnSet:
			return parsed, exec.Mistake("%s does not support %q%s", dcqcnTool, word, exec.Suggest(word, dcqcnWords(),
				"it takes -Name NAME and one of "+strings.Join(dcqcnWords()[1:], ", ")))
		case len(words) == 0:
			return parsed, exec.Mistake("%s requires a value", word)
		}
		value := words[0]
		words = words[1:]
		if strings.EqualFold(word, "-Name") {
			parsed.connection = value
			continue
		}
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil || !strings.HasPrefix(word, "-") {
			return parsed, exec.Mistake("%s -Set takes -PARAMETER with an integer, not %q %q", dcqcnTool, word, value)
		}
		parsed.values = append(parsed.values, dcqcnValue{strings.TrimPrefix(word, "-"), uint32(n)})
	}
	switch {
	case parsed.verb == "":
		return parsed, exec.Mistake("%s requires one of %s", dcqcnTool, strings.Join(dcqcnWords()[1:], ", "))
	case parsed.verb == dcqcnSet && len(parsed.values) == 0:
		return parsed, exec.Mistake("%s -Set requires a parameter with its value, such as -DcqcnCnpDscp 48", dcqcnTool)
	}
	return parsed, nil
}

// readPriority parses the optional priority after Enable and Disable; without it they switch all priorities.
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

// dcqcnConfig implements mlx5cmd -Qosconfig -Dcqcn.
func dcqcnConfig(c *exec.Call) (exec.Answer, error) { return configureDcqcn(c, dcqcnTool, c.Arguments) }

// dcqcnShortSet implements mlx5cmd -Set, a short form of mlx5cmd -Qosconfig -Dcqcn -Set.
func dcqcnShortSet(c *exec.Call) (exec.Answer, error) {
	return configureDcqcn(c, "mlx5cmd -Set", append([]string{string(dcqcnSet)}, c.Arguments...))
}

// configureDcqcn runs the tool with its options. Without -Name it works on the only WinOF-2 connection. Errors name the tool as
// it was typed.
func configureDcqcn(c *exec.Call, tool string, words []string) (exec.Answer, error) {
	request, err := readDcqcn(words)
	if err != nil {
		return exec.Answer{}, err
	}
	targets, err := registrykey.ToolTargets(c, description.WinOF2, tool, request.connection, true)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(targets) > 1 {
		names := make([]string, len(targets))
		for i := range targets {
			names[i] = targets[i].Connection
		}
		return exec.Answer{}, exec.Mistake("%s requires -Name with the name of a WinOF-2 connection; choose from %s", tool, strings.Join(names, ", "))
	}
	t := targets[0]
	t.Keys = slices.DeleteFunc(t.Keys, func(k registry.Key) bool { return k.Row.Scope != registry.Congestion })
	switch request.verb {
	case dcqcnGet:
		return congestionOf(&t, func(k *registry.Key) registry.Value { return k.Effective }), nil
	case dcqcnDefaults:
		return congestionOf(&t, func(k *registry.Key) registry.Value { return k.Default }), nil
	case dcqcnEnable, dcqcnDisable, dcqcnSet, dcqcnRestore: // these change the host
	}
	if err := c.MayChange(dcqcnTool + " " + string(request.verb)); err != nil {
		return exec.Answer{}, err
	}
	return changeCongestion(c, &t, &request)
}

// bothFlags is the parameter that sets both flags of a priority: of senders and of receivers.
const bothFlags = "DcqcnEnablePrio"

// dcqcnRow is a parameter as JSON.
type dcqcnRow struct {
	Name  string `json:"name"`
	Value uint32 `json:"value"`
}

// congestionOf lists the parameters of a port as the tool does: senders first, then receivers.
func congestionOf(t *registrykey.ToolTarget, value func(*registry.Key) registry.Value) exec.Answer {
	numbers := map[string]uint32{}
	for i := range t.Keys {
		if v := value(&t.Keys[i]); v.Exists() {
			numbers[t.Keys[i].Row.Name] = v.Number()
		}
	}
	result := struct {
		Connection string     `json:"connection"`
		Reaction   []dcqcnRow `json:"reaction_point"`
		Notifier   []dcqcnRow `json:"notification_point"`
	}{t.Connection, []dcqcnRow{}, []dcqcnRow{}}
	for _, p := range dcqcn.All() {
		row := dcqcnRow{p.String(), numbers[p.String()]}
		if p < dcqcn.ClampTargetRate {
			if both, ok := numbers[fmt.Sprint(bothFlags, int(p%dcqcn.Priorities))]; ok {
				row.Value = both
			}
		}
		if p >= dcqcn.NPEnable && p < dcqcn.ClampTargetRate || p >= dcqcn.NotificationDSCP {
			result.Notifier = append(result.Notifier, row)
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
		part("NP", result.Notifier)
		b.WriteString("The command was executed successfully\n")
		_, err := io.WriteString(w, b.String())
		return err
	}}
}

// changeCongestion stores parameters of a port. For a rate above the line rate it stores the line rate, and returns an error
// (DCQ-18).
func changeCongestion(c *exec.Call, t *registrykey.ToolTarget, request *dcqcnRequest) (exec.Answer, error) {
	var operations []driver.Operation
	var clamped error
	set := func(k *registry.Key, n uint32) {
		operations = append(operations, edit.SetValue{Connection: t.Connection, Key: k.Row.Name, Value: fmt.Sprint(n)})
	}
	on := map[dcqcnVerb]uint32{dcqcnEnable: 1}[request.verb]
	for _, priority := range request.priorities {
		request.values = append(request.values, dcqcnValue{fmt.Sprint(bothFlags, priority), on})
	}
	for _, v := range request.values {
		k, err := congestionParameter(t, v.parameter)
		if err != nil {
			return exec.Answer{}, err
		}
		p, _ := dcqcn.Find(k.Row.Name)
		minimum, maximum := rangeOf(k)
		switch {
		case v.number >= minimum && v.number <= maximum:
		case p.Range().LineRate && v.number > maximum:
			clamped = fmt.Errorf("%s of %s can't be %d, which is above the line rate; the line rate of %d Mbit/s was stored instead",
				k.Row.Name, t.Connection, v.number, maximum)
			v.number = maximum
		default:
			return exec.Answer{}, exec.Mistake("%s of %s must be %d to %d, not %d", k.Row.Name, t.Connection, minimum, maximum, v.number)
		}
		operations = append(operations, congestionFlags(t, k, v.number)...)
		set(k, v.number)
	}
	if request.verb == dcqcnRestore {
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
	answer, err := c.Apply(driver.Plan{Title: "Set congestion control of " + t.Connection, Operations: operations})
	if err == nil {
		err = clamped
	}
	return answer, err
}

// congestionFlags returns the Operations that keep the two flags of a priority and the parameter for both consistent when one
// of them is set.
func congestionFlags(t *registrykey.ToolTarget, k *registry.Key, n uint32) (list []driver.Operation) {
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
		otherFlag := dcqcn.RPEnable
		if p < dcqcn.NPEnable {
			otherFlag = dcqcn.NPEnable
		}
		set((otherFlag + p%dcqcn.Priorities).String(), both.Stored.Number())
		list = append(list, edit.DeleteValue{Connection: t.Connection, Key: both.Row.Name})
	}
	return list
}

// rangeOf returns the range of a parameter. Without a maximum in the manual it ends at the largest value of a REG_DWORD.
func rangeOf(k *registry.Key) (minimum, maximum uint32) {
	maximum = math.MaxUint32
	if k.Min != nil {
		minimum = *k.Min
	}
	if k.Max != nil {
		maximum = *k.Max
	}
	return minimum, maximum
}

// congestionParameter finds a parameter of the port by its name, in any case.
func congestionParameter(t *registrykey.ToolTarget, name string) (*registry.Key, error) {
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

// untaggedPriority implements mlx5cmd -QoSConfig -DefaultUntaggedPriority with -Get or -Set PRIORITY.
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
		return exec.Answer{}, exec.Mistake("%s requires -Name with the name of a WinOF-2 connection, and -Get or -Set PRIORITY", tool)
	}
	targets, err := registrykey.ToolTargets(c, description.WinOF2, tool, name, true)
	if err != nil {
		return exec.Answer{}, err
	}
	k, err := registrykey.Find(c, registrykey.Target{Connection: targets[0].Connection}, untaggedKey)
	if err != nil {
		return exec.Answer{}, err
	}
	if get {
		return exec.PrintLines([]string{fmt.Sprintf("%s: %s", untaggedKey, registrykey.ValueText(k.Effective))}, struct {
			Priority any `json:"default_untagged_priority"`
		}{registrykey.JSONValue(k.Effective)}), nil
	}
	if err := c.MayChange(tool + " -Set"); err != nil {
		return exec.Answer{}, err
	}
	minimum, maximum := rangeOf(&k)
	if n, err := strconv.ParseUint(value, 10, 32); err != nil || uint32(n) < minimum || uint32(n) > maximum {
		// An illegal value falls back to the default, not to the last value (004:488-489).
		fallback := registrykey.ValueText(k.Default)
		answer, err := c.ApplyOne(edit.SetValue{Connection: targets[0].Connection, Key: untaggedKey, Value: fallback})
		if err == nil {
			err = fmt.Errorf("the priority must be %d to %d, not %q; the default %s was stored instead", minimum, maximum, value, fallback)
		}
		return answer, err
	}
	return c.ApplyOne(edit.SetValue{Connection: targets[0].Connection, Key: untaggedKey, Value: value})
}
