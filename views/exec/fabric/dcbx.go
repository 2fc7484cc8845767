package fabric

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/fabric"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// dcbxSettings are the settings of a switch port that it sends by DCBX.
func dcbxSettings() []switchSetting {
	return []switchSetting{
		{"dcbx", "VERSION", "version of DCBX: ieee, cee (which adapters don't read) or off",
			func(o *fabric.SetSwitchPort, text string) error {
				o.DCBX = new(description.DCBXMode)
				return o.DCBX.UnmarshalText([]byte(strings.ToLower(text)))
			},
			func(r *switchRow) string {
				word, _ := r.DCBX.MarshalText() // a valid mode encodes without an error
				return string(word)
			}},
		{"willing", "YES/NO", "whether it accepts the settings of the host by DCBX",
			func(o *fabric.SetSwitchPort, text string) error { return parseYesNo(&o.Willing, text) },
			func(r *switchRow) string { return wording.YesNo(r.Willing) }},
		{"classes", "CLASSES", "traffic classes that it sends, as priorities and share, such as 3:50,4+5:20,6:strict, or none",
			setClasses, func(r *switchRow) string { return classText(r.Classes) }},
		{"applications", "PORTS", "application priorities that it sends, as port and priority, such as 445:3, or none",
			setApplications, func(r *switchRow) string { return applicationText(r.Applications) }},
	}
}

func parseYesNo(into **bool, text string) error {
	switch strings.ToLower(text) {
	case "yes", "on":
		*into = new(true)
	case "no", "off":
		*into = new(false)
	default:
		return request.Errorf("must be yes or no, not %q", text)
	}
	return nil
}

func setClasses(o *fabric.SetSwitchPort, text string) error {
	o.Classes = new([]description.SwitchClass{})
	if strings.EqualFold(text, "none") {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		priorities, share, given := strings.Cut(part, ":")
		class := description.SwitchClass{}
		for _, word := range strings.Split(priorities, "+") {
			p, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil || !given {
				return request.Errorf("must be priorities and a share, such as 3:50 or 4+5:20, not %q", part)
			}
			class.Priorities = append(class.Priorities, p)
		}
		if !strings.EqualFold(share, "strict") {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(share), "%"))
			if err != nil || n < 1 {
				return request.Errorf("the share of a class must be 1 to 100 percent, or strict, not %q", share)
			}
			class.Share = n
		}
		*o.Classes = append(*o.Classes, class)
	}
	return description.CheckSwitchClasses(*o.Classes)
}

func setApplications(o *fabric.SetSwitchPort, text string) error {
	o.Applications = new([]description.SwitchApplication{})
	if strings.EqualFold(text, "none") {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		var row description.SwitchApplication
		port, priority, _ := strings.Cut(part, ":")
		var err1, err2 error
		row.Port, err1 = strconv.Atoi(strings.TrimSpace(port))
		row.Priority, err2 = strconv.Atoi(strings.TrimSpace(priority))
		if err1 != nil || err2 != nil {
			return request.Errorf("must be a port and a priority, such as 445:3, not %q", part)
		}
		*o.Applications = append(*o.Applications, row)
	}
	return description.CheckSwitchApplications(*o.Applications)
}

// classText lists classes in the syntax of switch set.
func classText(classes []description.SwitchClass) string {
	words := make([]string, len(classes))
	for i, c := range classes {
		share := "strict"
		if c.Share > 0 {
			share = strconv.Itoa(c.Share)
		}
		words[i] = strings.ReplaceAll(exec.JoinNumbers(priorities(uint8(setup.PrioritySet(c.Priorities)))), ",", "+") + ":" + share
	}
	return joinOrNone(words)
}

// applicationText lists application priorities in the syntax of switch set.
func applicationText(rows []description.SwitchApplication) string {
	words := make([]string, len(rows))
	for i, r := range rows {
		words[i] = fmt.Sprintf("%d:%d", r.Port, r.Priority)
	}
	return joinOrNone(words)
}

func joinOrNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ",")
}
