package registry

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"cxdeck/device/description"
)

func row(t testing.TB, name string) *Row {
	t.Helper()
	r, ok := Keys(description.WinOF).Find(name, Miniport, BusDriver)
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
		if v, err := number.Parse(typed); err == nil || !strings.Contains(err.Error(), "*JumboPacket must be an integer") {
			t.Errorf("%q is %v, %v", typed, v, err)
		}
	}
	if v, err := text.Parse(`\??\C:\dumps; Remove-Item *`); err != nil || v.String() != `\??\C:\dumps; Remove-Item *` {
		t.Errorf("a text is %v, %v", v, err)
	}
	for _, typed := range []string{"a\nb", "a\x00", "\xff", strings.Repeat("x", maxTextSize+1), "a\u2028b"} {
		if _, err := text.Parse(typed); err == nil {
			t.Errorf("%q was taken", typed[:min(len(typed), 10)])
		}
	}
}

func TestHiveKeepsValuesApart(t *testing.T) {
	t.Parallel()
	var h Hive
	at, other := Place{Scope: Miniport, Index: 1}, Place{Scope: Miniport, Index: 2}
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
	h.Set(Place{Scope: Miniport}, "*RSS", NumberValue(1))
	h.Set(Place{Scope: System}, "X", TextValue("y"))
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
		Read(Keys(description.WinOF2), facts(description.Ethernet), func(r *Row) Value { return r.Ethernet })
	}
}

func TestDataOfAnyType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number uint32
		data   string
		kind   Type
		shown  string
	}{
		{4, "\x2a\x00\x00\x00", Number, "42"}, {4, "\x2a", "REG_TYPE_0x4", "hex(4):2a"},
		{1, "a\x00\x00\x00", Text, "a"}, {1, "a\x00", "REG_TYPE_0x1", "hex(1):61 00"}, {1, "\x00\xd8\x00\x00", "REG_TYPE_0x1", "hex(1):00 d8 00 00"},
		{1, "a\x00\x00\x00b\x00\x00\x00", "REG_TYPE_0x1", "hex(1):61 00 00 00 62 00 00 00"},
		{3, "\x01\x02", Binary, "hex(3):01 02"}, {0, "", Nothing, "hex(0):"}, {7, "\x00\x00", MultiText, "hex(7):00 00"},
		{11, "12345678", LongNumber, "hex(b):31 32 33 34 35 36 37 38"}, {0xffff0012, "x", "REG_TYPE_0xffff0012", "hex(ffff0012):78"},
	} {
		v := DataValue(c.number, []byte(c.data))
		number, ok := v.Type().Windows()
		if v.Type() != c.kind || v.String() != c.shown || !ok || number != c.number || string(v.Data()) != c.data || !v.Exists() {
			t.Errorf("type %d of % x is %s %q, data % x", c.number, c.data, v.Type(), v, v.Data())
		}
		text, err := json.Marshal(v)
		var again Value
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if err != nil || again != v {
			t.Errorf("%s became %v, %v", text, again, err)
		}
	}
	var v Value
	for _, text := range []string{`{"type":"REG_X","data":""}`, `{"type":"REG_TYPE_0x04"}`, `[1]`, `1.5`} {
		if err := json.Unmarshal([]byte(text), &v); err == nil {
			t.Errorf("%s was taken as %v", text, v)
		}
	}
}

func TestHiveKeepsWhatIsElsewhere(t *testing.T) {
	t.Parallel()
	var h Hive
	h.Set(Place{Scope: OtherPath, Path: `HKLM\SOFTWARE\A`}, "*Name", DataValue(3, []byte{1}))
	h.Set(Place{Scope: OtherPath, Path: `HKLM\SOFTWARE\B`}, "*Name", NumberValue(1))
	h.Set(Place{Scope: OtherPath, Path: `HKLM\software\a`}, "name", NumberValue(2)) // another name: the asterisk counts here
	if h.Len() != 3 || h.Get(Place{Scope: OtherPath, Path: `hklm\software\a`}, "*name") != DataValue(3, []byte{1}) {
		t.Errorf("the hive has %v", h.All())
	}
	again, err := Load(h.All())
	if err != nil || !reflect.DeepEqual(again.All(), h.All()) || h.All()[0].Path != `HKLM\SOFTWARE\A` {
		t.Errorf("loaded %v, %v", again, err)
	}
	if h.Fits("x", NumberValue(1)) != nil || h.Fits("x", DataValue(3, make([]byte, maxDataSize+1))) == nil || h.Fits(strings.Repeat("x", maxTextSize+1), NumberValue(1)) == nil {
		t.Error("the limits of a hive are not kept")
	}
}

// A hive knows how much it holds, whatever is stored over or deleted, and takes no more than its limit.
func TestHiveHoldsSoMuch(t *testing.T) {
	t.Parallel()
	h, at := &Hive{}, Place{Scope: OtherPath, Path: `HKLM\X`}
	long := DataValue(3, make([]byte, maxDataSize))
	h.Set(at, "a", long)
	h.Set(at, "A", NumberValue(1))
	if want := len(at.Path) + 1; h.size != want || h.Clone().size != want {
		t.Errorf("a hive of one number has %d bytes, want %d", h.size, want)
	}
	h.Delete(at, "a")
	h.Delete(at, "a")
	if h.size != 0 {
		t.Errorf("an empty hive has %d bytes", h.size)
	}
	for i := 0; h.size+maxDataSize < maxBytes; i++ {
		h.Set(at, strconv.Itoa(i), long)
	}
	if h.Fits("x", long) == nil || h.Fits("x", NumberValue(1)) != nil {
		t.Errorf("a hive of %d bytes takes the wrong values", h.size)
	}
}
