package form

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/ui/widget/wizard"
)

// sample is a guide with a form of every kind of answer.
var sample = &guide.Guide{
	Pages: []guide.Page{{ID: "ask"}, {ID: ReviewPage}},
	Fields: []guide.Field{
		{Name: "name", Kind: guide.Text, Label: "Name", FormPart: guide.FormPart{Page: "ask"}},
		{Name: "on", Kind: guide.YesNo, Label: "On", Default: "yes", FormPart: guide.FormPart{Page: "ask"}},
		{Name: "members", Kind: guide.Many, Label: "Members", Optional: true, FormPart: guide.FormPart{Page: "ask"}},
		{Name: "vlan-id", Kind: guide.Number, Label: "VLAN ID", Low: 1, High: 4094, FormPart: guide.FormPart{Page: "ask", Key: "vlan_id"}},
		{Name: "vlan-name", Kind: guide.Text, Label: "VLAN name", Optional: true, FormPart: guide.FormPart{Page: "ask"}},
		{Name: "vlans", Kind: guide.Rows, Label: "VLANs", Optional: true, FormPart: guide.FormPart{Page: "ask", Columns: []string{"vlan-id", "vlan-name"}}},
	},
	Steps: []guide.Step{{Title: "t", Kind: guide.Plan, Form: "sample"}},
}

// offering offers two members.
var offering = Form{
	Field: func(f *wizard.Field, _ wizard.Values) bool {
		if f.ID == "members" {
			f.Choices = []wizard.Choice{{ID: "a,b/c", Label: "a"}, {ID: `d\`, Label: "d"}}
		}
		return true
	},
	Plan: func(values wizard.Values) driver.Plan { return driver.Plan{Title: values.Text("name")} },
}

// TestAnswersAreText: values become text and the same values again, whatever characters their items have.
func TestAnswersAreText(t *testing.T) {
	t.Parallel()
	values := wizard.Values{
		"name": {Text: "x"}, "on": {On: true}, "members": {IDs: []string{"a,b/c", `d\`}},
		"vlans": {Rows: []wizard.Values{{"vlan_id": {Text: "10"}, "vlan-name": {Text: `a/b,c\d`}}, {"vlan_id": {Text: "20"}, "vlan-name": {}}}},
	}
	answers := Answers(sample, values)
	again, err := Values(sample, answers)
	if err != nil || !reflect.DeepEqual(again, values) {
		t.Errorf("%v became %v: %v", answers, again, err)
	}
	if _, err := Values(sample, guide.Answers{"vlans": "1/a/b"}); err == nil {
		t.Error("a row with too many parts is accepted")
	}
}

// TestFill: defaults and what is wrong with answers come from the form, as on a screen.
func TestFill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answers guide.Answers
		want    string
	}{
		{guide.Answers{"name": "x", "vlans": "10/v10"}, ""},
		{guide.Answers{}, "Name is required"},
		{guide.Answers{"name": "x", "members": "e"}, "Members: e"},
		{guide.Answers{"name": "x", "vlans": "5000"}, "4094"},
	} {
		filled, err := Fill(sample, offering, c.answers)
		if err != nil {
			t.Fatal(err)
		}
		switch made, err := filled.Plan(nil); {
		case c.want == "" && (err != nil || made.Plan.Title != "x" || !filled.Values.On("on")):
			t.Errorf("%v: %v, %v", c.answers, made, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v: %v, want %s", c.answers, err, c.want)
		}
	}
}

// FuzzSplit holds that each list can be read again.
func FuzzSplit(f *testing.F) {
	f.Add("a,b", `c\`)
	f.Fuzz(func(t *testing.T, a, b string) {
		list := []string{strings.TrimSpace(a), strings.TrimSpace(b)}
		if utf8.ValidString(a) && utf8.ValidString(b) {
			if got := split(join(list, ','), ','); !reflect.DeepEqual(got, list) && strings.TrimSpace(join(list, ',')) != "" {
				t.Errorf("%q became %q", list, got)
			}
		}
	})
}
