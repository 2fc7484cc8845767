package winof

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"cxdeck/device/capture"
)

// TestPacketFile decodes the header and the packets of a file.
func TestPacketFile(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 1, 2_003_000, time.UTC)
	file := packetFile([]capture.Packet{{Time: at, Length: 1500, Data: []byte("first")},
		{Time: at, Length: 3, Data: []byte("abc")}}, 5)
	var header struct {
		Magic        uint32
		Major, Minor uint16
		Zone, Digits uint32
		Snap, Link   uint32
	}
	in := bytes.NewReader(file)
	if err := binary.Read(in, binary.LittleEndian, &header); err != nil || header.Magic != 0xa1b2c3d4 ||
		header.Major != 2 ||
		header.Minor != 4 || header.Snap != 5 || header.Link != 1 {
		t.Fatalf("the header is %+v, %v", header, err)
	}
	for _, want := range []struct {
		data   string
		length uint32
	}{{"first", 1500}, {"abc", 3}} {
		var packet struct{ Seconds, Microseconds, Kept, Length uint32 }
		data := make([]byte, len(want.data))
		if err := binary.Read(in, binary.LittleEndian, &packet); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Read(data); err != nil || string(data) != want.data || packet.Length != want.length ||
			int64(packet.Seconds) != at.Unix() || packet.Microseconds != 2003 || int(packet.Kept) != len(data) {
			t.Errorf("%+v with %q, %v", packet, data, err)
		}
	}
	if in.Len() > 0 {
		t.Errorf("%d bytes more", in.Len())
	}
}
