package ibsim

import (
	"bytes"
	"encoding/binary"
	"testing"

	"cxdeck/device/infiniband/agent"
)

// FuzzMessages: whatever comes, a message is refused, or its answer has the protocol's size.
func FuzzMessages(f *testing.F) {
	c := control{client: 3, kind: controlConnect}
	f.Add(c.bytes())
	f.Add(make([]byte, requestSize))
	f.Add([]byte{0xef, 0xbe, 0xad, 0xde})
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := readControl(data); err == nil {
			_ = readConnection(c.data)
			if again, err := readControl(c.bytes()); err != nil || again != c {
				t.Errorf("%v became %v", c, again)
			}
		}
		if d, err := readDatagram(data); err == nil {
			if n := len(d.answered(1, d.packet)); n != requestSize || len(d.packet) != agent.Size || len(d.lost()) != requestSize {
				t.Errorf("an answer of %d bytes", n)
			}
		}
	})
}

// TestEnvelope: an answer goes back with sender and receiver exchanged.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	raw := make([]byte, requestSize)
	binary.BigEndian.PutUint16(raw, 4)        // the LID that is asked
	binary.BigEndian.PutUint32(raw[8:], 1)    // its queue pair
	binary.BigEndian.PutUint32(raw[12:], 9)   // the sender's
	binary.BigEndian.PutUint64(raw[24:], 256) // length
	d, err := readDatagram(raw)
	if err != nil || d.target != 4 {
		t.Fatal(d, err)
	}
	back := d.answered(8, bytes.Repeat([]byte{7}, agent.Size))
	want := []byte{0, 8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0}
	if !bytes.Equal(back[:20], want) || back[madAt] != 7 || back[requestSize-1] != 7 {
		t.Errorf("the envelope is % x", back[:32])
	}
	if lost := d.lost(); lost[19] != timedOut {
		t.Errorf("the error is % x", lost[16:20])
	}
	binary.BigEndian.PutUint64(raw[24:], 257)
	if _, err := readDatagram(raw); err == nil {
		t.Error("a datagram of 257 bytes was taken")
	}
}
