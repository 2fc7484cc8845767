package exec

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/scenes"
	"cxdeck/driver/teams/mux"
)

// Candidate is a word that could complete a line, with its description.
type Candidate struct {
	Word string `json:"word"`
	Help string `json:"help,omitempty"`
}

// Completion holds the candidates at a position of a line.
type Completion struct {
	Candidates []Candidate `json:"candidates"`
	// Files reports that the name of a file could, too.
	Files bool `json:"files,omitempty"`
}

// Complete finds the words that could follow others and begin with part, which is not quoted. The names of the host come
// from open, which is asked only where one could stand; without a host the words of the language alone are found.
func (t *Table) Complete(ctx context.Context, words []string, part string, open func(context.Context) (Host, Shelf, error)) Completion {
	if at := slices.Index(words, PipeSign); at >= 0 {
		words = words[at+1:]
	}
	if len(words) > 0 && words[0] == "help" {
		return Completion{Candidates: beginning(t.nextWords(words[1:]), part)}
	}
	k := completer{ctx: ctx, table: t, open: open, part: part}
	command, rest := t.match(words)
	next := beginning(t.nextWords(words), part)
	if command == nil {
		if got, is := k.toolValue(words); is {
			return got
		}
		return Completion{Candidates: next}
	}
	k.command = command
	got := k.completeArguments(rest)
	got.Candidates = append(next, got.Candidates...)
	return got
}

// nextWords returns the words that may follow others in the names of commands.
func (t *Table) nextWords(words []string) []Candidate {
	var list []Candidate
	words = t.respell(words)
	for _, c := range t.commands {
		if len(c.words) <= len(words) || c.begins(words) < len(words) {
			continue
		}
		one := Candidate{Word: c.words[len(words)]}
		if len(c.words) == len(words)+1 {
			one.Help = c.Describe().Help
		}
		if !slices.ContainsFunc(list, func(c Candidate) bool { return c.Word == one.Word }) {
			list = append(list, one)
		}
	}
	return list
}

// beginning returns the candidates that begin with the typed text: first in the same case, else in any case and without the leading
// asterisk of key names.
func beginning(list []Candidate, part string) []Candidate {
	for _, fits := range []func(word string) bool{
		func(word string) bool { return strings.HasPrefix(word, part) },
		func(word string) bool {
			word, part := strings.ToLower(word), strings.ToLower(part)
			return strings.HasPrefix(word, part) || strings.HasPrefix(strings.TrimPrefix(word, "*"), part)
		},
	} {
		var found []Candidate
		for _, one := range list {
			if fits(one.Word) && one.Word == Clean(one.Word) { // names that can't be typed are not offered
				found = append(found, one)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// completer completes what follows the name of a command.
type completer struct {
	ctx     context.Context
	table   *Table
	command *Command
	part    string
	open    func(context.Context) (Host, Shelf, error)

	opened bool
	host   Host
	shelf  Shelf
	view   *driver.View
	files  bool
}

// holder is a place in a synopsis: what is there, by its word, and the option before it, where it is one's value.
type holder struct {
	option string
	word   string
	more   bool
}

// options matches an option of a synopsis, by its dash or slash.
var options = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-{1,2}|/)[A-Za-z]`) })

// holders takes a synopsis apart.
func holders(arguments string) (positions, valued []holder, alone []string) {
	text := strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(arguments)
	option := ""
	for _, word := range strings.Fields(text) {
		switch {
		case options().MatchString(word):
			for _, one := range strings.Split(word, "|") {
				if options().MatchString(one) {
					alone = append(alone, one)
					option = one
				}
			}
			if !strings.HasSuffix(word, option) {
				option = ""
			}
			continue
		case strings.Trim(word, ".") == "":
			if len(positions) > 0 {
				positions[len(positions)-1].more = true
			}
		default:
			one := holder{option: option, more: strings.HasSuffix(word, "..."), word: strings.TrimRight(word, ".,")}
			one.word, _, _ = strings.Cut(one.word, ",")
			if option != "" {
				valued = append(valued, one)
			}
			positions = append(positions, one)
		}
		option = ""
	}
	return positions, valued, alone
}

// completeArguments completes what follows the name, when the words of rest were typed.
func (k *completer) completeArguments(rest []string) Completion {
	positions, valued, alone := holders(k.command.Describe().Arguments)
	last := ""
	if len(rest) > 0 {
		last = rest[len(rest)-1]
	}
	if name, _, given := strings.Cut(k.part, "="); given && strings.HasPrefix(k.part, "--") {
		return k.valueOf(name, rest, name+"=")
	}
	if k.takesValue(last) {
		return k.valueOf(last, rest, "")
	}
	for _, one := range valued {
		if strings.EqualFold(one.option, last) {
			return k.finish(k.words(one.word, rest))
		}
	}
	if k.part != "" && options().MatchString(k.part+"a") && k.part[0] != '/' || strings.HasPrefix(k.part, "/") && len(alone) > 0 {
		var list []Candidate
		for _, flag := range k.command.Describe().Flags {
			list = append(list, Candidate{"--" + flag.Name, flag.Help})
		}
		for _, one := range k.command.parameters() {
			one, _, _ = strings.Cut(one, " ")
			alone = append(alone, one)
		}
		for _, one := range alone {
			if !slices.Contains(list, Candidate{Word: one}) {
				list = append(list, Candidate{Word: one})
			}
		}
		return k.finish(list)
	}
	at := k.position(rest, valued)
	if at >= len(positions) {
		if len(positions) == 0 || !positions[len(positions)-1].more {
			return Completion{}
		}
		at = len(positions) - 1
	}
	return k.finish(k.words(positions[at].word, rest))
}

// toolValue completes the value of an option that precedes the rest of a command's name, as in mlxconfig -d DEVICE q.
func (k *completer) toolValue(words []string) (got Completion, is bool) {
	if len(words) < 2 {
		return got, false
	}
	for _, c := range k.table.commands {
		if c.begins(words) != 1 {
			continue
		}
		_, valued, _ := holders(c.Describe().Arguments)
		for _, one := range valued {
			if strings.EqualFold(one.option, words[len(words)-1]) {
				k.command = c
				return k.finish(k.words(one.word, nil)), true
			}
		}
	}
	return got, false
}

func (k *completer) takesValue(flag string) bool {
	return slices.ContainsFunc(k.command.Flags, func(f Flag) bool { return "--"+f.Name == flag && f.Value != "" })
}

// valueOf completes the value of a flag; before is in front of it in the same word.
func (k *completer) valueOf(name string, rest []string, before string) Completion {
	var list []Candidate
	for _, flag := range k.command.Flags {
		if "--"+flag.Name == name {
			for _, one := range k.words(flag.Value, rest) {
				list = append(list, Candidate{before + one.Word, one.Help})
			}
		}
	}
	return k.finish(list)
}

func (k *completer) finish(list []Candidate) Completion {
	return Completion{Candidates: beginning(list, k.part), Files: k.files}
}

// position returns the place in the synopsis that comes next.
func (k *completer) position(rest []string, valued []holder) (at int) {
	for i := 0; i < len(rest); i++ {
		switch {
		case k.takesValue(rest[i]):
			i++
		case slices.ContainsFunc(valued, func(h holder) bool { return strings.EqualFold(h.option, rest[i]) }):
			at++
			i++
		case !options().MatchString(rest[i]):
			at++
		}
	}
	return at
}

// words returns the candidates for a word of a synopsis.
func (k *completer) words(holder string, rest []string) []Candidate {
	var list []Candidate
	if strings.Contains(holder, "=") {
		return nil // a setting with its value
	}
	for _, word := range strings.Split(holder, "|") {
		if word != strings.ToUpper(word) { // it represents itself
			list = append(list, Candidate{Word: word})
			continue
		}
		word, _, _ = strings.Cut(word, "/") // VM[/ADAPTER]
		if names, is := k.kinds()[word]; is {
			list = append(list, names(rest)...)
		}
	}
	return list
}

// kinds returns the words of synopses that represent something that has a name.
func (k *completer) kinds() map[string]func(rest []string) []Candidate {
	return map[string]func(rest []string) []Candidate{
		"NAME": k.adapters, "OTHER": k.adapters, "MEMBER": k.connections, "CARD": k.cards, "KEY": k.keys, "TEAM": k.teams, "VM": k.machines,
		"SWITCH": k.switches, "VLAN": k.vlans, "PROFILE": k.profiles, "SCENE": k.scenes, "SCOPE": scopeWords, "FAULT": faultWords, "TYPE": teamTypes,
		"DEVICE": k.devices, "POLICY": k.policies, "CLASS": k.classes, "COMMAND": func([]string) []Candidate { return k.table.nextWords(nil) },
		"FILE": func([]string) []Candidate { k.files = true; return nil },
	}
}

// openHost opens the host, once; false says that there is none.
func (k *completer) openHost() bool {
	if k.opened || k.open == nil {
		return k.view != nil
	}
	k.opened = true
	host, shelf, err := k.open(k.ctx)
	if err != nil || host == nil {
		return false
	}
	k.host, k.shelf = host, shelf
	return host.Look(k.ctx, func(h *driver.Host) error {
		k.view = h.View()
		return nil
	}) == nil
}

// makes reports whether the command makes what its name names, which has no name yet.
func (k *completer) makes() bool {
	name := strings.ToLower(k.command.Name)
	return strings.HasPrefix(name, "new-") || strings.HasSuffix(name, " create") || strings.HasSuffix(name, " create team")
}

func (k *completer) connections([]string) (list []Candidate) {
	if !k.openHost() {
		return nil
	}
	for _, a := range k.view.Adapters {
		for _, p := range a.Ports {
			list = append(list, Candidate{p.Description.Connection, a.Description.Name})
		}
	}
	return list
}

func (k *completer) cards([]string) (list []Candidate) {
	if !k.openHost() {
		return nil
	}
	for _, a := range k.view.Adapters {
		list = append(list, Candidate{a.Description.Name, "card"})
	}
	return list
}

// adapters returns the candidates for a NAME: connections, cards, and further names that the command accepts.
func (k *completer) adapters(rest []string) []Candidate {
	if strings.Contains(k.command.Name, "VMNetworkAdapter") || k.command.Name == "workload scale" {
		return nil // a name of another kind
	}
	list := k.connections(rest)
	switch family, _, _ := strings.Cut(k.command.Name, " "); family {
	case "vlan":
		list = append(list, k.teams(rest)...)
	case "adapter", "reg", "firmware", "limits", "events", "plan", "mlxtool", "mlx5cmd", "slot", "driver":
		list = append(list, k.cards(rest)...)
	}
	return list
}

func (k *completer) teams([]string) (list []Candidate) {
	if k.makes() || !k.openHost() {
		return nil
	}
	for _, t := range k.view.Teams {
		list = append(list, Candidate{t.Name, "team"})
	}
	return list
}

func (k *completer) machines([]string) (list []Candidate) {
	if k.makes() || !k.openHost() {
		return nil
	}
	for i := range k.view.VMs {
		list = append(list, Candidate{k.view.VMs[i].Name, "virtual machine, " + string(k.view.VMs[i].State)})
	}
	return list
}

func (k *completer) switches([]string) (list []Candidate) {
	if k.command.Name == "vswitch create" || k.command.Name == "New-VMSwitch" || !k.openHost() {
		return nil
	}
	for i := range k.view.Switches {
		list = append(list, Candidate{k.view.Switches[i].Name, "virtual switch"})
	}
	return list
}

func (k *completer) devices([]string) (list []Candidate) {
	if !k.openHost() {
		return nil
	}
	for _, a := range k.view.Adapters {
		list = append(list, Candidate{a.DeviceName, a.Description.Name})
	}
	return list
}

// vlans returns the VLANs of the team or connection that was named before.
func (k *completer) vlans(rest []string) (list []Candidate) {
	if strings.HasSuffix(k.command.Name, "add") || strings.HasSuffix(k.command.Name, "addvlan") || !k.openHost() {
		return nil
	}
	for _, row := range AllVLANs(k.view) {
		on := row.Team + row.Connection
		if len(rest) == 0 || slices.ContainsFunc(rest, func(word string) bool { return strings.EqualFold(word, on) }) {
			list = append(list, Candidate{row.Name, "VLAN of " + on})
		}
	}
	return list
}

func (k *completer) profiles([]string) (list []Candidate) {
	if k.command.Name == "reg profile save" || !k.openHost() || k.shelf == nil {
		return nil
	}
	profiles, err := k.shelf.Profiles(k.ctx)
	if err != nil {
		return nil
	}
	for _, p := range profiles {
		list = append(list, Candidate{p.Name, "profile"})
	}
	return list
}

func (k *completer) scenes([]string) (list []Candidate) {
	for _, scene := range scenes.All() {
		list = append(list, Candidate{scene.Name, scene.Title})
	}
	return list
}

func scopeWords([]string) (list []Candidate) {
	for _, s := range Scopes() {
		list = append(list, Candidate{string(s.Scope), s.Help})
	}
	return list
}

func teamTypes([]string) (list []Candidate) {
	for _, row := range mux.Types() {
		list = append(list, Candidate{row.Name, row.Title})
	}
	return list
}

func faultWords([]string) (list []Candidate) {
	for _, kind := range description.FaultKinds() {
		list = append(list, Candidate{Word: FaultWord(kind)})
	}
	return list
}

// keys returns the keys of the adapter that was named before, without one of all drivers.
func (k *completer) keys(rest []string) (list []Candidate) {
	seen := map[string]bool{}
	add := func(row *registry.Row) {
		if !seen[row.Name] {
			seen[row.Name] = true
			list = append(list, Candidate{row.Name, row.Summary})
		}
	}
	if k.openHost() {
		for _, name := range rest {
			adapter, _, err := FindAdapter(k.view, name)
			if err != nil {
				continue
			}
			rows := registry.Keys(k.view.Adapters[adapter].Description.Family).Rows
			for i := range rows {
				add(&rows[i])
			}
			return list
		}
	}
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := registry.Keys(family).Rows
		for i := range rows {
			add(&rows[i])
		}
	}
	return list
}

// CompleteLine completes a line that is typed after the colon: the line with as much of its last word as is certain, and
// what could be there when there are several.
func (t *Table) CompleteLine(ctx context.Context, line string, open func(context.Context) (Host, Shelf, error)) (completed string, offered []string) {
	head, words, part := t.lastWord(line)
	found := t.Complete(ctx, words, part, open).Candidates
	if len(found) == 0 {
		return line, nil
	}
	if len(found) == 1 {
		return head + Quote(found[0].Word) + " ", nil
	}
	common := found[0].Word
	for _, one := range found {
		offered = append(offered, one.Word)
		for !strings.HasPrefix(one.Word, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	switch {
	case len(common) <= len(part):
		return line, offered
	case Quote(common) == common:
		return head + common, offered
	case strings.Contains(common, "'"):
		return head + `"` + common, offered
	}
	return head + "'" + common, offered
}

// lastWord takes a line apart: what precedes its last word, the words there, and the last word without its quotes,
// which may be open.
func (t *Table) lastWord(line string) (head string, words []string, part string) {
	start, quote := 0, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && c == '\\' && i+1 < len(line) && line[i+1] == '"':
			i++
		case quote != 0:
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t':
			start = i + 1
		}
	}
	head, part = line[:start], line[start:]
	if quote != 0 {
		part += string(quote)
	}
	if one, err := t.Split(part); err == nil && len(one) == 1 {
		part = one[0]
	}
	words, _ = t.Split(head) // an unreadable line has no completion
	return head, words, part
}
