package device

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

// fill puts random values other than zero into everything that can be set, with two items in each list. It returns false
// for a value that can't be filled.
func fill(r *rand.Rand, v reflect.Value) bool {
	if address, ok := v.Addr().Interface().(*netip.Addr); ok {
		*address = netip.AddrFrom4([4]byte{10, 0, 0, byte(r.UintN(256))})
		return true
	}
	ok := true
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1 + r.Int64N(3))
	case reflect.Uint8:
		v.SetUint(2) // a value of each enumeration, and a byte of a MAC address
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1 + r.Uint64N(3))
	case reflect.Float64:
		v.SetFloat(0.5 + r.Float64())
	case reflect.String:
		v.SetString("70")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		ok = fill(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			ok = fill(r, v.Index(i)) && ok
		}
	case reflect.Array:
		for i := range v.Len() {
			ok = fill(r, v.Index(i)) && ok
		}
	case reflect.Struct:
		for i := range v.NumField() {
			ok = v.Type().Field(i).IsExported() && fill(r, v.Field(i)) && ok
		}
	default:
		return false
	}
	return ok
}

// TestEachFieldOfTheSetupIsSaved: what is in a setup is in the saved header.
func TestEachFieldOfTheSetupIsSaved(t *testing.T) {
	t.Parallel()
	l, r := newLab(t, 1), rand.New(rand.NewPCG(1, 2))
	if !fill(r, reflect.ValueOf(&l.setup).Elem()) {
		t.Fatal("the setup has a field that JSON does not have")
	}
	header, err := l.saveHeader()
	if err != nil {
		t.Fatal(err)
	}
	var saved savedHeader
	if err := json.Unmarshal(header, &saved); err != nil {
		t.Fatal(err)
	}
	want, got := reflect.ValueOf(l.setup), reflect.ValueOf(saved.Lab)
	for i := range want.NumField() {
		if !reflect.DeepEqual(want.Field(i).Interface(), got.Field(i).Interface()) {
			t.Errorf("%s is not saved as it is", want.Type().Field(i).Name)
		}
	}
	if copied := l.Clone(); !reflect.DeepEqual(copied.setup, l.setup) {
		t.Error("a clone has another setup")
	}
}

// TestEachListOfTheMovingStateIsCloned: a clone shares no list with its lab, and each list that a step changes is in
// movingLists.
func TestEachListOfTheMovingStateIsCloned(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	l.Advance(time.Second)
	c := l.Clone()
	listed := map[uintptr]bool{
		reflect.ValueOf(&l.counters).Pointer(): true, // those that are saved in another way
		reflect.ValueOf(&l.captures).Pointer(): true,
		reflect.ValueOf(&l.silence).Pointer():  true,
	}
	for _, list := range l.movingLists() {
		listed[reflect.ValueOf(list).FieldByName("items").Pointer()] = true
	}
	of, copied := reflect.ValueOf(l).Elem().FieldByName("movingState"), reflect.ValueOf(c).Elem().FieldByName("movingState")
	for i := range of.NumField() {
		name, list, other := of.Type().Field(i).Name, of.Field(i), copied.Field(i)
		if !listed[list.Addr().Pointer()] {
			t.Errorf("movingLists does not have %s", name)
		}
		if list.Len() == 0 || list.Len() != other.Len() || list.Pointer() == other.Pointer() {
			t.Errorf("%s: %d items, and in the clone %d, at %x and %x", name, list.Len(), other.Len(), list.Pointer(), other.Pointer())
		}
	}
}

// TestEachValueOfTheMovingStateIsSaved fills each list with random values: they are read as they were written, by another
// lab and by a clone.
func TestEachValueOfTheMovingStateIsSaved(t *testing.T) {
	t.Parallel()
	l, other, r := newLab(t, 1), newLab(t, 1), rand.New(rand.NewPCG(1, 3))
	fresh := other.movingLists()
	for i, list := range l.movingLists() {
		saved := reflect.ValueOf(list).FieldByName("save").Type().Out(0)
		var out []byte
		for range reflect.ValueOf(list).FieldByName("items").Elem().Len() {
			v := reflect.New(saved).Elem()
			if !fill(r, v) {
				t.Fatalf("%v has a field that can't be saved", saved)
			}
			var err error
			if out, err = binary.Append(out, binary.LittleEndian, v.Interface()); err != nil {
				t.Fatalf("%v: %v", saved, err)
			}
		}
		if err := list.Read(bytes.NewReader(out)); err != nil {
			t.Fatalf("%v: %v", saved, err)
		}
		again, err := list.Append(nil)
		if err != nil || !bytes.Equal(out, again) {
			t.Errorf("%v is written in another way than it was read (%v)", saved, err)
		}
		if fresh[i].Same(list) {
			t.Errorf("%v: random values are the same as in a new lab", saved)
		}
		if err := fresh[i].Read(bytes.NewReader(again)); err != nil || !fresh[i].Same(list) {
			t.Errorf("%v: another lab reads something else (%v)", saved, err)
		}
		if !l.Clone().movingLists()[i].Same(list) {
			t.Errorf("%v: a clone has something else", saved)
		}
	}
}
