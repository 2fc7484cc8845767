package winof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// The transcripts of the manual pin the output of part_man, the tool for virtual IPoIB ports.

// partManArguments removes the switch -v, verbose, from the arguments, and reports whether it was there.
func partManArguments(c *exec.Call) (rest []string, verbose bool) {
	rest = slices.DeleteFunc(slices.Clone(c.Arguments), func(word string) bool { return strings.EqualFold(word, "-v") })
	return rest, len(rest) < len(c.Arguments)
}

// partManUsage is the tool's help text.
const partManUsage = `part_man.exe [-v] <add|rem> <network connection name> [iname] [pkey]
part_man.exe [-v] <show|remall>
part_man.exe -help
`

func partManHelp(*exec.Call) (exec.Answer, error) {
	return exec.PrintLines(strings.Split(strings.TrimSuffix(partManUsage, "\n"), "\n"), struct {
		Usage string `json:"usage"`
	}{partManUsage}), nil
}

// partManVerbFirst moves -v after the verb, and replaces -h by -help.
func partManVerbFirst(words []string) []string {
	if len(words) < 2 || !strings.EqualFold(exec.TrimExe(words[0]), "part_man") {
		return words
	}
	switch {
	case strings.EqualFold(words[1], "-h"):
		return append([]string{words[0], "-help"}, words[2:]...)
	case strings.EqualFold(words[1], "-v") && len(words) > 2:
		return append([]string{words[0], words[2], words[1]}, words[3:]...)
	}
	return words
}

// partManPort parses the optional name and the optional PKey after a connection.
func partManPort(words []string) (name string, key description.PKey, err error) {
	if len(words) > 0 && (len(words) > 1 || strings.HasPrefix(strings.ToLower(words[0]), "i")) {
		name, words = words[0], words[1:]
	}
	if len(words) > 0 {
		if err := key.UnmarshalText([]byte(words[0])); err != nil {
			return "", 0, &exec.MistakeError{Text: err.Error()}
		}
	}
	return name, key, nil
}

// findPort finds the port for a new virtual port. The name of a virtual port is an error.
func findPort(view *driver.View, name string) (string, error) {
	for _, p := range view.Partitions {
		if strings.EqualFold(p.Connection, name) {
			return "", fmt.Errorf("%s is a virtual port of %s; name its port", p.Connection, p.On)
		}
	}
	return exec.Connection(view, name)
}

func partManAdd(c *exec.Call) (exec.Answer, error) {
	words, verbose := partManArguments(c)
	if len(words) == 0 || len(words) > 3 {
		return exec.Answer{}, exec.Mistake("part_man add requires the name of a connection, optionally followed by a name and a PKey")
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	on, err := findPort(view, words[0])
	if err != nil {
		return exec.Answer{}, err
	}
	before, add := view.Partitions, fabric.AddPartition{Connection: on}
	if add.Name, add.PKey, err = partManPort(words[1:]); err != nil {
		return exec.Answer{}, err
	}
	entry, err := c.Do(driver.Plan{Title: wording.UpperFirst(add.Describe()), Operations: []driver.Operation{add}})
	if err != nil {
		return exec.Answer{}, err
	}
	if view, err = c.View(); err != nil {
		return exec.Answer{}, err
	}
	row := addedPort(before, view.Partitions)
	lines := []string{"Done..."}
	if verbose {
		lines = append(lines, verboseLine(row))
	}
	if row.Why != "" {
		lines = append(lines, fmt.Sprintf("%s stays disconnected: %s", row.Connection, row.Why))
	}
	return exec.PrintLines(lines, struct {
		Change exec.EntryRow         `json:"change"`
		Port   *fabric.PartitionView `json:"port"`
	}{entry, row}), nil
}

// verboseLine is what -v prints of a virtual port.
func verboseLine(port *fabric.PartitionView) string {
	return fmt.Sprintf("%s %s %s on %s", port.Connection, port.Name, port.PKey, port.On)
}

// addedPort returns the virtual port in now that is not in before; an empty one if it has been removed meanwhile.
func addedPort(before, now []fabric.PartitionView) *fabric.PartitionView {
	for i := range now {
		if i == len(before) || before[i].Connection != now[i].Connection {
			return &now[i]
		}
	}
	return &fabric.PartitionView{}
}

func partManRemove(c *exec.Call) (exec.Answer, error) {
	words, verbose := partManArguments(c)
	if len(words) == 0 || len(words) > 3 {
		return exec.Answer{}, exec.Mistake("part_man rem requires the name of a virtual port's connection, as part_man show prints it")
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	name, key, err := partManPort(words[1:])
	if err != nil {
		return exec.Answer{}, err
	}
	broken, err := brokenPorts(c)
	if err != nil {
		return exec.Answer{}, err
	}
	var names []string
	for _, p := range slices.Concat(view.Partitions, broken) {
		if !strings.EqualFold(p.Connection, words[0]) {
			names = append(names, p.Connection)
			continue
		}
		if name != "" && !strings.EqualFold(name, p.Name) || key != 0 && key != p.PKey {
			return exec.Answer{}, fmt.Errorf("%s has the name %s and the PKey %s, which differ from your arguments", p.Connection, p.Name, p.PKey)
		}
		return removePorts(c, verbose, p)
	}
	return exec.Answer{}, request.Errorf("there is no virtual IPoIB port %q%s", words[0], exec.Suggest(words[0], names,
		"part_man show lists them"))
}

func partManRemoveAll(c *exec.Call) (exec.Answer, error) {
	words, verbose := partManArguments(c)
	if len(words) > 0 {
		return exec.Answer{}, exec.Mistake("part_man remall does not take %q: it removes all virtual ports", words[0])
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	broken, err := brokenPorts(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(view.Partitions)+len(broken) == 0 {
		return exec.Answer{}, &request.UnchangedError{Why: "there is no virtual IPoIB port to remove"}
	}
	return removePorts(c, verbose, slices.Concat(view.Partitions, broken)...)
}

// removePorts removes virtual ports in one plan and prints the tool's line, with -v also the ports.
func removePorts(c *exec.Call, verbose bool, ports ...fabric.PartitionView) (exec.Answer, error) {
	var operations []driver.Operation
	var lines []string
	for _, p := range ports {
		operations = append(operations, fabric.RemovePartition{Connection: p.Connection})
		if verbose {
			lines = append(lines, verboseLine(&p))
		}
	}
	title := wording.UpperFirst(operations[0].Describe())
	if len(operations) > 1 {
		title = fmt.Sprintf("Remove all %d virtual IPoIB ports", len(operations))
	}
	entry, err := c.Do(driver.Plan{Title: title, Operations: operations})
	if err != nil {
		return exec.Answer{}, err
	}
	lines = append(lines, "Done")
	left, err := brokenPorts(c)
	if err != nil {
		return exec.Answer{}, err
	}
	for _, p := range left {
		if slices.ContainsFunc(ports, func(removed fabric.PartitionView) bool { return removed.Connection == p.Connection }) {
			lines = append(lines, fmt.Sprintf("An entry of %s stays in the registry, since the driver of %s does not run; once it runs, remove %[1]s again", p.Connection, p.On))
		}
	}
	return exec.PrintLines(lines, struct {
		Change exec.EntryRow `json:"change"`
	}{entry}), nil
}

// brokenPorts returns the virtual ports that were not fully removed from the registry.
func brokenPorts(c *exec.Call) (list []fabric.PartitionView, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		list = h.BrokenPartitions()
		return nil
	})
	return list, err
}

func partManShow(c *exec.Call) (exec.Answer, error) {
	words, verbose := partManArguments(c)
	if len(words) > 0 {
		return exec.Answer{}, exec.Mistake("part_man show does not take %q", words[0])
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, lines := []fabric.PartitionView{}, []string{}
	for i := range view.Partitions {
		row := &view.Partitions[i]
		line := fmt.Sprintf("%s %s %s", row.Connection, row.Name, row.PKey)
		if verbose {
			line += fmt.Sprintf(" on %s, %s, %s", row.On, row.GUID, cmp.Or(row.Why, "connected"))
		}
		rows, lines = append(rows, *row), append(lines, line)
	}
	broken, err := brokenPorts(c)
	if err != nil {
		return exec.Answer{}, err
	}
	for i := range broken {
		if row := &broken[i]; verbose {
			lines = append(lines, fmt.Sprintf("%s %s %s on %s, %s, %s", row.Connection, row.Name, row.PKey, row.On, row.GUID, row.Why))
		}
	}
	if len(lines) == 0 {
		lines = []string{"There are no virtual IPoIB ports."}
	}
	return exec.PrintLines(lines, struct {
		Ports  []fabric.PartitionView `json:"ports"`
		Broken []fabric.PartitionView `json:"broken,omitempty"`
	}{rows, broken}), nil
}
