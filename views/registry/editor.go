package registry

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/registry/keyset"
)

// editor is the dialog that edits one key, on one or several adapters. It puts the value in the screen's draft.
type editor struct {
	view  *View
	entry *keyset.Entry
	input *widget.Input
	// past holds the earlier texts, for undo.
	past []string
	// peers are the entries of the key on other adapters; marked ones get the value, too.
	peers  []*keyset.Entry
	marked []bool
	peer   widget.List
	// inPeers is set while the list of peers has the focus.
	inPeers bool
	bit     int // of a mask: the index of the bit that Space toggles

	value   registry.Value
	verdict registry.Verdict
	problem string
	// asked is set after Enter on an invalid value; another Enter accepts it.
	asked bool
}

// maxUndo is the maximum number of texts for undo.
const maxUndo = 200

func newEditor(v *View, e *keyset.Entry) *editor {
	d := &editor{view: v, entry: e}
	current := v.stored(e)
	initial := current.String()
	if current.Type() == registry.Number {
		initial = d.write(current.Number())
	}
	d.input = widget.NewInput(initial, "no value", 0)
	d.input.ID = "registry.value"
	for i := range v.snapshot.Entries {
		if other := &v.snapshot.Entries[i]; other.Row == e.Row && other.ID != e.ID {
			d.peers = append(d.peers, other)
		}
	}
	d.marked = make([]bool, len(d.peers))
	d.peer.SetLength(len(d.peers))
	d.check()
	return d
}

// write formats a number in the key's usual base.
func (d *editor) write(n uint32) string {
	if d.entry.Row.Hex || d.entry.Row.Form == registry.Mask {
		return fmt.Sprintf("0x%X", n)
	}
	if n == registry.Automatic {
		return "-1"
	}
	return strconv.FormatUint(uint64(n), 10)
}

func (d *editor) Title() string { return d.entry.Row.Name + " of " + d.entry.Owner }

// Typing reports that plain keys are text.
func (d *editor) Typing() bool { return !d.inPeers }

func (d *editor) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return d.key(msg)
	case ui.PasteMsg:
		d.change(func() { d.input.Paste(msg.Text) })
	case ui.HitMsg:
		d.hit(msg)
	}
	return false, nil
}

func (d *editor) key(key ui.KeyMsg) (bool, ui.Cmd) {
	switch key.Name {
	case "enter":
		return d.accept()
	case "tab", "shift+tab":
		d.inPeers = !d.inPeers && len(d.peers) > 0
		return false, nil
	case "alt+u", "ctrl+_":
		d.undo()
		return false, nil
	}
	d.asked = false
	if d.inPeers {
		d.peersKey(key.Name)
		return false, nil
	}
	switch key.Name {
	case "up", "down", "pgup", "pgdown":
		d.step(map[string]int{"up": 1, "down": -1, "pgup": 10, "pgdown": -10}[key.Name])
	case "alt+x":
		d.nextBase()
	case " ":
		if len(d.entry.Row.Bits) > 0 {
			d.toggleBit()
			return false, nil
		}
		d.change(func() { d.input.Key(key.Name, key.Runes) })
	default:
		d.change(func() { d.input.Key(key.Name, key.Runes) })
	}
	return false, nil
}

// change changes the text, checks it, and keeps the old text for undo.
func (d *editor) change(by func()) {
	before := d.input.Value()
	by()
	if d.input.Value() == before {
		return
	}
	d.asked = false
	if d.past = append(d.past, before); len(d.past) > maxUndo {
		d.past = slices.Delete(d.past, 0, 1)
	}
	d.check()
}

// undo restores the previous text.
func (d *editor) undo() {
	if last := len(d.past) - 1; last >= 0 {
		d.input.SetValue(d.past[last])
		d.input.Key("end", nil) // typing continues at the end
		d.past = d.past[:last]
		d.asked = false
		d.check()
	}
}

// check parses the text and gets the verdict on its value, given the other stored values and the draft.
func (d *editor) check() {
	d.problem = ""
	typed := d.input.Value()
	if typed == "" && d.entry.Row.Type == registry.Number {
		d.problem = "type a value; delete removes it from the registry"
		d.verdict = registry.Verdict{}
		return
	}
	value, verdict, err := d.view.check(d.entry, typed)
	d.value, d.verdict = value, verdict
	if err != nil {
		d.problem = err.Error()
	}
}

// number returns the number of the text; ok is false for another text.
func (d *editor) number() (n int64, ok bool) {
	value, err := d.entry.Row.ParseIn(d.input.Value(), d.entry.Min, d.entry.Max)
	if err != nil {
		return 0, false
	}
	if v := asNumber(value); v.Type() == registry.Number {
		return int64(v.Number()), true
	}
	return 0, false
}

// step selects the next or previous value of a list or bit of a mask, or changes a number by its stride.
func (d *editor) step(by int) {
	r := d.entry.Row
	n, ok := d.number()
	switch list := keyset.Choices(r); {
	case len(r.Bits) > 0:
		d.bit = (d.bit - sign(by) + len(r.Bits)) % len(r.Bits)
	case r.Form == registry.Toggle || r.Form == registry.List:
		if len(list) == 0 {
			return
		}
		at := slices.IndexFunc(list, func(c registry.Choice) bool { return ok && int64(c.Value) == n })
		at = min(max(at-sign(by), 0), len(list)-1)
		d.change(func() { d.input.SetValue(d.write(list[at].Value)) })
	case r.Form == registry.Count:
		d.change(func() { d.input.SetValue(d.rewrite(d.stepped(n, int64(by)))) })
	}
}

// stepped returns a number changed by steps of the key's stride, within its range.
func (d *editor) stepped(n, by int64) int64 {
	r := d.entry.Row
	if r.PowerOfTwo && by != 0 {
		if by > 0 {
			n = max(n, 1) * 2
		} else {
			n /= 2
		}
	} else {
		n += by * int64(r.Stride)
	}
	low, high := d.view.forecastValues(d.entry.Port).Bounds(r)
	if high != nil {
		n = min(n, int64(*high))
	}
	if low != nil {
		n = max(n, int64(*low))
	}
	return min(max(n, 0), 1<<32-1)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// bases are the bases of numbers, with their prefixes.
var bases = []struct {
	prefix string
	base   int
}{{"", 10}, {"0x", 16}, {"0b", 2}}

// baseIndex returns the index in bases of the base of a text.
func baseIndex(text string) int {
	for i := len(bases) - 1; i > 0; i-- {
		if strings.HasPrefix(strings.ToLower(text), bases[i].prefix) {
			return i
		}
	}
	return 0
}

// rewrite formats a number in the base of the current text.
func (d *editor) rewrite(n int64) string {
	b := bases[baseIndex(d.input.Value())]
	return b.prefix + strings.ToUpper(big.NewInt(n).Text(b.base))
}

// nextBase changes the base of the number: decimal, hexadecimal, binary.
func (d *editor) nextBase() {
	if n, ok := d.number(); ok && d.entry.Row.Form != registry.MAC {
		b := bases[(baseIndex(d.input.Value())+1)%len(bases)]
		d.change(func() { d.input.SetValue(b.prefix + strings.ToUpper(strconv.FormatInt(n, b.base))) })
	}
}

// toggleBit toggles the selected bit of a mask.
func (d *editor) toggleBit() {
	n, _ := d.number()
	d.change(func() { d.input.SetValue(d.rewrite(n ^ int64(d.entry.Row.Bits[d.bit].Value))) })
}

// peersKey handles a key in the list of the other adapters.
func (d *editor) peersKey(name string) {
	if _, known := ui.Perform(d.Actions(), name, false); !known {
		d.peer.Key(name)
	}
}

// Actions implements ui.Keyed: the actions of the list of the other adapters.
func (d *editor) Actions() []ui.Action {
	return []ui.Action{
		{ID: "editor.mark", Keys: []string{" "}, Name: "mark", Help: "Also edit the key of the adapter under the cursor", Run: func() ui.Cmd {
			if at := d.peer.Cursor(); at >= 0 {
				d.marked[at] = !d.marked[at]
			}
			return nil
		}},
		{ID: "editor.all", Keys: []string{"A", "ctrl+a"}, Name: "all", Help: "Mark all adapters, or none", Run: func() ui.Cmd {
			all := slices.Contains(d.marked, false)
			for i := range d.marked {
				d.marked[i] = all
			}
			return nil
		}},
	}
}

func (d *editor) hit(msg ui.HitMsg) {
	switch {
	case msg.ID == "registry.peer" && msg.Button == ui.Press:
		d.inPeers = true
		d.peer.Select(msg.Index)
		d.peersKey(" ")
	case msg.ID == "registry.choice" && msg.Button == ui.Press:
		d.inPeers = false
		if len(d.entry.Row.Bits) > 0 {
			d.bit = msg.Index
			d.toggleBit()
			return
		}
		d.change(func() { d.input.SetValue(d.write(keyset.Choices(d.entry.Row)[msg.Index].Value)) })
	case msg.ID == "registry.value" && msg.Button == ui.Press:
		d.inPeers = false
		d.input.ClickAt(msg.X)
	}
}

// accept puts the value in the draft. For an invalid value it asks first: a real registry accepts it.
func (d *editor) accept() (bool, ui.Cmd) {
	if d.problem != "" {
		return false, nil
	}
	if d.verdict.Grade == registry.Invalid && !d.asked {
		d.asked = true
		return false, nil
	}
	v := d.view
	v.draft.Set(d.entry, d.value)
	for i, other := range d.peers {
		if d.marked[i] {
			v.draft.Set(other, d.value)
		}
	}
	v.draftChanged()
	return true, v.keepDraft()
}

func (d *editor) Hints() []ui.Hint {
	hints := []ui.Hint{{Key: "enter", Name: "put in the draft"}}
	r := d.entry.Row
	switch {
	case d.inPeers:
		return append(append(hints, ui.Hints(d.Actions())...), ui.Hint{Key: "tab", Name: "value"}, ui.Hint{Key: "esc", Name: "cancel"})
	case len(r.Bits) > 0:
		hints = append(hints, ui.Hint{Key: "up", Name: "bit"}, ui.Hint{Key: "space", Name: "turn"})
	case r.Form == registry.Count || r.Form == registry.List || r.Form == registry.Toggle:
		hints = append(hints, ui.Hint{Key: "up", Name: "step"})
	}
	if r.Type == registry.Number {
		hints = append(hints, ui.Hint{Key: "alt+x", Name: "hex"})
	}
	hints = append(hints, ui.Hint{Key: "alt+u", Name: "undo"})
	if len(d.peers) > 0 {
		hints = append(hints, ui.Hint{Key: "tab", Name: "adapters"})
	}
	return append(hints, ui.Hint{Key: "esc", Name: "cancel"})
}

// check parses a typed value, and returns the worst verdict of the ports that read the key.
func (v *View) check(e *keyset.Entry, typed string) (value registry.Value, worst registry.Verdict, err error) {
	for i, r := range e.AllReaders() {
		checked, verdict, err := v.forecastValues(r.Port).Check(r.Row, typed)
		if err != nil {
			return registry.Value{}, registry.Verdict{}, err
		}
		if i == 0 || verdict.Grade > worst.Grade {
			value, worst = checked, verdict
		}
	}
	return value, worst, nil
}

// reasons lists the reasons against the value of a key, with the names of the ports unless all ports agree.
func (v *View) reasons(e *keyset.Entry) (list []registry.Reason) {
	if e.IsUnknown() {
		return nil
	}
	readers := e.AllReaders()
	by := map[string][]string{}
	for _, r := range readers {
		for _, reason := range v.forecastValues(r.Port).Verdict(r.Row).Reasons {
			if by[reason.Why] == nil {
				list = append(list, reason)
			}
			by[reason.Why] = append(by[reason.Why], v.snapshot.Ports[r.Port].Connection)
		}
	}
	for i := range list {
		if who := by[list[i].Why]; len(who) < len(readers) {
			list[i].Why = strings.Join(who, ", ") + ": " + list[i].Why
		}
	}
	return list
}
