package opensm

import (
	"strings"
	"testing"

	"cxdeck/device/description"
)

const conf = `# the partitions of a site
Default=0x7fff, ipoib : ALL=limited, SELF=full ;
Storage=0x8010, defmember=full : 0x2c90300b10011,
	0x2c90300b10021=limited ; Jobs=0x0123 : ALL_CAS ;
`

func TestPartitionsAreRead(t *testing.T) {
	t.Parallel()
	got, err := ReadPartitions(strings.NewReader(conf))
	if err != nil || len(got) != 3 {
		t.Fatalf("%v, %v", got, err)
	}
	storage := got[1]
	if storage.Key != 0x10 || len(storage.Members) != 2 || !storage.Members[0].Full || storage.Members[1].Full || !got[0].IPoIB || got[2].Members[0].Class != Adapters {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{
		"A=1 : ALL":            "semicolon",
		"A : ALL ;":            "a name and a PKey",
		"A=0x8000 : ALL ;":     "a name and a PKey",
		"A=1, fast : ALL ;":    "unknown flag",
		"A=1 : 0x1=most ;":     "full or limited",
		"A=1 : someone ;":      "no port GUID",
		"\n\nB=2 : ALL=all ; ": "line 3",
	} {
		if _, err := ReadPartitions(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMembership: the tables of ports follow the file; the default partition stands first.
func TestMembership(t *testing.T) {
	t.Parallel()
	s, m := managed(t)
	f := s.Fabric
	guid := f.At(m[1].Place).GUID
	m[0].Partitions = []Partition{
		{Name: "Storage", Key: 0x10, Members: []Member{{GUID: guid, Full: true}, {Class: Switches}}},
		{Name: "Jobs", Key: 0x5, Members: []Member{{GUID: guid}}},
	}
	m[0].Sweep(f)
	for _, c := range []struct {
		name string
		got  []description.PKey
		want []description.PKey
	}{
		{"the member", f.At(m[1].Place).PKeys, []description.PKey{0x7fff, 0x0005, 0x8010}},
		{"the manager", f.At(m[0].Place).PKeys, []description.PKey{0xffff}},
		{"a switch", f.At(m[2].Place).PKeys, []description.PKey{0x7fff, 0x0010}},
	} {
		if len(c.got) != len(c.want) {
			t.Errorf("%s has %v, expected %v", c.name, c.got, c.want)
			continue
		}
		for i := range c.want {
			if c.got[i] != c.want[i] {
				t.Errorf("%s has %v, expected %v", c.name, c.got, c.want)
			}
		}
	}
}

func FuzzReadPartitions(f *testing.F) {
	f.Add(conf)
	f.Add("A=1:;")
	f.Add("A=0x1,ipoib,defmember=limited:ALL=full,SELF;;")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ReadPartitions(strings.NewReader(text))
		if err != nil && got != nil {
			t.Error("a wrong file gives partitions")
		}
		for _, p := range got {
			if p.Key&0x7fff == 0 || p.Key > 0x7fff {
				t.Errorf("the key %04x", uint16(p.Key))
			}
		}
	})
}
