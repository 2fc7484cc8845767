package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// hostileTexts are names that no operator would give a thing: missing, at and beyond every limit, not text at all, and
// text that does not look as it is.
func hostileTexts() []string {
	return []string{
		"", " ", strings.Repeat("n", request.MaxName), strings.Repeat("n", request.MaxTarget), strings.Repeat("n", request.MaxTarget+1),
		strings.Repeat("ü", 150), strings.Repeat("x", 100_000), "bad \xff bytes\xc3", "nul\x00, \x1b[31mred\nline", "right \u202eto left\u2069\u2028",
		`\ufffd`, "\ufeff\ufffd</script>&", "i_ok",
	}
}

// crowdedHost has one of everything that the Operations of everyOperation name.
func crowdedHost(t testing.TB) *Host {
	t.Helper()
	h := newHost(t, 1)
	for _, o := range []Operation{
		teams.Create{Name: "T", Type: "SFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: "Ethernet 8", Primary: true, SetMAC: false},
		teams.AddVLAN{Team: "T", Name: "V", ID: 3, Priority: 4}, teams.AddVLAN{Connection: "Ethernet 3", Name: "V", ID: 4},
		virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: "S", Connection: "Ethernet 9"}},
		virtualization.CreateVM{VM: virtualization.VMRecord{Name: "V", State: virtualization.VMOff, GuestDriver: "24.4", Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter("A", "S")}}},
	} {
		if _, err := h.Apply(Plan{Title: o.Describe(), Operations: []Operation{o}}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// texts are all places for text in a value that can be set, each as a function that sets it.
func texts(v reflect.Value) (list []func(string)) {
	if v.Type() == reflect.TypeFor[registry.Value]() {
		return []func(string){func(s string) { v.Set(reflect.ValueOf(registry.TextValue(s))) }}
	}
	switch v.Kind() { //nolint:exhaustive // others hold no text
	case reflect.String:
		return []func(string){v.SetString}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return texts(v.Elem())
		}
		if v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.String {
			return []func(string){func(s string) { v.Set(reflect.ValueOf(&s).Convert(v.Type())) }}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				list = append(list, texts(v.Field(i))...)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			list = append(list, texts(v.Index(i))...)
		}
	}
	return list
}

// variants are copies of an Operation that have a text in each of its places in turn.
func variants(t testing.TB, o Operation, text string) (list []Operation) {
	for place := 0; ; place++ {
		data, err := journal.MarshalOperation(o)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := journal.UnmarshalOperation(data) // which shares nothing with o
		if err != nil {
			t.Fatal(err)
		}
		copied := reflect.New(reflect.TypeOf(o)).Elem()
		copied.Set(reflect.ValueOf(fresh))
		places := texts(copied)
		if place >= len(places) {
			return list
		}
		places[place](text)
		list = append(list, copied.Interface().(Operation))
	}
}

// sameAfterSave returns how a host differs from what its saved form gives, and what can't be read; nil when all is equal.
func sameAfterSave(d *description.Description, h *Host) error {
	saved, err := h.Save()
	if err != nil {
		return err
	}
	back, err := RestoreHost(d, saved)
	if err != nil {
		return err
	}
	again, err := back.Save()
	if err != nil {
		return err
	}
	if !bytes.Equal(saved, again) {
		return fmt.Errorf("it is saved in another way afterwards")
	}
	if journal.HasInvalidText(saved) {
		return fmt.Errorf("it has text that was changed when it was saved")
	}
	if len(back.journal) != len(h.journal) {
		return fmt.Errorf("%d entries became %d", len(h.journal), len(back.journal))
	}
	for i := range back.journal {
		if e := &back.journal[i]; e.Unread != "" {
			return fmt.Errorf("change %d can't be read: %s", e.Sequence, e.Unread)
		}
	}
	return nil
}

// TestAppliedPlanCanBeReadBack puts hostile text in every place of every kind of Operation, and applies it alone and
// after one that is rolled back with it.
func TestAppliedPlanCanBeReadBack(t *testing.T) {
	t.Parallel()
	crowded := crowdedHost(t)
	d := crowded.lab.Description() // an upgrade changes the versions in the one of its host
	applied, journalled, refused := 0, 0, 0
	for _, o := range everyOperation() {
		h := crowded.Clone()
		var tried []Operation
		for _, text := range hostileTexts() {
			for _, bad := range variants(t, o, text) {
				tried = append(tried, bad)
				entry, err := h.Apply(Plan{Title: text, Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014"), bad}})
				switch {
				case err == nil:
					applied++
					_, _ = h.Undo() // what can't be undone stays
				case entry.Sequence > 0:
					journalled++
				default:
					refused++
				}
				if err != nil && len(err.Error()) > 3000 {
					t.Errorf("%s with %.20q: the refusal has %d bytes", o.Kind(), text, len(err.Error()))
				}
			}
		}
		if err := sameAfterSave(d, h); err == nil {
			continue
		}
		for _, bad := range tried { // which one is it?
			h := crowded.Clone()
			_, refusal := h.Apply(Plan{Title: "x", Operations: []Operation{bad}})
			if err := sameAfterSave(d, h); err != nil {
				text, _ := json.Marshal(bad)
				t.Errorf("%s %.300s (%.200v): %v", o.Kind(), text, refusal, err)
				break
			}
		}
		t.Errorf("after %s with hostile text the host can't be read back: %v", o.Kind(), sameAfterSave(d, h))
	}
	t.Logf("%d applied, %d refused with an entry, %d without", applied, journalled, refused)
	if applied < 100 || journalled < 100 || refused < 100 {
		t.Errorf("%d were applied, %d refused with an entry, and %d without: the test tries too little", applied, journalled, refused)
	}
}

// TestRefusalNamesThePurposeOfTheName holds that a plan that can't be written down is refused with the reason of the host
// where it has one.
func TestRefusalNamesThePurposeOfTheName(t *testing.T) {
	t.Parallel()
	h := crowdedHost(t)
	entries := len(h.journal)
	for _, c := range []struct {
		o    Operation
		want string
	}{
		{virtualization.CreateVM{VM: virtualization.VMRecord{}}, "a virtual machine requires a name"},
		{teams.Create{Type: "SFT"}, "a team requires a name"},
		{virtualization.CreateVM{VM: virtualization.VMRecord{Name: strings.Repeat("x", 300), State: virtualization.VMOff}}, "at most 128 bytes, and this one has 300"},
		{virtualization.CreateVM{VM: virtualization.VMRecord{Name: "a\xff", State: virtualization.VMOff}}, "must be valid UTF-8"},
		{hardware.PullCable{Connection: ""}, "there is no adapter"},
		{virtualization.Quarantine{VM: "V", Adapter: "A", Reason: "\xff"}, "is not valid UTF-8"},
	} {
		entry, err := h.Apply(Plan{Title: "x", Operations: []Operation{c.o}})
		if err == nil || !strings.Contains(err.Error(), c.want) || entry.Sequence != 0 {
			t.Errorf("%.80v: change %d, %v", c.o, entry.Sequence, err)
		}
	}
	if len(h.journal) != entries {
		t.Errorf("%d entries came into the journal", len(h.journal)-entries)
	}
}

// TestSentenceWithoutAName leaves each name of every kind of Operation empty, and reads what is said of it.
func TestSentenceWithoutAName(t *testing.T) {
	t.Parallel()
	h := crowdedHost(t)
	hole := regexp.MustCompile(`  |\s$|\s[:;,.]|\(\)`)
	for _, o := range everyOperation() {
		for _, bad := range variants(t, o, "") {
			_, err := h.Clone().Apply(Plan{Title: "x", Operations: []Operation{bad}})
			if err != nil && hole.MatchString(err.Error()) {
				t.Errorf("%s: %q", o.Kind(), err)
			}
		}
	}
}
