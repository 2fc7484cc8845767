package packet

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
)

// TestInvariantCRC compares the invariant CRC with packets that real cards sent: a notification of a ConnectX-4 Lx, and a message over
// an unreliable connection.
func TestInvariantCRC(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"notification": `45c2 003c 718c 4000 4011 9161 0a00 1101 0a00 1201 0000 12b7 0028 0000 8100 ffff 4000 0118 0000 0000
			0000 0000 0000 0000 0000 0000 0000 0000 82fd 002a`,
		"message": `4501 0040 0478 4000 4011 b4d5 c0a8 0007 c0a8 0007 c000 12b7 002c aca2 2460 ffff 0000 00d3 00cf 1710
			4630 818b e289 35d9 0e9a 9550 5401 be88 5e50 0000 78f3 53f3`,
	} {
		packet, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			t.Fatal(err)
		}
		end := len(packet) - invariantCRC
		if got, want := (&Builder{}).invariant(packet[:end], false), binary.LittleEndian.Uint32(packet[end:]); got != want {
			t.Errorf("%s: %08x, want %08x", name, got, want)
		}
	}
}

// TestNotification checks a built notification against the one of a real card, field by field.
func TestNotification(t *testing.T) {
	t.Parallel()
	priority := 6
	g := &Group{
		Kind: Notification, Tagged: true, Length: 82, Sent: true, Port: 4791, RoCE: description.RoCEv2,
		Flow: description.Flow{Name: "x", Flows: 1, Protocol: description.RDMA, Priority: &priority, DSCP: 48},
	}
	f := (&Builder{}).Build(g, time.Unix(1e9, 0), false)
	ip := f.Data[18:]
	if ip[1] != 0xc2 || binary.BigEndian.Uint16(ip[2:]) != 60 || ip[28] != congestionNotification || ip[29] != 0 || ip[32] != 0x40 || len(ip) != 60 {
		t.Errorf("% x", ip)
	}
	if got := binary.LittleEndian.Uint32(ip[56:]); got != (&Builder{}).invariant(ip[:56], false) {
		t.Errorf("the invariant CRC is %08x", got)
	}
}
