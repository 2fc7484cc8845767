package windows

import (
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/services"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// serviceRow is a service as JSON.
type serviceRow struct {
	Name    string `json:"name"`
	Display string `json:"display_name"`
	Status  string `json:"status"`
	Start   string `json:"start_type"`
}

// startupTypes are the words of PowerShell 5 for start types.
var startupTypes = map[string]services.StartType{"automatic": services.Automatic, "manual": services.Manual, "disabled": services.Disabled}

// startupWord returns the word of a start type; a delayed start is automatic to PowerShell 5.
func startupWord(start services.StartType) string {
	switch start {
	case services.Manual:
		return "Manual"
	case services.Disabled:
		return "Disabled"
	case services.Automatic, services.Delayed:
	}
	return "Automatic"
}

// startupType reads -StartupType, automatic without it.
func startupType(p *powershell.Invocation) (services.StartType, error) {
	word := p.Value("StartupType")
	if word == "" {
		return services.Automatic, nil
	}
	start, known := startupTypes[strings.ToLower(word)]
	if !known {
		return "", exec.Mistake("-StartupType of %s must be Automatic, Manual or Disabled, not %q; sc config NAME start= delayed-auto delays it", p.Command, word)
	}
	return start, nil
}

func getService(p *powershell.Invocation) (exec.Answer, error) {
	var all []services.Service
	if err := p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		all = h.Services().All()
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	all = onlyServices(all)
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	if p.Has("DisplayName") {
		for i := range all {
			for _, typed := range p.Values["DisplayName"] {
				if strings.EqualFold(typed, all[i].DisplayName()) {
					p.Values["Name"] = append(p.Values["Name"], all[i].Name)
				}
			}
		}
	}
	chosen, err := p.NamesMatching(names, "service", "Get-Service")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []serviceRow{}
	for i := range all {
		for _, name := range chosen {
			if name == all[i].Name {
				rows = append(rows, rowOfService(&all[i]))
			}
		}
	}
	return exec.Answer{
		Result: struct {
			Services []serviceRow `json:"services"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Status", "Name", "DisplayName")
			t.Row("------", "----", "-----------")
			for i := range rows {
				t.Row(rows[i].Status, rows[i].Name, rows[i].Display)
			}
			return t.Flush()
		},
	}, nil
}

func rowOfService(v *services.Service) serviceRow {
	status := "Stopped"
	if v.Running {
		status = "Running"
	}
	return serviceRow{v.Name, v.DisplayName(), status, startupWord(v.Start)}
}

// onlyServices leaves out drivers, which Get-Service does not list.
func onlyServices(all []services.Service) (list []services.Service) {
	for i := range all {
		if !all[i].Driver {
			list = append(list, all[i])
		}
	}
	return list
}

func newService(p *powershell.Invocation, in *struct {
	Name           string `need:"the name of the new service"`
	BinaryPathName string `need:"its command line"`
	DisplayName    string
	Description    string
}) (exec.Answer, error) {
	start, err := startupType(p)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(services.Create{Service: services.Service{Name: in.Name, Display: in.DisplayName, Description: in.Description, Binary: in.BinaryPathName, Start: start}})
}

func setService(p *powershell.Invocation, in *struct {
	Name string `need:"the name of a service"`
}) (exec.Answer, error) {
	name, err := findService(p, in.Name)
	if err != nil {
		return exec.Answer{}, err
	}
	o := services.Configure{Name: name}
	if p.Has("StartupType") {
		start, err := startupType(p)
		if err != nil {
			return exec.Answer{}, err
		}
		o.Start = &start
	}
	if p.Has("DisplayName") {
		o.Display = new(p.Value("DisplayName"))
	}
	if p.Has("Description") {
		o.Description = new(p.Value("Description"))
	}
	var operations []driver.Operation
	if o != (services.Configure{Name: name}) {
		operations = append(operations, o)
	}
	switch strings.ToLower(p.Value("Status")) {
	case "":
	case "running":
		operations = append(operations, services.Start{Name: name})
	case "stopped":
		operations = append(operations, services.Stop{Name: name})
	default:
		return exec.Answer{}, exec.Mistake("-Status of Set-Service must be Running or Stopped, not %q", p.Value("Status"))
	}
	if operations == nil {
		return exec.Answer{}, exec.Mistake("Set-Service changes nothing: a parameter such as -StartupType is required")
	}
	return p.Apply("Set-Service "+name, operations...)
}

// findService returns the name of a service, in its own case.
func findService(p *powershell.Invocation, typed string) (name string, err error) {
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		v, err := h.Services().Find(typed)
		name = v.Name
		return err
	})
	return name, err
}

// namedServices returns the services that the parameters name.
func namedServices(p *powershell.Invocation) (names []string, err error) {
	typed := append(append([]string{}, p.Values["Name"]...), p.Values["DisplayName"]...)
	if len(typed) == 0 {
		return nil, exec.Mistake("%s requires -Name with the name of a service", p.Command)
	}
	for _, word := range typed {
		name, err := findService(p, word)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// serviceCmdlet returns a cmdlet that applies an Operation to each service.
func serviceCmdlet(operationOn func(name string) driver.Operation) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		names, err := namedServices(p)
		if err != nil {
			return exec.Answer{}, err
		}
		var operations []driver.Operation
		for _, name := range names {
			operations = append(operations, operationOn(name))
		}
		return p.Apply(p.Command+" "+strings.Join(names, ", "), operations...)
	}
}

// restartService implements Restart-Service: a service that does not run is started.
func restartService(p *powershell.Invocation) (exec.Answer, error) {
	names, err := namedServices(p)
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: wording.UpperFirst("restart the service " + strings.Join(names, ", "))}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, name := range names {
			if v, err := h.Services().Find(name); err == nil && v.Running {
				plan.Operations = append(plan.Operations, services.Stop{Name: name})
			}
			plan.Operations = append(plan.Operations, services.Start{Name: name})
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.Apply(plan)
}
