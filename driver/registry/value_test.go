package registry

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"cxdeck/device"
)

func row(t testing.TB, name string) *Row {
	t.Helper()
	r, ok := Keys(device.WinOF).Find(name, Miniport, BusDriver)
	if !ok {
		t.Fatalf("no key %s", name)
	}
	return r
}

func TestParse(t *testing.T) {
	t.Parallel()
	number, text := row(t, "*JumboPacket"), row(t, "DumpMeNowDirectory")
	for typed, want := range map[string]Value{
		"9014": NumberValue(9014), "0x2336": NumberValue(9014), "7\t": NumberValue(7), "0": NumberValue(0),
		"4294967295": NumberValue(Automatic), "-1": NumberValue(Automatic),
	} {
		if v, err := number.Parse(typed); err != nil || v != want {
			t.Errorf("%q is %v, %v", typed, v, err)
		}
	}
	for _, typed := range []string{"", "abc", "1.5", "4294967296", "-2147483649", "1e3", "9014 bytes", "٣"} {
		if v, err := number.Parse(typed); err == nil || !strings.Contains(err.Error(), "*JumboPacket takes a whole number") {
			t.Errorf("%q is %v, %v", typed, v, err)
		}
	}
	if v, err := text.Parse(`\??\C:\dumps; Remove-Item *`); err != nil || v.String() != `\??\C:\dumps; Remove-Item *` {
		t.Errorf("a text is %v, %v", v, err)
	}
	for _, typed := range []string{"a\nb", "a\x00", "\xff", strings.Repeat("x", longestText+1), "a\u2028b"} {
		if _, err := text.Parse(typed); err == nil {
			t.Errorf("%q was taken", typed[:min(len(typed), 10)])
		}
	}
}

func TestHiveKeepsValuesApart(t *testing.T) {
	t.Parallel()
	var h Hive
	at, other := Place{Miniport, 1}, Place{Miniport, 2}
	h.Set(at, "*RSS", NumberValue(0))
	copied := h.Clone()
	copied.Set(at, "rss", NumberValue(1))
	copied.Delete(other, "*RSS")
	if h.Get(at, "RSS") != NumberValue(0) || h.Get(other, "RSS").Exists() || copied.Get(at, "*RSS") != NumberValue(1) {
		t.Error("the values of two places, or of a hive and its copy, are mixed up")
	}
	copied.Delete(at, "*rss")
	if len(copied.All()) != 0 || len(h.All()) != 1 {
		t.Error("a deleted value is still there")
	}
}

func FuzzLoad(f *testing.F) {
	var h Hive
	h.Set(Place{Miniport, 0}, "*RSS", NumberValue(1))
	h.Set(Place{System, 0}, "X", TextValue("y"))
	data, _ := json.Marshal(h.All())
	f.Add(data)
	f.Add([]byte(`[{"value":null}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var values []Stored
		if json.Unmarshal(data, &values) != nil {
			return
		}
		h, err := Load(values)
		if err != nil {
			return
		}
		again, err := Load(h.All())
		if err != nil || !reflect.DeepEqual(h.All(), again.All()) {
			t.Fatalf("%v became %v, %v", h.All(), again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("9014")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, typed string) {
		for _, name := range []string{"*JumboPacket", "DumpMeNowDirectory"} {
			r := row(t, name)
			if v, err := r.Parse(typed); err == nil {
				if again, err := r.Parse(v.String()); err != nil || again != v {
					t.Fatalf("%q is %v, and %q is %v, %v", typed, v, v.String(), again, err)
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Read(Keys(device.WinOF2), facts(device.Ethernet), func(r *Row) Value { return r.Ethernet })
	}
}
