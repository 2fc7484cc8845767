package pcap_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"cxdeck/device/capture/pcap"
)

var at = time.Date(2026, 3, 2, 14, 0, 1, 2_003_004, time.UTC)

// write writes a file with two packets.
func write(t *testing.T, format pcap.Format, place pcap.Interface) []byte {
	t.Helper()
	var out bytes.Buffer
	w := pcap.NewWriter(&out, format, place)
	for _, p := range []pcap.Packet{{Time: at, Length: 1500, Data: []byte("first")}, {Time: at.Add(time.Microsecond), Sent: true, Length: 3, Data: []byte("abc")}} {
		if err := w.Write(&p); err != nil {
			t.Fatal(err)
		}
	}
	size := w.Size()
	if err := w.Close(at, at.Add(time.Second), 2); err != nil || w.Size() < size || w.Size() != int64(out.Len()) || w.Packets != 2 {
		t.Fatalf("%d bytes are written, the size is %d, %v", out.Len(), w.Size(), err)
	}
	return out.Bytes()
}

// TestClassic decodes a file of libpcap.
func TestClassic(t *testing.T) {
	t.Parallel()
	in := bytes.NewReader(write(t, pcap.Classic, pcap.Interface{Link: pcap.Ethernet, Bytes: 64}))
	var header struct {
		Magic        uint32
		Major, Minor uint16
		Zone, Digits uint32
		Snap, Link   uint32
	}
	if err := binary.Read(in, binary.LittleEndian, &header); err != nil || header.Magic != 0xa1b23c4d || header.Major != 2 || header.Minor != 4 ||
		header.Snap != 64 || header.Link != 1 {
		t.Fatalf("the header is %+v, %v", header, err)
	}
	for i, want := range []string{"first", "abc"} {
		var packet struct{ Seconds, Nanoseconds, Kept, Length uint32 }
		data := make([]byte, len(want))
		if err := binary.Read(in, binary.LittleEndian, &packet); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(in, data); err != nil || string(data) != want || int64(packet.Seconds) != at.Unix() ||
			packet.Nanoseconds != uint32(2_003_004+1000*i) || int(packet.Kept) != len(want) || packet.Length != []uint32{1500, 3}[i] {
			t.Errorf("%+v with %q, %v", packet, data, err)
		}
	}
}

// TestNext walks the blocks of a pcapng file by their lengths at both ends, and decodes its packets.
func TestNext(t *testing.T) {
	t.Parallel()
	for _, directions := range []bool{false, true} {
		file := write(t, pcap.Next, pcap.Interface{Name: "Ethernet 7", Link: pcap.Ethernet, Bits: 1e11, Directions: directions})
		var kinds []uint32
		for rest := file; len(rest) > 0; {
			kind, length := binary.LittleEndian.Uint32(rest), int(binary.LittleEndian.Uint32(rest[4:]))
			if length%4 != 0 || length < 12 || length > len(rest) || int(binary.LittleEndian.Uint32(rest[length-4:])) != length {
				t.Fatalf("a block of type %#x has the length %d", kind, length)
			}
			if kind == 6 {
				stamp := uint64(binary.LittleEndian.Uint32(rest[12:]))<<32 | uint64(binary.LittleEndian.Uint32(rest[16:]))
				kept := int(binary.LittleEndian.Uint32(rest[20:]))
				sent := len(kinds) == 3
				if want := at.UnixNano(); sent && stamp != uint64(want)+1000 || !sent && stamp != uint64(want) {
					t.Errorf("the time is %d", stamp)
				}
				if data := string(rest[28 : 28+kept]); data != map[bool]string{false: "first", true: "abc"}[sent] {
					t.Errorf("the data are %q", data)
				}
				if flags := rest[28+(kept+3)/4*4:]; directions && (binary.LittleEndian.Uint16(flags) != 2 || flags[4] == 2 != sent) {
					t.Errorf("the flags are % x", flags)
				}
			}
			kinds, rest = append(kinds, kind), rest[length:]
		}
		if want := []uint32{0x0a0d0d0a, 1, 6, 6, 5}; len(kinds) != len(want) || kinds[0] != want[0] || kinds[4] != want[4] {
			t.Errorf("the blocks are %x", kinds)
		}
	}
}

// TestInfiniBand checks the record around a packet of InfiniBand.
func TestInfiniBand(t *testing.T) {
	t.Parallel()
	file := write(t, pcap.Classic, pcap.Interface{Link: pcap.InfiniBand})
	packet := file[24:]
	if link := binary.LittleEndian.Uint32(file[20:]); link != 197 {
		t.Errorf("the link is %d", link)
	}
	if kept := binary.LittleEndian.Uint32(packet[8:]); kept != 16+5 || packet[16+8] != 21 || binary.BigEndian.Uint16(packet[16+14:]) != 1500 {
		t.Errorf("%d bytes: % x", kept, packet[:40])
	}
	if seconds := binary.LittleEndian.Uint32(packet[16+4:]); int64(seconds) != at.Unix() {
		t.Errorf("the record is at %d", seconds)
	}
}

type fullDisk struct{ room int }

var errFull = errors.New("no space")

func (f *fullDisk) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

// TestFailures checks a full disk and times that no file holds.
func TestFailures(t *testing.T) {
	t.Parallel()
	w := pcap.NewWriter(&fullDisk{300_000}, pcap.Next, pcap.Interface{})
	var err error
	for range 1000 {
		if err = w.Write(&pcap.Packet{Time: at, Length: 1000, Data: make([]byte, 1000)}); err != nil {
			break
		}
	}
	if !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
	for _, bad := range []time.Time{time.Unix(-1, 0), time.Unix(1<<32, 0)} {
		if err := w.Write(&pcap.Packet{Time: bad}); !errors.Is(err, pcap.ErrTime) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestFormatOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]pcap.Format{"a.pcap": pcap.Classic, "A.CAP": pcap.Classic, "a.pcapng": pcap.Next, "a": pcap.Next} {
		if got := pcap.FormatOf(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
