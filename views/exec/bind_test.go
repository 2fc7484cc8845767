package exec

import (
	"strings"
	"testing"
)

// TestBound binds arguments and flags to fields of every type that needs no host, and checks the errors of invalid values.
func TestBound(t *testing.T) {
	t.Parallel()
	type fields struct {
		Fault  Fault
		Number int      `is:"id of a VLAN"`
		Words  []string // all remaining arguments
		Last   Count    `flag:"last" is:"--last" default:"7"`
		After  uint64   `flag:"after" is:"--after"`
		On     *bool    `flag:"on" is:"--on"`
		Yes    bool     `flag:"yes"`
		ID     *int     `flag:"id" is:"id"`
		Memory Memory   `flag:"memory"`
	}
	bind := func(flags map[string]string, words ...string) (got fields, err error) {
		_, err = Bound(func(_ *Call, in *fields) (Answer, error) {
			got = *in
			return Answer{}, nil
		})(&Call{Arguments: words, Flags: flags})
		return got, err
	}
	got, err := bind(nil)
	if err != nil || got.Last != 7 || got.On != nil || got.Yes || got.ID != nil || got.Words != nil {
		t.Errorf("an empty line is bound to %+v, %v", got, err)
	}
	got, err = bind(map[string]string{"last": "0", "after": "3", "on": "off", "yes": "true", "id": "4", "memory": "2GB"}, "bad-cable", "5", "a", "b")
	if err != nil || got.Fault.Word() != "bad-cable" || got.Number != 5 || strings.Join(got.Words, "") != "ab" || got.Last != 0 || got.After != 3 ||
		*got.On || !got.Yes || *got.ID != 4 || got.Memory != 2048 {
		t.Errorf("a full line is bound to %+v, %v", got, err)
	}
	for want, c := range map[string]struct {
		flag, value string
		words       []string
	}{
		`"bad"`:        {words: []string{"bad"}},
		"id of a VLAN": {words: []string{"bad-cable", "x"}},
		`--last must be an integer from 0 to 10000, not "-1"`: {flag: "last", value: "-1"},
		`--after must be an integer from 0 to`:                {flag: "after", value: "-1"},
		`--on must be on or off, not "x"`:                     {flag: "on", value: "x"},
		`"1.5"`:                                               {flag: "id", value: "1.5"},
		"memory":                                              {flag: "memory", value: "x"},
	} {
		if _, err := bind(map[string]string{c.flag: c.value}, c.words...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}
