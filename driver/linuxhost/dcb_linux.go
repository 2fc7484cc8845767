package linuxhost

import (
	"encoding/binary"

	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Messages and attributes of data center bridging, from linux/dcbnl.h.
const (
	DCBGet       = 21 // DCB_CMD_IEEE_GET
	DCBSet       = 20 // DCB_CMD_IEEE_SET
	DCBInterface = 1  // DCB_ATTR_IFNAME
	DCBIEEE      = 13 // DCB_ATTR_IEEE
	DCBETS       = 1
	DCBPFC       = 2
	dcbApps      = 3
	dcbApp       = 1
	dcbBuffer    = 10
)

// DCBHeader is the head of a message of data center bridging.
type DCBHeader struct{ Command uint8 }

// Len returns the length of the head.
func (*DCBHeader) Len() int { return 4 }

// The method's name is the library's.
func (h *DCBHeader) Serialize() []byte { //nolint:misspell // the name of package nl
	return []byte{0, h.Command, 0, 0}
}

// dcb reads data center bridging of an interface; most have none.
func (r *Reader) dcb(i *Interface) {
	if i.Kind != "" {
		return
	}
	request := nl.NewNetlinkRequest(unix.RTM_GETDCB, unix.NLM_F_REQUEST)
	request.AddData(&DCBHeader{Command: DCBGet})
	request.AddData(nl.NewRtAttr(DCBInterface, nl.ZeroTerminated(i.Name)))
	answers, err := request.Execute(unix.NETLINK_ROUTE, unix.RTM_GETDCB)
	if err != nil {
		r.miss("data center bridging of "+i.Name, err)
		return
	}
	for _, answer := range answers {
		if d := parseDCB(answer); d != nil {
			i.DCB = d
			i.set("pfc", priorityList(d.PFC), "")
			return
		}
	}
}

// parseDCB reads an answer; nil when it has neither priority flow control nor classes.
func parseDCB(answer []byte) *DCB {
	if len(answer) < 4 {
		return nil
	}
	var d *DCB
	eachAttribute(answer[4:], func(kind uint16, value []byte) {
		if kind != DCBIEEE {
			return
		}
		eachAttribute(value, func(kind uint16, value []byte) {
			if d == nil {
				d = &DCB{}
			}
			switch kind {
			case DCBPFC:
				d.readPFC(value)
			case DCBETS:
				d.readETS(value)
			case dcbApps:
				eachAttribute(value, func(kind uint16, value []byte) { d.readApp(kind, value) })
			case dcbBuffer:
				d.readBuffer(value)
			}
		})
	})
	if d == nil || d.PFCClasses == 0 && d.Class == nil && len(d.Apps) == 0 {
		return nil
	}
	return d
}

// attributeKind masks the flags in the kind of an attribute.
const attributeKind = 0x3fff

// eachAttribute reads netlink attributes. It ends at the first that is cut; the library's parser panics there.
func eachAttribute(data []byte, use func(kind uint16, value []byte)) {
	const head = 4
	for len(data) >= head {
		length := int(binary.NativeEndian.Uint16(data))
		if length < head || length > len(data) {
			return
		}
		use(binary.NativeEndian.Uint16(data[2:])&attributeKind, data[head:length])
		data = data[min((length+head-1)&^(head-1), len(data)):]
	}
}

const priorities = 8

// readPFC reads struct ieee_pfc: capability, bits of priorities, bypass, delay, then the counts of sent and received requests.
func (d *DCB) readPFC(b []byte) {
	if len(b) < 2 {
		return
	}
	d.PFCClasses = int(b[0])
	for p := range priorities {
		if b[1]&(1<<p) != 0 {
			d.PFC = append(d.PFC, p)
		}
	}
	const counts = 8 // the counts are aligned to 8 bytes
	if len(b) >= counts+2*8*priorities {
		for p := range priorities {
			d.Requests = append(d.Requests, binary.NativeEndian.Uint64(b[counts+8*p:]))
			d.Indicated = append(d.Indicated, binary.NativeEndian.Uint64(b[counts+8*(priorities+p):]))
		}
	}
}

// classKinds are the words of mlnx_qos and dcb for the transmission selection of a class.
var classKinds = map[byte]string{0: "strict", 1: "credit-based", 2: "ets", 255: "vendor"}

// readETS reads struct ieee_ets: willing, capability, shaper, then arrays by class and priority.
func (d *DCB) readETS(b []byte) {
	const send, selection, classes = 3, 3 + 2*priorities, 3 + 3*priorities
	if len(b) < classes+priorities {
		return
	}
	d.Willing = b[0] != 0
	for n := range priorities {
		d.Share = append(d.Share, int(b[send+n]))
		kind, ok := classKinds[b[selection+n]]
		if !ok {
			kind = "unknown"
		}
		d.Kind = append(d.Kind, kind)
		d.Class = append(d.Class, int(b[classes+n]))
	}
}

// readApp reads struct dcb_app: selector, priority, protocol.
func (d *DCB) readApp(kind uint16, b []byte) {
	if kind != dcbApp || len(b) < 4 || len(d.Apps) == listLimit {
		return
	}
	selector, ok := map[byte]string{1: "ethtype", 2: "tcp", 3: "udp", 4: "tcp-udp", 5: "dscp"}[b[0]]
	if !ok {
		selector = "unknown"
	}
	d.Apps = append(d.Apps, App{Selector: selector, Priority: int(b[1]), Protocol: int(binary.NativeEndian.Uint16(b[2:]))})
}

// readBuffer reads struct dcbnl_buffer: the buffer of each priority, the size of each buffer and their sum.
func (d *DCB) readBuffer(b []byte) {
	if len(b) < priorities+4*priorities+4 {
		return
	}
	for n := range priorities {
		d.Buffer = append(d.Buffer, int(b[n]))
		d.Sizes = append(d.Sizes, binary.NativeEndian.Uint32(b[priorities+4*n:]))
	}
	d.Total = binary.NativeEndian.Uint32(b[5*priorities:])
}
