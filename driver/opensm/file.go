package opensm

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/infiniband/qos"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/linux"
	"cxdeck/driver/request"
)

// Files is what an instance read when it started: a later change of a file does not count until OpenSM starts again.
type Files struct {
	// Settings are the options of the options file as words of the command line, which win over them.
	Settings []string `json:"settings,omitempty"`
	// Tables are the tables of QoS, nil without it, Policy is the policy file.
	Tables *qos.Tables `json:"qos,omitempty"`
	Policy *qos.Policy `json:"policy,omitempty"`
	// Missing is why the policy file has no effect.
	Missing string `json:"missing,omitempty"`
}

// settings are the options of the file that the lab has as options of the command line.
var settings = map[string]string{
	"guid": "-g", "sm_priority": "-p", "sweep_interval": "-s", "log_file": "-f", "log_max_size": "-L", "qos_policy_file": "-Y",
}

// read returns the text of a file of the host that an instance runs on.
func (s Set) read(host, path string) (string, error) {
	if host != "" {
		if text := s.ReadOther(path); text != "" {
			return text, nil
		}
		return "", request.Errorf("%s has no file %s", host, path)
	}
	clean, err := hostfiles.CleanPath(path)
	if err != nil {
		return "", err
	}
	if data := s.ReadFile(clean); len(data) > 0 {
		return string(data), nil
	}
	return "", request.Errorf("the host has no file %s", clean)
}

// load reads the files of the options of an instance that starts, and returns its options with the ones of the file.
func (s Set) load(start *Start) (o Options, files Files, err error) {
	if o, err = Parse(start.Arguments); err != nil {
		return o, files, err
	}
	path, text := o.Config, ""
	if path == "" && start.Host != "" {
		path = linux.Config // Windows has no file of options by default
	}
	if path != "" {
		if text, err = s.read(start.Host, path); err != nil && o.Config != "" {
			return o, files, fmt.Errorf("-F: %w", err)
		}
		files.Settings = fileSettings(text, start.Host != "")
		if o, err = Parse(slices.Concat(files.Settings, start.Arguments)); err != nil {
			return o, files, fmt.Errorf("%s: %w", path, err)
		}
	}
	if o.QoS {
		text += "\nqos TRUE\n"
	}
	if files.Tables, err = qos.Parse(text); err != nil {
		return o, files, fmt.Errorf("%s: %w", path, err)
	}
	if o.Policy != "" {
		files.Policy, files.Missing = s.policy(start.Host, o.Policy)
		if files.Tables == nil && files.Missing == "" {
			files.Missing = "the policy file acts with QoS only: -Q, or qos TRUE in the file of -F"
		}
	}
	return o, files, nil
}

// policy reads a policy file. OpenSM runs without one that it can't read.
func (s Set) policy(host, path string) (p *qos.Policy, missing string) {
	text, err := s.read(host, path)
	if err == nil {
		p, err = qos.ParsePolicy(text)
	}
	if err != nil {
		return nil, "the policy file has no effect: " + err.Error()
	}
	return p, ""
}

// fileSettings returns the options of a file as words. The host beside this one has a fixed log and port.
func fileSettings(text string, beside bool) (words []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		option := settings[name]
		switch {
		case name == "sm_inactive" && strings.EqualFold(value, "true"):
			words = append(words, "-I")
		case name == "guid" && strings.Trim(value, "0x") == "", name == "log_max_size" && value == "0", value == "", value == "(null)":
		case beside && option != "-p" && option != "-Y":
		case option != "":
			words = append(words, option, value)
		}
	}
	return words
}

// logFiles writes what the files said to the log.
func (s Set) logFiles(i *Instance, o *Options) {
	if o.Policy != "" && i.Policy == nil {
		s.log(i, "osm_qos_parse_policy_file: ERR AC01: Failed opening QoS policy file "+o.Policy)
	}
}
