package qos

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// dcbQoS returns the QoS of the host, or an error if Data-Center-Bridging is not installed: without the feature Windows lacks its
// cmdlets.
func dcbQoS(p *powershell.Invocation) (qos.View, error) {
	v, err := p.QoS()
	if err == nil && !v.Installed {
		err = qos.NotInstalledError{}
	}
	return v, err
}

// qosModules lists the PowerShell modules that contain cmdlets of the lab.
var qosModules = []string{"NetQos", "DcbQos", "NetAdapter"}

// importModule implements Import-Module. The cmdlets work without it; DcbQos requires Data-Center-Bridging.
func importModule(p *powershell.Invocation) (exec.Answer, error) {
	if _, err := p.Required("Name", "the name of a module: "+strings.Join(qosModules, ", ")); err != nil {
		return exec.Answer{}, err
	}
	modules := []string{}
	for _, typed := range p.Values["Name"] {
		module, err := powershell.ChooseWord(p.Command, "Name", []string{typed}, qosModules)
		if err != nil {
			return exec.Answer{}, err
		}
		if module == "DcbQos" {
			if _, err := dcbQoS(p); err != nil {
				return exec.Answer{}, err
			}
		}
		modules = append(modules, module)
	}
	return exec.PrintLines(nil, struct {
		Modules []string `json:"modules"`
	}{modules}), nil
}

// classRow is a traffic class as JSON.
type classRow struct {
	Name       string `json:"name"`
	Algorithm  string `json:"algorithm"`
	Bandwidth  int    `json:"bandwidth_percent"`
	Priorities []int  `json:"priorities"`
}

// selectedClasses returns the traffic classes that -Name selects; all, with the default class, without the parameter.
func selectedClasses(p *powershell.Invocation) ([]qos.ClassView, error) {
	v, err := dcbQoS(p)
	if err != nil || !p.Has("Name") {
		return v.Classes, err
	}
	var names []string
	for _, c := range v.Classes {
		names = append(names, c.Name)
	}
	selected, err := p.SelectNames("Name", names, func(typed string) error {
		return request.Errorf("there is no traffic class %q%s", typed, exec.Suggest(typed, names, "Get-NetQosTrafficClass lists them"))
	})
	return slices.DeleteFunc(v.Classes, func(c qos.ClassView) bool { return !slices.Contains(selected, c.Name) }), err
}

func getNetQosTrafficClass(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedClasses(p)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []classRow{}
	for _, c := range list {
		rows = append(rows, classRow{c.Name, string(c.Algorithm), c.Bandwidth, c.Priorities.List()})
	}
	return exec.Answer{
		Result: struct {
			Classes []classRow `json:"classes"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Name", "Algorithm", "Bandwidth(%)", "Priority", "PolicySet", "IfIndex", "IfAlias")
			t.Row("----", "---------", "------------", "--------", "---------", "-------", "-------")
			for _, c := range list {
				t.Row(c.Name, string(c.Algorithm), shareText(c.Class), c.Priorities.Ranges(), "Global")
			}
			return t.Flush()
		},
	}, nil
}

// shareText returns the share of a class in percent; it is empty for a strict class.
func shareText(c qos.Class) string {
	if c.Algorithm == qos.Strict {
		return ""
	}
	return strconv.Itoa(c.Bandwidth)
}

// typedPriorities parses -Priority: numbers from 0 to 7 and ranges such as 4-7.
func typedPriorities(p *powershell.Invocation) (qos.Priorities, error) {
	var list []int
	for _, word := range p.Values["Priority"] {
		first, last, isRange := strings.Cut(word, "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(strings.TrimSpace(first))
		to, err2 := strconv.Atoi(strings.TrimSpace(last))
		if err1 != nil || err2 != nil || from > to || to-from > 7 {
			return 0, exec.Mistake("-Priority of %s must be 0 to 7, such as 3 or 3,5, not %q", p.Command, word)
		}
		for n := from; n <= to; n++ {
			list = append(list, n)
		}
	}
	set, err := qos.SetOf(list...)
	if err != nil {
		return 0, exec.Mistake("-Priority of %s: %s", p.Command, err)
	}
	return set, nil
}

// classParameters has the parameters of New-NetQosTrafficClass and Set-NetQosTrafficClass, without -Priority and -Algorithm.
type classParameters struct {
	Name                string `need:"the name of the traffic class"`
	BandwidthPercentage *int
}

// typedAlgorithm returns the typed algorithm, or byDefault.
func typedAlgorithm(p *powershell.Invocation, byDefault qos.Algorithm) (qos.Algorithm, error) {
	if !p.Has("Algorithm") {
		return byDefault, nil
	}
	word, err := powershell.ChooseWord(p.Command, "Algorithm", p.Values["Algorithm"], []string{string(qos.ETS), string(qos.Strict)})
	return qos.Algorithm(word), err
}

func newNetQosTrafficClass(p *powershell.Invocation, in *classParameters) (exec.Answer, error) {
	if _, err := p.Required("Algorithm", "ETS or Strict"); err != nil {
		return exec.Answer{}, err
	}
	c := qos.Class{Name: in.Name}
	var err error
	if c.Algorithm, err = typedAlgorithm(p, qos.ETS); err != nil {
		return exec.Answer{}, err
	}
	if c.Priorities, err = typedPriorities(p); err != nil {
		return exec.Answer{}, err
	}
	if in.BandwidthPercentage != nil {
		c.Bandwidth = *in.BandwidthPercentage
	} else if c.Algorithm == qos.ETS {
		return exec.Answer{}, exec.Mistake("%s requires -BandwidthPercentage for an ETS class", p.Command)
	}
	return p.Call.ApplyOne(qos.AddClass{Class: c})
}

func setNetQosTrafficClass(p *powershell.Invocation, in *classParameters) (exec.Answer, error) {
	p.Values["Name"] = []string{in.Name}
	list, err := selectedClasses(p)
	if err != nil {
		return exec.Answer{}, err
	}
	var operations []driver.Operation
	for _, class := range list {
		c := class.Class
		if c.Algorithm, err = typedAlgorithm(p, c.Algorithm); err != nil {
			return exec.Answer{}, err
		}
		if c.Algorithm == qos.Strict {
			c.Bandwidth = 0
		}
		if in.BandwidthPercentage != nil {
			c.Bandwidth = *in.BandwidthPercentage
		}
		if p.Has("Priority") {
			if c.Priorities, err = typedPriorities(p); err != nil {
				return exec.Answer{}, err
			}
		}
		operations = append(operations, qos.SetClass{Class: c})
	}
	if len(operations) == 0 {
		return exec.Answer{}, request.Errorf("no traffic class matches %q; Get-NetQosTrafficClass lists them", in.Name)
	}
	return p.Apply("Set traffic classes", operations...)
}

// removeNetQosTrafficClass removes the named classes, or all but the default class.
func removeNetQosTrafficClass(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedClasses(p)
	if err != nil {
		return exec.Answer{}, err
	}
	var operations []driver.Operation
	for _, c := range list {
		if !c.Default || p.Has("Name") {
			operations = append(operations, qos.RemoveClass{Name: c.Name})
		}
	}
	if len(operations) == 0 {
		return exec.NothingChanges("Remove traffic classes", []string{"there is no class besides " + qos.DefaultClass}), nil
	}
	return p.Apply("Remove traffic classes", operations...)
}

// flowControlRow is PFC of a priority as JSON.
type flowControlRow struct {
	Priority   int    `json:"priority"`
	Enabled    bool   `json:"enabled"`
	Connection string `json:"connection,omitempty"`
}

// qosInterfaces returns the connections of -InterfaceAlias; nil without the parameter.
func qosInterfaces(p *powershell.Invocation) ([]string, error) {
	if !p.Has("InterfaceAlias") {
		return nil, nil
	}
	p.Values["Name"] = p.Values["InterfaceAlias"]
	return qosConnections(p)
}

// qosConnections returns the connections of -Name. Patterns match only Ethernet connections.
func qosConnections(p *powershell.Invocation) ([]string, error) {
	names, err := p.Connections()
	if err != nil || !slices.ContainsFunc(p.Values["Name"], powershell.IsPattern) {
		return names, err
	}
	v, err := p.QoS()
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(v.Ports, func(port qos.PortView) bool { return port.Connection == name && !port.Ethernet })
	}), err
}

func getNetQosFlowControl(p *powershell.Invocation) (exec.Answer, error) {
	v, err := dcbQoS(p)
	if err != nil {
		return exec.Answer{}, err
	}
	wanted := qos.AllPriorities
	if p.Has("Priority") {
		if wanted, err = typedPriorities(p); err != nil {
			return exec.Answer{}, err
		}
	}
	interfaces, err := qosInterfaces(p)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []flowControlRow{}
	add := func(set qos.Priorities, connection string) {
		for _, priority := range wanted.List() {
			rows = append(rows, flowControlRow{priority, set.Has(priority), connection})
		}
	}
	if interfaces == nil {
		add(v.FlowControl, "")
	}
	for _, port := range v.Ports {
		if slices.Contains(interfaces, port.Connection) {
			add(port.Configured, port.Connection)
		}
	}
	return exec.Answer{
		Result: struct {
			Priorities []flowControlRow `json:"priorities"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Priority", "Enabled", "PolicySet", "IfIndex", "IfAlias")
			t.Row("--------", "-------", "---------", "-------", "-------")
			for _, r := range rows {
				set, index := "Global", ""
				for _, port := range v.Ports {
					if port.Connection != r.Connection {
						continue
					}
					if index = strconv.Itoa(exec.InterfaceIndex(port.Port)); port.Own {
						set = "Adapter Specific"
					}
				}
				t.Row(strconv.Itoa(r.Priority), powershell.BoolText(r.Enabled), set, index, r.Connection)
			}
			return t.Flush()
		},
	}, nil
}

// switchFlowControl implements Enable-NetQosFlowControl and Disable-NetQosFlowControl. Without -Priority, the latter disables
// PFC on all priorities.
func switchFlowControl(on bool) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		set := qos.AllPriorities
		if on || p.Has("Priority") {
			if _, err := p.Required("Priority", "priorities such as 3 or 3,5"); err != nil {
				return exec.Answer{}, err
			}
			var err error
			if set, err = typedPriorities(p); err != nil {
				return exec.Answer{}, err
			}
		}
		interfaces, err := qosInterfaces(p)
		if err != nil {
			return exec.Answer{}, err
		}
		if interfaces == nil {
			interfaces = []string{""}
		}
		var operations []driver.Operation
		for _, name := range interfaces {
			operations = append(operations, qos.SetFlowControl{Connection: name, Priorities: set.List(), Enabled: on})
		}
		return p.Apply("Priority flow control", operations...)
	}
}

func getNetQosDcbxSetting(p *powershell.Invocation) (exec.Answer, error) {
	v, err := dcbQoS(p)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Willing bool `json:"willing"`
		}{v.Willing},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Willing", "PolicySet", "IfIndex", "IfAlias")
			t.Row("-------", "---------", "-------", "-------")
			t.Row(powershell.BoolText(v.Willing), "Global")
			return t.Flush()
		},
	}, nil
}

func setNetQosDcbxSetting(p *powershell.Invocation, in *struct {
	Willing bool `need:"0 or 1"`
}) (exec.Answer, error) {
	return p.Call.ApplyOne(qos.SetDCBX{Willing: in.Willing})
}

// switchAdapterQos implements Enable-NetAdapterQos and Disable-NetAdapterQos.
func switchAdapterQos(on bool) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) { return switchQosOfAdapters(p, on) }
}

func switchQosOfAdapters(p *powershell.Invocation, on bool) (exec.Answer, error) {
	names, err := qosConnections(p)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.ApplyToConnections(names, func(name string) driver.Operation { return qos.SetAdapter{Connection: name, Enabled: on} })
}

func setNetAdapterQos(p *powershell.Invocation, in *struct {
	Enabled bool `need:"0 or 1"`
}) (exec.Answer, error) {
	return switchQosOfAdapters(p, in.Enabled)
}

// adapterQosRow is the QoS of an adapter as JSON.
type adapterQosRow struct {
	Name        string     `json:"name"`
	Enabled     bool       `json:"enabled"`
	Acts        bool       `json:"acts"`
	Why         string     `json:"why,omitempty"`
	Classes     []classRow `json:"traffic_classes"`
	FlowControl []int      `json:"flow_control_priorities"`
	DCBX        dcbxRow    `json:"dcbx"`
	Remote      *remoteRow `json:"remote,omitempty"`
}

func getNetAdapterQos(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	v, err := p.QoS()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, lines := []adapterQosRow{}, []string{}
	for _, port := range ports {
		at := slices.IndexFunc(v.Ports, func(shown qos.PortView) bool { return shown.Port == port.Port })
		portView := &v.Ports[at]
		if !portView.Ethernet {
			continue
		}
		dcbx, remote := rowOfDCBX(&portView.DCBX)
		row := adapterQosRow{portView.Connection, portView.Enabled && portView.Offered, portView.Acts, portView.Why, []classRow{}, portView.Operational.List(), dcbx, remote}
		for _, c := range portView.Classes {
			row.Classes = append(row.Classes, classRow{c.Name, string(c.Algorithm), c.Bandwidth, c.Priorities.List()})
		}
		if len(rows) > 0 {
			lines = append(lines, "")
		}
		rows, lines = append(rows, row), append(lines, adapterQosLines(&v, portView)...)
	}
	if len(rows) == 0 {
		lines = []string{"No adapter matches."}
	}
	printed := exec.PrintLines(lines, struct {
		Adapters []adapterQosRow `json:"adapters"`
	}{rows})
	text := printed.Text
	printed.Text = func(w io.Writer) error {
		for i := range rows {
			exec.PutRow(w, rows[i].block())
		}
		return text(w)
	}
	return printed, nil
}

// block has the properties of the row in a pipe.
func (r *adapterQosRow) block() powershell.Block {
	var classes, priorities []string
	for _, c := range r.Classes {
		classes = append(classes, c.Name)
	}
	for _, p := range r.FlowControl {
		priorities = append(priorities, strconv.Itoa(p))
	}
	return powershell.Block{
		{"Name", r.Name}, {"Enabled", powershell.BoolText(r.Enabled)}, {"Operational", powershell.BoolText(r.Acts)},
		{"OperationalTrafficClasses", "{" + strings.Join(classes, ", ") + "}"},
		{"OperationalFlowControl", "{" + strings.Join(priorities, ", ") + "}"},
	}
}

// adapterQosLines shows the QoS of an adapter as Windows does, with what is operational where it acts and what its neighbour
// sends by DCBX.
func adapterQosLines(v *qos.View, port *qos.PortView) []string {
	var lines []string
	add := adapterLines(func(name, format string, values ...any) {
		line := fmt.Sprintf("%-26s   ", "")
		if name != "" {
			line = fmt.Sprintf("%-26s : ", name)
		}
		lines = append(lines, strings.TrimRight(line+fmt.Sprintf(format, values...), " "))
	})
	add("Name", "%s", port.Connection)
	add("Enabled", "%s", powershell.BoolText(port.Enabled && port.Offered))
	add("Capabilities", "%-22s%-12s %s", "", "Hardware", "Current")
	add("", "%-22s%-12s %s", "", "--------", "-------")
	now := "0/0/0"
	if port.Acts {
		now = "8/8/8"
	}
	add("", "%-19s : %-12s %s", "MacSecBypass", "NotSupported", "NotSupported")
	add("", "%-19s : %-12s %s", "DcbxSupport", dcbxText(port.DCBX.InFirmware), dcbxText(port.DCBX.Ready))
	add("", "%-19s : %-12s %s", "NumTCs(Max/ETS/PFC)", "8/8/8", now)
	if port.Acts {
		add.classes("OperationalTrafficClasses", port.Classes)
		add("OperationalFlowControl", "%s", flowControlText(port.Operational))
		add.classifications("OperationalClassifications", operationalClassifications(v, port))
	}
	add.remote(port.DCBX.Neighbour)
	return lines
}

// classifications returns the policies that Windows passes to an adapter, each with protocol, port and priority: the default
// priority, NetDirect ports, and TCP or UDP ports.
func classifications(v *qos.View) (list [][3]string) {
	defaultPriority := 0
	for i := range v.Policies {
		p := &v.Policies[i]
		switch {
		case p.Priority == nil || p.ShadowedBy != "":
		case p.Template == qos.Default:
			defaultPriority = *p.Priority
		case p.NetDirectPort != 0:
			list = append(list, [3]string{"NetDirect", strconv.Itoa(p.NetDirectPort), strconv.Itoa(*p.Priority)})
		case p.Port != 0:
			list = append(list, [3]string{"TCP/UDP", strconv.Itoa(p.Port), strconv.Itoa(*p.Priority)})
		case p.Template == "SMB":
			list = append(list, [3]string{"TCP/UDP", "445", strconv.Itoa(*p.Priority)})
		}
	}
	return append([][3]string{{"Default", "", strconv.Itoa(defaultPriority)}}, list...)
}
