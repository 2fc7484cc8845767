// Package machine is the command cxdeck local: it shows the adapters of the machine that it runs on, and changes their settings after a
// review. It draws no screen.
package machine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
	"cxdeck/perf"
	"cxdeck/ui/widget"
	"cxdeck/views/exec"
)

// Host is a machine as the commands see it. Read has no call that changes it; Open opens it for changes.
type Host struct {
	Read   func() (*linuxhost.Machine, error)
	Open   func() (apply.Closing, error)
	Sheets func(m *linuxhost.Machine) []perf.Sheet
	// Try applies a plan.
	Try func(apply.Target, apply.Trial) (apply.Entry, error)
}

// Command is one run of cxdeck local.
type Command struct {
	Out io.Writer
	// Complain reports a problem that does not end the command.
	Complain func(error)
	// Answer reads the operator's answer; it is empty when there is none before the context ends.
	Answer func(ctx context.Context) string
	// JSON prints documents in place of tables.
	JSON bool
	// AllowChanges applies plans; Keep needs no confirmation; Confirm is the text of the time for it, empty for the default.
	AllowChanges, Keep bool
	Confirm            string
	// ReadOnly writes nothing, not even the journal.
	ReadOnly bool
	// Journal is the file of the changes.
	Journal string
	// Host is the machine; a zero one is this machine.
	Host Host
}

// Words are the subcommands.
func Words() []string {
	return []string{"show", "settings", "set", "export", "add", "remove", "undo", "keep", "journal"}
}

// topics are the words of show, with the topics of sheets.
var topics = map[string]string{"host": perf.HostTopic, "functions": perf.FunctionsTopic, "qos": perf.QoSTopic, "bonds": perf.TeamsTopic, "registry": perf.RegistryTopic}

// Run runs a subcommand; without one it shows the machine.
func (s *Command) Run(ctx context.Context, arguments []string) error {
	if s.Host.Read == nil {
		s.Host = Host{Read: Read, Open: OpenTarget, Sheets: sheets, Try: Try}
	}
	word, rest := "show", arguments
	if len(rest) > 0 {
		word, rest = rest[0], rest[1:]
	}
	if notice := Notice(s.Journal, s.Host.Read, s.ReadOnly); notice != "" && word != "undo" && word != "keep" {
		s.Complain(errors.New(notice))
	}
	switch word {
	case "show":
		return s.show(rest)
	case "settings":
		return s.settings(rest)
	case "set":
		return s.set(ctx, rest)
	case "export":
		return s.export(rest)
	case "add":
		return s.add(ctx, rest)
	case "remove":
		return s.remove(ctx, rest)
	case "undo":
		return s.undo(ctx, rest)
	case "keep":
		return s.keep(rest)
	case "journal":
		return s.journal(rest)
	}
	return exec.Mistake("local has no subcommand %q; choose from %s", word, strings.Join(Words(), ", "))
}

// print writes a line. An error of the output is reported at the end of the program.
func (s *Command) print(format string, args ...any) { _, _ = fmt.Fprintf(s.Out, format+"\n", args...) }

// show prints the tables of all topics, or of those that are named.
func (s *Command) show(names []string) error {
	for _, name := range names {
		if topics[name] == "" {
			return exec.Mistake("local show has no topic %q; choose from host, functions, qos, bonds, registry", name)
		}
	}
	machine, err := s.Host.Read()
	if err != nil {
		return err
	}
	if s.JSON {
		return s.writeJSON(machine)
	}
	first := true
	for _, sheet := range s.Host.Sheets(machine) {
		if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return topics[name] == sheet.Topic }) {
			continue
		}
		if !first {
			s.print("")
		}
		first = false
		s.print("%s", sheet.Title)
		writeColumns(s.Out, sheet.Columns, sheet.Rows)
	}
	if first {
		s.print("There is nothing to show.")
	}
	return nil
}

func (s *Command) writeJSON(value any) error {
	encoder := json.NewEncoder(s.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// writeColumns prints a table whose columns are as wide as their widest cell.
func writeColumns(w io.Writer, columns []string, rows [][]string) {
	widths := make([]int, len(columns))
	for _, row := range append([][]string{columns}, rows...) {
		for c, cell := range row {
			if c < len(widths) {
				widths[c] = max(widths[c], widget.Width(cell))
			}
		}
	}
	for _, row := range append([][]string{columns}, rows...) {
		var b strings.Builder
		for c, cell := range row {
			if c < len(widths) {
				b.WriteString(widget.Pad(cell, widths[c]+2))
			}
		}
		_, _ = fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// settings lists the settings of an interface.
func (s *Command) settings(arguments []string) error {
	if len(arguments) != 1 {
		return exec.Mistake("local settings requires the name of an interface")
	}
	machine, err := s.Host.Read()
	if err != nil {
		return err
	}
	i, ok := machine.Interface(arguments[0])
	if !ok {
		return fmt.Errorf("there is no interface %q", arguments[0])
	}
	if s.JSON {
		return s.writeJSON(i.Settings)
	}
	var rows [][]string
	absent := 0
	columns := []string{"SETTING", "VALUE", "LIMIT"}
	for _, setting := range i.Settings {
		row := []string{setting.Name, setting.Value, setting.Limit}
		switch {
		case setting.Value == linuxhost.NoValue && setting.Registry != "":
			absent++
			continue
		case setting.Registry != "":
			columns = []string{"SETTING", "VALUE", "LIMIT", "TYPE", "MEANING"}
			row = append(row, setting.Type, setting.Meaning)
		}
		rows = append(rows, row)
	}
	writeColumns(s.Out, columns, rows)
	if absent > 0 {
		s.print("%d further keys of the catalogue are not stored; set stores one, and --format json lists them.", absent)
	}
	return nil
}

// set reviews changes, and applies them with --allow-changes.
func (s *Command) set(ctx context.Context, arguments []string) error {
	if len(arguments) < 2 {
		return exec.Mistake("local set requires an interface and SETTING=VALUE; local settings INTERFACE lists the settings")
	}
	machine, plan, err := s.plan(arguments)
	if err != nil {
		return err
	}
	return s.change(ctx, machine, plan, 0)
}

// plan reads the machine and makes a plan of an interface and its assignments.
func (s *Command) plan(arguments []string) (*linuxhost.Machine, linuxhost.Plan, error) {
	machine, err := s.Host.Read()
	if err != nil {
		return nil, nil, err
	}
	plan, err := linuxhost.NewPlan(machine, arguments[0], arguments[1:])
	if err != nil {
		return nil, nil, exec.Mistake("%v", err)
	}
	return machine, plan, nil
}

// add makes a bond or a VLAN.
func (s *Command) add(ctx context.Context, arguments []string) error {
	if len(arguments) < 2 || arguments[0] != "bond" && arguments[0] != "vlan" {
		return exec.Mistake("local add requires bond NAME [OPTION=VALUE...] or vlan INTERFACE ID [NAME]")
	}
	machine, err := s.Host.Read()
	if err != nil {
		return err
	}
	var plan linuxhost.Plan
	switch rest := arguments[1:]; {
	case arguments[0] == "bond":
		plan, err = linuxhost.AddBond(machine, rest[0], rest[1:])
	case len(rest) == 2:
		plan, err = linuxhost.AddVLAN(machine, rest[0], rest[1], "")
	case len(rest) == 3:
		plan, err = linuxhost.AddVLAN(machine, rest[0], rest[1], rest[2])
	default:
		return exec.Mistake("local add vlan requires an interface and the number of the VLAN")
	}
	if err != nil {
		return exec.Mistake("%v", err)
	}
	return s.change(ctx, machine, plan, 0)
}

// remove removes a bond or a VLAN.
func (s *Command) remove(ctx context.Context, arguments []string) error {
	if len(arguments) != 1 {
		return exec.Mistake("local remove requires the name of a bond or a VLAN")
	}
	machine, err := s.Host.Read()
	if err != nil {
		return err
	}
	plan, err := linuxhost.RemoveLink(machine, arguments[0])
	if err != nil {
		return exec.Mistake("%v", err)
	}
	return s.change(ctx, machine, plan, 0)
}

// undo undoes the newest change that was kept.
func (s *Command) undo(ctx context.Context, arguments []string) error {
	if len(arguments) > 0 {
		return exec.Mistake("local undo takes no arguments")
	}
	entries, _, err := apply.ReadJournal(s.Journal)
	if err != nil {
		return err
	}
	entry, ok := apply.Undoable(entries)
	if !ok {
		return errors.New("there is no change to undo")
	}
	s.print("Undo change %d of %s.", entry.Number, entry.Time.Local().Format(time.DateTime))
	machine, err := s.Host.Read()
	if err != nil {
		return err
	}
	return s.change(ctx, machine, apply.UndoPlan(machine, entry), entry.Number)
}

// keep keeps a change that was left without a confirmation.
func (s *Command) keep(arguments []string) error {
	switch {
	case len(arguments) > 0:
		return exec.Mistake("local keep takes no arguments")
	case !s.AllowChanges:
		return errors.New("local keep decides about a change: it requires --allow-changes, and not --read-only")
	}
	entry, err := Keep(s.Journal)
	if err == nil {
		s.print("Change %d is kept. cxdeck local undo --allow-changes restores the old values.", entry.Number)
	}
	return err
}

func (s *Command) journal(arguments []string) error {
	if len(arguments) > 0 {
		return exec.Mistake("local journal takes no arguments")
	}
	entries, damaged, err := apply.ReadJournal(s.Journal)
	if err != nil {
		return err
	}
	if damaged > 0 {
		s.Complain(fmt.Errorf("%d lines of the journal can't be read", damaged))
	}
	if s.JSON {
		return s.writeJSON(append([]apply.Entry{}, entries...))
	}
	var rows [][]string
	for _, e := range entries {
		for n, c := range e.Changes {
			row := []string{"", "", "", c.Interface, c.Name, c.Old, c.New, ""}
			if n == 0 {
				row[0], row[1], row[2], row[7] = fmt.Sprint(e.Number), e.Time.Local().Format(time.DateTime), e.Outcome, e.Reason
				if e.Undoes > 0 {
					row[2] += fmt.Sprintf(" (undoes %d)", e.Undoes)
				}
			}
			rows = append(rows, row)
		}
	}
	writeColumns(s.Out, []string{"NUMBER", "TIME", "OUTCOME", "INTERFACE", "SETTING", "OLD", "NEW", "REASON"}, rows)
	return nil
}

// change prints the review of a plan and applies it if the operator allows it: read back, and restored unless it is confirmed.
func (s *Command) change(ctx context.Context, machine *linuxhost.Machine, plan linuxhost.Plan, undoes int) error {
	if len(plan) == 0 {
		s.print("Nothing changes: the settings have these values.")
		return nil
	}
	s.review(machine, plan)
	if !s.AllowChanges {
		s.print("Nothing was changed: --allow-changes applies the plan.")
		return nil
	}
	limit, err := s.confirmTime()
	if err != nil {
		return err
	}
	target, err := s.Host.Open()
	if err != nil {
		return err
	}
	defer target.Close()
	trial := apply.Trial{Plan: plan, Now: time.Now(), Undoes: undoes, Journal: s.Journal, Within: limit}
	if !s.Keep {
		trial.Keep = func() bool { return s.confirm(ctx, limit) }
	}
	entry, err := s.Host.Try(target, trial)
	if entry.Backup != "" {
		s.print("The values before the change are in %s.", entry.Backup)
	}
	if entry.Outcome == apply.Kept && entry.Number > 0 {
		s.print("Done and read back: change %d. cxdeck local undo --allow-changes restores the old values.", entry.Number)
	}
	return err
}

// review prints a plan: old and new values, what it interrupts, and the equivalent commands.
func (s *Command) review(machine *linuxhost.Machine, plan linuxhost.Plan) {
	var rows [][]string
	var interrupts []string
	commands := plan.Commands(machine)
	for i := range plan {
		c := &plan[i]
		rows = append(rows, []string{c.Interface, c.Name, c.Old, c.New, commands[i]})
		if text := c.Interrupts(); text != "" && !slices.Contains(interrupts, text) {
			interrupts = append(interrupts, text)
		}
	}
	writeColumns(s.Out, []string{"INTERFACE", "SETTING", "NOW", "NEW", "EQUIVALENT COMMAND"}, rows)
	for _, text := range interrupts {
		s.print("This %s.", text)
	}
}

// confirmTime returns the time within which a change must be confirmed.
func (s *Command) confirmTime() (time.Duration, error) {
	const standard, shortest, longest = time.Minute, time.Second, time.Hour
	if s.Confirm == "" {
		return standard, nil
	}
	limit, err := time.ParseDuration(s.Confirm)
	if err != nil || limit < shortest || limit > longest {
		return 0, exec.Mistake("--confirm must be a time from 1s to 1h, such as 60s, not %q", s.Confirm)
	}
	return limit, nil
}

// confirm asks whether a change stays. No answer in time, a lost terminal and the end of the program mean no.
func (s *Command) confirm(ctx context.Context, limit time.Duration) bool {
	_, _ = fmt.Fprintf(s.Out, "Applied. Type keep within %s to keep it; otherwise the old values are restored: ", limit)
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	answer := strings.TrimSpace(s.Answer(ctx))
	s.print("")
	return answer == "keep"
}
