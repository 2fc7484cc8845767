package image_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"cxdeck/device/firmware/image"
)

func sample() image.Image {
	return image.Image{
		Devices: []uint16{0x1007}, Version: "2.42.5000", Date: "2017-09-05", ROM: "3.4.752", PSID: "MT_1090111019", Settings: map[string]uint32{"total_vfs": 16, "sriov_en": 1},
	}
}

func TestDecodeReturnsWhatEncodeWrote(t *testing.T) {
	t.Parallel()
	source := image.Image{Source: true, Devices: []uint16{0x1003, 0x1007}, Version: "2.40.7000"}
	for _, want := range []image.Image{sample(), source} {
		file := want.Encode()
		got, sections, err := image.Decode(file)
		if err != nil || !reflect.DeepEqual(got, want) || len(sections) != 7 || sections[0].Name != "BOOT2" {
			t.Errorf("%+v, %v, %v", got, sections, err)
		}
		if !bytes.Equal(file, want.Encode()) || image.Digest(file) != image.Digest(want.Encode()) {
			t.Error("the same image has two files")
		}
	}
}

// TestDecodeFindsDamage changes every part of a file: each change is found, and the section is named.
func TestDecodeFindsDamage(t *testing.T) {
	t.Parallel()
	i := sample()
	file := i.Encode()
	for at := 0; at < len(file); at += 61 {
		bad := bytes.Clone(file)
		bad[at] ^= 0x10
		_, _, err := image.Decode(bad)
		var damaged *image.DamagedError
		if at < 8 && !errors.Is(err, image.ErrNoImage) || at >= 8 && !errors.As(err, &damaged) {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
	for _, length := range []int{0, 7, 8, 11, 40, 5000, len(file) - 1} {
		if _, _, err := image.Decode(file[:length]); err == nil {
			t.Errorf("a file of %d bytes was read", length)
		}
	}
	if _, _, err := image.Decode(append(file, 0)); err == nil {
		t.Error("a file with a byte more was read")
	}
	for _, s := range i.Sections() {
		bad := bytes.Clone(file)
		bad[s.End] ^= 1
		_, list, err := image.Decode(bad)
		if err == nil || err.Error() != "the image is damaged: section "+s.Name+" has a wrong checksum" || list[len(list)-1].Sound {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// TestDecodeRefusesHeaders has headers that would reach the screen or the rules of a card.
func TestDecodeRefusesHeaders(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*image.Image){
		"no version": func(i *image.Image) { i.Version = "" }, "no device": func(i *image.Image) { i.Devices = nil }, "control characters": func(i *image.Image) { i.PSID = "MT\x1b[2J" },
		"no PSID": func(i *image.Image) { i.PSID = "" }, "a source with a PSID": func(i *image.Image) { i.Source = true }, "a long ROM": func(i *image.Image) { i.ROM = string(make([]byte, 200)) },
	} {
		i := sample()
		change(&i)
		if _, _, err := image.Decode(i.Encode()); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	i := sample()
	f.Add(i.Encode())
	f.Add([]byte("MTFW"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if i, _, err := image.Decode(file); err == nil && !bytes.Equal(i.Encode()[:8], file[:8]) {
			t.Error("another kind")
		}
	})
}
