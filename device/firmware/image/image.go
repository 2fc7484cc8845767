// Package image reads and writes the files of firmware images: the binary that flint burns into the flash of a card (.bin), and the
// source from which mlxburn builds one (.mlx). The files are the lab's own: a header, the sections of an image with their checksums, and
// a digest of everything. It knows no card.
package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"
)

// MaxSize is the maximum size of a file in bytes.
const MaxSize = 1 << 20

// Image is what a file says about itself.
type Image struct {
	// Source reports a source for mlxburn, which fits every board with one of the devices and has no PSID.
	Source bool `json:"source,omitempty"`
	// Devices are the PCI device ids of the cards that it is for.
	Devices []uint16 `json:"devices"`
	// Version is the firmware version, Date its release as year-month-day, ROM the version of the expansion ROM.
	Version string `json:"version"`
	Date    string `json:"date,omitempty"`
	ROM     string `json:"rom,omitempty"`
	// PSID names the board that it is for.
	PSID string `json:"psid,omitempty"`
	// Settings are the fields of section HCA of its ini file that have a value.
	Settings map[string]uint32 `json:"settings,omitempty"`
}

// The magic numbers of the two kinds of files.
var (
	binary8 = []byte("MTFW\xab\xcd\xef\x01")
	source8 = []byte("MLXFW\x00\xef\x01")
)

// Limits of a header and of the name of a section.
const (
	maxHeader  = 4 << 10
	nameLength = 8
)

// Section is a section of an image.
type Section struct {
	Name string
	// Begin and End are its first and its last byte.
	Begin, End int
	// Sound reports that its checksum is right.
	Sound bool
}

// sections are the names and sizes of the sections.
var sections = []struct {
	name string
	size int
}{{"BOOT2", 4 << 10}, {"HW_CFG", 1 << 10}, {"FW_MAIN", 40 << 10}, {"FW_INIT", 8 << 10}, {"INI", 2 << 10}, {"ROM", 6 << 10}, {"VPD", 512}}

// Encode writes the file. The same image has the same bytes.
func (i *Image) Encode() []byte {
	header, err := json.Marshal(i)
	if err != nil {
		panic("image: a header does not encode: " + err.Error()) // plain data always encodes
	}
	var b bytes.Buffer
	if i.Source {
		b.Write(source8)
	} else {
		b.Write(binary8)
	}
	number := func(n int) { b.Write(binary.BigEndian.AppendUint32(nil, uint32(n))) }
	number(len(header))
	b.Write(header)
	seed := sha256.Sum256(header)
	dice := rand.NewChaCha8(seed)
	for _, s := range sections {
		data := make([]byte, s.size)
		_, _ = dice.Read(data) // it never fails
		b.WriteString(s.name + string(make([]byte, nameLength-len(s.name))))
		number(len(data))
		b.Write(data)
		number(int(crc32.ChecksumIEEE(data)))
	}
	digest := sha256.Sum256(b.Bytes())
	b.Write(digest[:])
	return b.Bytes()
}

// Digest returns the digest of a file, as a text.
func Digest(file []byte) string {
	digest := sha256.Sum256(file)
	return hex.EncodeToString(digest[:])
}

// ErrNoImage is the error of a file that is no firmware image of the lab.
var ErrNoImage = errors.New("the file is no firmware image: firmware download writes one")

// DamagedError is the error of an image of which a part is damaged.
type DamagedError struct{ Part string }

// Error names the part.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("the image is damaged: %s has a wrong checksum", e.Part)
}

// Decode reads a file. Its error is ErrNoImage or a *DamagedError; the sections that could be read come with the latter.
func Decode(file []byte) (i Image, list []Section, err error) {
	source := bytes.HasPrefix(file, source8)
	if !source && !bytes.HasPrefix(file, binary8) || len(file) > MaxSize {
		return i, nil, ErrNoImage
	}
	r := bytes.NewReader(file[len(binary8):])
	var length uint32
	if binary.Read(r, binary.BigEndian, &length) != nil || length > maxHeader {
		return i, nil, &DamagedError{"the header"}
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil || json.Unmarshal(header, &i) != nil || i.Source != source || !i.valid() {
		return Image{}, nil, &DamagedError{"the header"}
	}
	for _, s := range sections {
		name, size, sum := make([]byte, nameLength), uint32(0), uint32(0)
		_, err1 := io.ReadFull(r, name)
		err2 := binary.Read(r, binary.BigEndian, &size)
		found := Section{Name: s.name, Begin: len(file) - r.Len()}
		data := make([]byte, s.size)
		n, err3 := io.ReadFull(r, data)
		found.End = found.Begin + n - 1
		err4 := binary.Read(r, binary.BigEndian, &sum)
		found.Sound = errors.Join(err1, err2, err3, err4) == nil && int(size) == s.size && string(bytes.TrimRight(name, "\x00")) == s.name && sum == crc32.ChecksumIEEE(data)
		if list = append(list, found); !found.Sound {
			return i, list, &DamagedError{"section " + s.name}
		}
	}
	rest, _ := io.ReadAll(r) // memory
	digest := sha256.Sum256(file[:len(file)-len(rest)])
	if !bytes.Equal(rest, digest[:]) {
		return i, list, &DamagedError{"the end of the file"}
	}
	return i, list, nil
}

// Sections returns the sections of the image in the flash of a card.
func (i *Image) Sections() []Section {
	_, list, _ := Decode(i.Encode())
	return list
}

// valid checks the header of a foreign file.
func (i *Image) valid() bool {
	const longest = 64
	for _, text := range []string{i.Version, i.Date, i.ROM, i.PSID} {
		if len(text) > longest || slices.ContainsFunc([]byte(text), func(c byte) bool { return c < ' ' || c > '~' }) {
			return false
		}
	}
	for name := range i.Settings {
		if len(name) > longest {
			return false
		}
	}
	return i.Version != "" && len(i.Devices) > 0 && i.Source == (i.PSID == "")
}

// For reports whether the image is for the cards with a PCI device id.
func (i *Image) For(device uint16) bool { return slices.Contains(i.Devices, device) }
