package windows

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/mpi"
	"cxdeck/driver/services"
	"cxdeck/views/exec"
)

// serviceRow is a service as JSON.
type serviceRow struct {
	Name    string `json:"name"`
	Display string `json:"display_name"`
	State   string `json:"state"`
	Start   string `json:"start"`
	PID     int    `json:"pid"`
	Binary  string `json:"binary_path"`
	Exit    int    `json:"exit_code"`
	driver  bool
}

func rowOf(v *services.Service) serviceRow {
	state := "STOPPED"
	if v.Running {
		state = "RUNNING"
	}
	return serviceRow{v.Name, v.DisplayName(), state, string(v.Start), v.PID, v.Binary, v.Exit, v.Driver}
}

// lines is the block of sc query for a service.
func (r *serviceRow) lines() []string {
	kind, accepts := "10  WIN32_OWN_PROCESS", "(STOPPABLE, NOT_PAUSABLE, ACCEPTS_SHUTDOWN)"
	if r.driver {
		kind = "1  KERNEL_DRIVER"
	}
	state := "4  RUNNING"
	if r.State != "RUNNING" {
		state, accepts = "1  STOPPED", ""
	}
	lines := []string{
		"", "SERVICE_NAME: " + r.Name, "DISPLAY_NAME: " + r.Display, "        TYPE               : " + kind, "        STATE              : " + state,
	}
	if accepts != "" {
		lines = append(lines, "                                "+accepts)
	}
	return append(lines, fmt.Sprintf("        WIN32_EXIT_CODE    : %d  (0x%x)", r.Exit, r.Exit), "        SERVICE_EXIT_CODE  : 0  (0x0)",
		"        CHECKPOINT         : 0x0", "        WAIT_HINT          : 0x0")
}

// scErrors are the sentences of Windows for the error numbers of services.
var scErrors = map[int]string{
	services.NoFileCode: "The system cannot find the file specified.", services.DeniedCode: "Access is denied.", services.InvalidCode: "The parameter is incorrect.",
	services.TimeoutCode:  "The service did not respond to the start or control request in a timely fashion.",
	services.RunningCode:  "An instance of the service is already running.",
	services.DisabledCode: "The service cannot be started, either because it is disabled or because it has no enabled devices associated with it.",
	services.NotFoundCode: "The specified service does not exist as an installed service.", services.StoppedCode: "The service has not been started.",
	services.TerminatedCode: "The process terminated unexpectedly.", services.ExistsCode: "The specified service already exists.",
	1078: "The name is already in use as either a service name or a service display name.",
}

// failed returns the error of sc: the function of Windows with the number, and the reason of the lab.
func failed(function string, err error) error {
	var known *services.CodeError
	if !errors.As(err, &known) {
		return err
	}
	return fmt.Errorf("[SC] %s FAILED %d: %s (%s)", function, known.Number, strings.TrimSuffix(scErrors[known.Number], "."), known.Text)
}

// scOptions are the options of sc create and sc config.
type scOptions struct {
	binary, start, display *string
}

// scNames are the options, with the values that the lab takes; nil for any.
var scNames = map[string][]string{
	"type": {"own", "interact"}, "start": nil, "error": {"normal", "severe", "critical", "ignore"}, "binpath": nil, "group": nil, "tag": {"no"},
	"depend": nil, "obj": {"LocalSystem"}, "displayname": nil, "password": nil,
}

// readSC reads the options after the name of a service: a name that ends in =, a blank, and the value.
func readSC(verb string, words []string) (o scOptions, err error) {
	for len(words) > 0 {
		word := words[0]
		name, value, found := strings.Cut(word, "=")
		name = strings.ToLower(name)
		allowed, known := scNames[name]
		switch {
		case !found || !known:
			return o, exec.Mistake("sc %s takes options such as binPath= and start=, with a blank after the =, not %q", verb, word)
		case value != "":
			return o, exec.Mistake("sc requires a blank between %s= and its value: %[1]s= %s", word[:len(name)], value)
		case len(words) == 1:
			return o, exec.Mistake("%s requires a value", word)
		}
		value, words = words[1], words[2:]
		if allowed != nil && !containsFold(allowed, value) {
			return o, exec.Mistake("%s takes %s in the lab, not %q", word, strings.Join(allowed, ", "), value)
		}
		switch name {
		case "binpath":
			o.binary = &value
		case "displayname":
			o.display = &value
		case "start":
			value = strings.ToLower(value)
			if value == "boot" || value == "system" {
				return o, exec.Mistake("start= %s is for drivers; a service has auto, delayed-auto, demand or disabled", value)
			}
			o.start = &value
		}
	}
	return o, nil
}

func containsFold(list []string, word string) bool {
	for _, known := range list {
		if strings.EqualFold(known, word) {
			return true
		}
	}
	return false
}

// localName returns the name of a service; sc can name another computer before it, which the lab does not have.
func localName(c *exec.Call) (string, error) {
	name := c.Arguments[0]
	if strings.HasPrefix(name, `\\`) {
		return "", fmt.Errorf("[SC] OpenSCManager FAILED 1722: The RPC server is unavailable (the lab has no computer %s)", name)
	}
	return name, nil
}

// changeService applies an Operation, and answers with the line of sc.
func changeService(c *exec.Call, function string, o driver.Operation) (exec.Answer, error) {
	answer, err := c.ApplyOne(o)
	if err != nil {
		return exec.Answer{}, failed(function, err)
	}
	return answer, nil
}

func scCreate(c *exec.Call) (exec.Answer, error) {
	name, err := localName(c)
	if err != nil {
		return exec.Answer{}, err
	}
	o, err := readSC("create", c.Arguments[1:])
	switch {
	case err != nil:
		return exec.Answer{}, err
	case o.binary == nil:
		return exec.Answer{}, exec.Mistake("sc create requires binPath= and the command line of the service")
	}
	v := services.Service{Name: name, Binary: *o.binary, Start: services.Manual}
	if o.start != nil {
		v.Start = services.StartType(*o.start)
	}
	if o.display != nil {
		v.Display = *o.display
	}
	return changeService(c, "CreateService", services.Create{Service: v})
}

func scConfig(c *exec.Call) (exec.Answer, error) {
	name, err := localName(c)
	if err != nil {
		return exec.Answer{}, err
	}
	o, err := readSC("config", c.Arguments[1:])
	if err != nil {
		return exec.Answer{}, err
	}
	return changeService(c, "ChangeServiceConfig", services.Configure{Name: name, Start: (*services.StartType)(o.start), Display: o.display, Binary: o.binary})
}

func scDescription(c *exec.Call) (exec.Answer, error) {
	name, err := localName(c)
	if err != nil {
		return exec.Answer{}, err
	}
	text := ""
	if len(c.Arguments) > 1 {
		text = c.Arguments[1]
	}
	return changeService(c, "ChangeServiceConfig2", services.Configure{Name: name, Description: &text})
}

func scDelete(c *exec.Call) (exec.Answer, error) {
	name, err := localName(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return changeService(c, "DeleteService", services.Delete{Name: name})
}

func scStart(c *exec.Call) (exec.Answer, error) {
	name, err := localName(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return changeService(c, "StartService", services.Start{Name: name})
}

func scStop(c *exec.Call) (exec.Answer, error) {
	name, err := localName(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return changeService(c, "ControlService", services.Stop{Name: name})
}

// readServices returns the services of the host.
func readServices(c *exec.Call) (rows []serviceRow, err error) {
	rows = []serviceRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		all := h.Services().All()
		for i := range all {
			rows = append(rows, rowOf(&all[i]))
		}
		return nil
	})
	return rows, err
}

// oneService returns the row of a service that is named.
func oneService(c *exec.Call, name string) (row serviceRow, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		v, err := h.Services().Find(name)
		if err == nil && !strings.EqualFold(v.Name, name) { // sc finds services by their short names only
			err = &services.CodeError{Number: services.NotFoundCode, Text: fmt.Sprintf("%s is its display name; its name is %s", name, v.Name)}
		}
		row = rowOf(&v)
		return err
	})
	return row, err
}

// scQuery implements sc query and sc query NAME; type= and state= select.
func scQuery(c *exec.Call) (exec.Answer, error) {
	name, kind, state := "", "service", "active"
	for words := c.Arguments; len(words) > 0; words = words[1:] {
		option := strings.ToLower(words[0])
		if !strings.HasSuffix(option, "=") {
			if name != "" || strings.Contains(option, "=") {
				return exec.Answer{}, exec.Mistake("sc query takes a service, or type= and state= with a blank after the =, not %q", words[0])
			}
			name = words[0]
			continue
		}
		if len(words) == 1 {
			return exec.Answer{}, exec.Mistake("%s requires a value", option)
		}
		value := strings.ToLower(words[1])
		switch {
		case option == "type=" && containsFold([]string{"service", "driver", "all"}, value):
			kind = value
		case option == "state=" && containsFold([]string{"active", "inactive", "all"}, value):
			state = value
		default:
			return exec.Answer{}, exec.Mistake("sc query takes type= service, driver or all, and state= active, inactive or all, not %s %s", option, value)
		}
		words = words[1:]
	}
	rows := []serviceRow{}
	if name != "" {
		row, err := oneService(c, name)
		if err != nil {
			return exec.Answer{}, failed("EnumQueryServicesStatus:OpenService", err)
		}
		rows = append(rows, row)
	} else {
		all, err := readServices(c)
		if err != nil {
			return exec.Answer{}, err
		}
		for _, row := range all {
			if (kind == "all" || (kind == "driver") == row.driver) && (state == "all" || (state == "active") == (row.State == "RUNNING")) {
				rows = append(rows, row)
			}
		}
	}
	var lines []string
	for i := range rows {
		lines = append(lines, rows[i].lines()...)
	}
	return exec.PrintLines(lines, struct {
		Services []serviceRow `json:"services"`
	}{rows}), nil
}

// startNumbers are the numbers of Windows for start types.
var startNumbers = map[services.StartType]string{
	services.Automatic: "2   AUTO_START", services.Delayed: "2   AUTO_START  (DELAYED)", services.Manual: "3   DEMAND_START", services.Disabled: "4   DISABLED",
}

// scQueryConfig implements sc qc.
func scQueryConfig(c *exec.Call) (exec.Answer, error) {
	row, err := oneService(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, failed("OpenService", err)
	}
	return exec.PrintLines([]string{
		"[SC] QueryServiceConfig SUCCESS", "", "SERVICE_NAME: " + row.Name, "        TYPE               : 10  WIN32_OWN_PROCESS",
		"        START_TYPE         : " + startNumbers[services.StartType(row.Start)], "        ERROR_CONTROL      : 1   NORMAL",
		"        BINARY_PATH_NAME   : " + row.Binary, "        LOAD_ORDER_GROUP   :", "        TAG                : 0",
		"        DISPLAY_NAME       : " + row.Display, "        DEPENDENCIES       :", "        SERVICE_START_NAME : LocalSystem",
	}, struct {
		Service serviceRow `json:"service"`
	}{row}), nil
}

// taskRow is a process as JSON.
type taskRow struct {
	Image   string `json:"image"`
	PID     int    `json:"pid"`
	Service string `json:"service"`
	Role    string `json:"role"`
	Port    string `json:"connection"`
}

// readTasks returns the processes of the lab: the instances of OpenSM, and smpd of MPI.
func readTasks(c *exec.Call) (rows []taskRow, err error) {
	rows = []taskRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, i := range h.OpenSM().Views() {
			if i.Host != "" {
				continue // another host
			}
			rows = append(rows, taskRow{"opensm.exe", i.PID, i.Service, string(i.Role), i.Connection})
		}
		if state := h.MPI(); state.Find(netip.Addr{}).Port > 0 {
			rows = append(rows, taskRow{mpi.Program, mpi.Process, "", "", ""})
		}
		return nil
	})
	return rows, err
}

// taskList implements tasklist.
func taskList(c *exec.Call) (exec.Answer, error) {
	image := ""
	for words := c.Arguments; len(words) > 0; words = words[1:] {
		switch option := strings.ToLower(words[0]); {
		case option == "/svc":
		case option == "/fi" && len(words) > 1:
			filter := strings.Fields(words[1])
			if len(filter) != 3 || !strings.EqualFold(filter[0], "imagename") || !strings.EqualFold(filter[1], "eq") {
				return exec.Answer{}, exec.Mistake(`tasklist filters as in /fi "imagename eq opensm.exe", not %q`, words[1])
			}
			image, words = filter[2], words[1:]
		default:
			return exec.Answer{}, exec.Mistake("tasklist takes /svc and /fi FILTER, not %q", words[0])
		}
	}
	all, err := readTasks(c)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []taskRow{}
	for _, row := range all {
		if image == "" || strings.EqualFold(image, row.Image) {
			rows = append(rows, row)
		}
	}
	return exec.Answer{
		Result: struct {
			Tasks []taskRow `json:"tasks"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := io.WriteString(w, "INFO: No tasks are running which match the specified criteria.\n")
				return err
			}
			t := exec.NewTextTable(w, "Image Name", "PID", "Services", "Role", "Port")
			t.Row("==========", "===", "========", "====", "====")
			for i := range rows {
				r := &rows[i]
				service := r.Service
				if service == "" {
					service = "N/A"
				}
				t.Row(r.Image, strconv.Itoa(r.PID), service, r.Role, r.Port)
			}
			return t.Flush()
		},
	}, nil
}
