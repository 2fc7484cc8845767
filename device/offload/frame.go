// Package offload models the work on packets that the adapter does for the processor, and its frame sizes: jumbo frames, large
// send offload and checksums. The lab computes the processor time.
package offload

// Frame sizes in bytes (NIC-1). A frame has its 14-byte Ethernet header, but no FCS.
const (
	MinFrame     = 614
	MaxFrame     = 9614
	DefaultFrame = 1514

	MinIPoIBMTU     = 1500
	MaxIPoIBMTU     = 4092
	DefaultIPoIBMTU = 4092

	etherHeader = 14
	frameCheck  = 4
)

// Frame is the largest frame of an Ethernet port, in bytes.
type Frame struct {
	Bytes         int  // with the Ethernet header, without FCS
	MTU           int  // the IP packet in it
	WireBytes     int  // with the FCS
	FirmwareLimit bool // the firmware allows less than requested, which the driver logs
}

// FunctionFrame is LargestFrame for a virtual function, which uses no larger frame than its host's *JumboPacket. The
// driver reports no event for that limit (NIC-2).
func FunctionFrame(setting, firmwareMax, hostSetting int) (f Frame, ok bool) {
	limited, ok := LargestFrame(min(setting, hostSetting), firmwareMax)
	if _, valid := LargestFrame(setting, firmwareMax); !ok || !valid {
		return Frame{}, false
	}
	return limited, true
}

// LargestFrame returns the largest frame for a frame size in the registry, with firmware that allows frames of firmwareMax
// bytes (NIC-1, NIC-2; manual: registry key *JumboPacket). It is not ok outside MinFrame to MaxFrame.
func LargestFrame(setting, firmwareMax int) (f Frame, ok bool) {
	if setting < MinFrame || setting > MaxFrame {
		return Frame{}, false
	}
	used := min(setting, firmwareMax)
	return Frame{Bytes: used, MTU: used - etherHeader, WireBytes: used + frameCheck, FirmwareLimit: used < setting}, true
}

// FrameOfMTU returns the frame size to set for an MTU in bytes (NIC-1). It is not ok when that size is out of range.
func FrameOfMTU(mtu int) (setting int, ok bool) {
	setting = mtu + etherHeader
	return setting, setting >= MinFrame && setting <= MaxFrame
}

// RoCEMTU returns the largest RDMA payload in bytes of a packet on Ethernet with an MTU, when no size is set: a power of two
// from 256 to 2048 that is not above the MTU (ROCE-10; manual: registry key RoceMaxFrameSize). It is 0 below 256.
func RoCEMTU(ethernetMTU int) int {
	for size := 2048; size >= 256; size /= 2 {
		if size <= ethernetMTU {
			return size
		}
	}
	return 0
}
