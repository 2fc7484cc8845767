package linuxcli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	managers "cxdeck/device/infiniband/opensm"
	"cxdeck/device/subnet"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/linux"
	"cxdeck/driver/opensm"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// programs are the programs of the host.
var programs = map[string]func(s *shell, words []string) error{
	"opensm": openSM, "pkill": kill, "killall": kill, "pgrep": listProcesses, "ps": listProcesses, "ibstat": ibstat, "cat": cat, "echo": echo, "grep": grep,
	"sed": sed, "ls": list, "rm": remove, "hostname": hostname,
}

// run runs the line.
func (s *shell) run() error {
	line := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s.Line, "# "), "$ "))
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	words, err := syntax.Split(line)
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] == "sudo" {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	if i := slices.IndexFunc(words, func(word string) bool { return slices.Contains([]string{syntax.PipeSign, "&&", ";", "||"}, word) }); i >= 0 {
		return request.Errorf("the console runs one program a line, without %s", words[i])
	}
	name := words[0][strings.LastIndex(words[0], "/")+1:]
	program, known := programs[name]
	if !known {
		var names []string
		for name := range programs {
			names = append(names, name)
		}
		slices.Sort(names)
		return request.Errorf("%s: command not found%s", words[0], exec.Suggest(name, names, "the console has "+strings.Join(names, ", ")))
	}
	return program(s, words[1:])
}

// files returns the files of the host.
func (s *shell) files() (files linux.State, err error) {
	err = s.Look(func(h *driver.Host) error {
		files = h.Linux()
		if i, ok := manager(h); ok {
			if _, own := files.Read(linux.Log); !own {
				files.Files = append(slices.Clone(files.Files), linux.File{Path: linux.Log, Text: i.Pending})
			}
		}
		return nil
	})
	return files, err
}

// manager returns the OpenSM of the Linux host.
func manager(h *driver.Host) (found opensm.Instance, ok bool) {
	list := h.OpenSM().Instances
	i := slices.IndexFunc(list, func(i opensm.Instance) bool { return i.Host == linux.Host })
	if i < 0 {
		return found, false
	}
	return list[i], true
}

// managesVirtual is the value of virt_enable with which OpenSM manages the ports of virtual functions.
const managesVirtual = "2"

// openSM starts OpenSM with its configuration.
func openSM(s *shell, words []string) error {
	if i := slices.IndexFunc(words, func(w string) bool { return w == "-c" || w == "--create-config" }); i >= 0 && i+1 < len(words) {
		files := new(linux.State)
		text, _ := files.Read(linux.Config)
		return s.write(words[i+1], text)
	}
	if slices.ContainsFunc(words, func(w string) bool { return w == "-f" || strings.HasPrefix(w, "--log_file") }) {
		return errors.New("the log of the lab is " + linux.Log + ": leave -f out")
	}
	o, err := opensm.Parse(words)
	switch {
	case err != nil:
		return err
	case o.Service:
		return errors.New("opensm has no option --service on Linux")
	case o.Help:
		s.Output = opensm.Usage()
		return nil
	case o.Version:
		s.Print("OpenSM %s", opensm.Version)
		return nil
	case o.Asks:
		s.Print("Choose a local port number with which to bind:")
		s.Print("\t1: GUID = 0x%016x, state = %s", uint64(linux.PortGUID), "ACTIVE")
		s.Print("Give its GUID: opensm -g 0x%016x", uint64(linux.PortGUID))
		return nil
	}
	plan, err := s.start(&o, words)
	if err != nil {
		return err
	}
	s.Print("OpenSM %s", opensm.Version)
	s.Print("Using port GUID 0x%016x", uint64(linux.PortGUID))
	return s.Do(plan...)
}

// start returns the Operations that start OpenSM, and that give ports their partitions where no switch does.
func (s *shell) start(o *opensm.Options, words []string) (plan []driver.Operation, err error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-p") || strings.HasPrefix(w, "--priority") }) {
		if p := files.Setting("sm_priority"); p != "" && p != "0" {
			n, err := strconv.Atoi(p)
			if err != nil || n < 0 || n > 15 {
				return nil, request.Errorf("%s: sm_priority must be 0 to 15, not %q", linux.Config, p)
			}
			words, o.Priority = append(slices.Clone(words), "-p", p), n
		}
	}
	virtual := files.Setting("virt_enable")
	if virtual != "" && !slices.Contains([]string{"0", "1", managesVirtual}, virtual) {
		return nil, request.Errorf("%s: virt_enable must be 0, 1 or 2, not %q", linux.Config, virtual)
	}
	keys, err := files.PKeys()
	if err != nil {
		return nil, err
	}
	if len(keys) > description.MaxPKeys {
		return nil, fmt.Errorf("partitions.conf: a port has at most %d partitions besides the default one", description.MaxPKeys)
	}
	plan = append(plan, opensm.Start{Arguments: words, Host: linux.Host, GUID: linux.PortGUID, Virtual: virtual == managesVirtual})
	return append(plan, s.partitions(keys, o.Priority)...), nil
}

// partitions returns the Operations that give the ports the partitions of the configuration: of ports that the switch does not manage, or
// with less priority.
func (s *shell) partitions(keys []description.PKey, priority int) (plan []driver.Operation) {
	_ = s.Look(func(h *driver.Host) error { // it does not fail
		for _, port := range h.OpenSM().InfiniBand() {
			now := h.Lab().SwitchPort(port)
			if now.SubnetManager == description.SubnetManaged && priority <= managers.SwitchPriority || len(keys) == 0 && text(h, linux.Partitions) == text(nil, linux.Partitions) {
				continue
			}
			to := now
			to.PKeys = keys
			if o, differs := fabric.Difference(h.Lab().Connection(port), now, to); differs {
				plan = append(plan, o)
			}
		}
		return nil
	})
	return plan
}

// text returns a file of a host, or of a new one.
func text(h *driver.Host, path string) string {
	var files linux.State
	if h != nil {
		files = h.Linux()
	}
	text, _ := files.Read(path)
	return text
}

// kill implements pkill and killall: it ends OpenSM, or has it read its partitions again with -HUP.
func kill(s *shell, words []string) error {
	again := false
	for len(words) > 1 && strings.HasPrefix(words[0], "-") {
		again = again || strings.EqualFold(strings.TrimPrefix(words[0], "-"), "HUP") || words[0] == "-1"
		words = words[1:]
	}
	if len(words) != 1 || words[0] != "opensm" {
		return errors.New("the console ends opensm: pkill opensm, or pkill -HUP opensm to read its partitions again")
	}
	var running opensm.Instance
	found := false
	if err := s.Look(func(h *driver.Host) error {
		running, found = manager(h)
		return nil
	}); err != nil {
		return err
	}
	if !found {
		return errors.New("opensm: no process found")
	}
	if !again {
		return s.Do(opensm.Stop{PID: running.PID})
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	keys, err := files.PKeys()
	if err != nil {
		return err
	}
	o, _ := opensm.Parse(running.Arguments) // it was read when it started
	if plan := s.partitions(keys, o.Priority); len(plan) > 0 {
		return s.Do(plan...)
	}
	return nil
}

func listProcesses(s *shell, _ []string) error {
	return s.Look(func(h *driver.Host) error {
		s.Print("    PID COMMAND")
		if i, ok := manager(h); ok {
			s.Print("%7d opensm %s (%s)", i.PID, strings.Join(i.Arguments, " "), i.Role)
		}
		return nil
	})
}

// ibstat shows the port of the card. It is active while the subnet has a manager.
func ibstat(s *shell, words []string) error {
	if len(words) > 0 && words[0] == "-p" {
		s.Print("0x%016x", uint64(linux.PortGUID))
		return nil
	}
	return s.Look(func(h *driver.Host) error {
		ports := h.OpenSM().InfiniBand()
		if len(ports) == 0 {
			return errors.New("the lab has no InfiniBand subnet")
		}
		state := subnet.Init
		for _, port := range ports {
			if h.Lab().Manager(port) != description.SubnetAbsent {
				state = subnet.Active
			}
		}
		word := "Initializing"
		if state == subnet.Active {
			word = "Active"
		}
		s.Print("CA 'mlx5_0'")
		s.Print("\tPort 1:")
		s.Print("\t\tState: %s", word)
		s.Print("\t\tPhysical state: LinkUp")
		s.Print("\t\tPort GUID: 0x%016x", uint64(linux.PortGUID))
		s.Print("\t\tLink layer: InfiniBand")
		return nil
	})
}

func hostname(s *shell, _ []string) error {
	s.Print("%s", linux.Host)
	return nil
}

// read returns the text of a file.
func (s *shell) read(path string) (string, error) {
	files, err := s.files()
	if err != nil {
		return "", err
	}
	text, ok := files.Read(path)
	if !ok {
		return "", request.Errorf("%s: No such file or directory%s", path, exec.Suggest(path, files.List(), "ls lists the files"))
	}
	return text, nil
}

func (s *shell) write(path, text string) error {
	err := s.Do(linux.WriteFile{File: linux.File{Path: path, Text: text}})
	var same *request.UnchangedError
	if errors.As(err, &same) {
		return nil
	}
	return err
}

func (s *shell) printText(text string) {
	for line := range strings.Lines(text) {
		s.Print("%s", strings.TrimSuffix(line, "\n"))
	}
}

func cat(s *shell, words []string) error {
	if len(words) == 0 {
		return errors.New("cat requires a file")
	}
	for _, path := range words {
		text, err := s.read(path)
		if err != nil {
			return err
		}
		s.printText(text)
	}
	return nil
}

// echo prints its words, or writes them to a file.
func echo(s *shell, words []string) error {
	at := slices.IndexFunc(words, func(w string) bool { return w == ">" || w == ">>" })
	if at < 0 {
		s.Print("%s", strings.Join(words, " "))
		return nil
	}
	if at+2 != len(words) {
		return errors.New("echo TEXT > FILE requires one file after >")
	}
	path, text := words[at+1], strings.Join(words[:at], " ")+"\n"
	if words[at] == ">>" {
		if before, err := s.read(path); err == nil {
			text = before + text
		}
	}
	return s.write(path, text)
}

func grep(s *shell, words []string) error {
	if len(words) != 2 {
		return errors.New("grep requires a pattern and a file")
	}
	pattern, err := regexp.Compile(words[0])
	if err != nil {
		return request.Errorf("grep: invalid pattern %q", words[0])
	}
	text, err := s.read(words[1])
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); pattern.MatchString(line) {
			s.Print("%s", line)
		}
	}
	return nil
}

// sed implements sed -i 's/A/B/' FILE.
func sed(s *shell, words []string) error {
	if len(words) != 3 || words[0] != "-i" || len(words[1]) < 4 || words[1][0] != 's' {
		return errors.New("the console takes sed -i 's/PATTERN/TEXT/' FILE")
	}
	parts := strings.Split(words[1][2:], words[1][1:2])
	if len(parts) != 3 || strings.Trim(parts[2], "g") != "" {
		return request.Errorf("sed: invalid expression %q", words[1])
	}
	pattern, err := regexp.Compile("(?m)" + parts[0])
	if err != nil {
		return request.Errorf("sed: invalid pattern %q", parts[0])
	}
	text, err := s.read(words[2])
	if err != nil {
		return err
	}
	return s.write(words[2], pattern.ReplaceAllLiteralString(text, parts[1]))
}

func list(s *shell, words []string) error {
	folder := "/"
	if len(words) > 0 {
		folder = strings.TrimSuffix(words[0], "/")
	}
	files, err := s.files()
	if err != nil {
		return err
	}
	for _, path := range files.List() {
		if path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/") {
			s.Print("%s", path)
		}
	}
	return nil
}

func remove(s *shell, words []string) error {
	for _, path := range words {
		if path == "-f" {
			continue
		}
		if _, err := s.read(path); err != nil {
			return err
		}
		if err := s.Do(linux.WriteFile{File: linux.File{Path: path, Gone: true}}); err != nil {
			return err
		}
	}
	return nil
}
