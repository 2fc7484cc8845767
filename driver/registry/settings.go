package registry

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/ring"
	"cxdeck/device/roce"
	"cxdeck/device/setup"
)

// keyedField is a number or a switch of setup.Port with the value of a key; its tag names the key.
type keyedField struct {
	field int
	name  string
}

var keyedFields = sync.OnceValue(func() (list []keyedField) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[setup.Port]()) {
		if name := f.Tag.Get("key"); name != "" {
			list = append(list, keyedField{f.Index[0], name})
		}
	}
	return list
})

// Settings returns the hardware settings of the driver: the values of the registry, and base where the registry has no
// value, such as the priorities with PFC.
func (e *Effective) Settings(base setup.Port) setup.Port {
	s := base
	v := reflect.ValueOf(&s).Elem()
	for _, key := range keyedFields() {
		switch n, ok := e.number(Miniport, key.name); {
		case !ok:
		case v.Field(key.field).CanInt():
			v.Field(key.field).SetInt(int64(n))
		default:
			v.Field(key.field).SetBool(n != 0)
		}
	}
	s.Tags &= bothTags
	e.processors(&s)
	if n, ok := e.number(Miniport, "RxIntModeration"); ok {
		s.AdaptiveModeration = n == 2
	}
	if n, ok := e.number(Miniport, "RecvCompletionMethod"); ok {
		s.Completion = setup.Adaptive
		if n == 0 {
			s.Completion = setup.Polling
		}
	}
	if s.LargeSendBytes == 0 { // a size that can't be used turns it off (NIC-3)
		s.LargeSendIPv4, s.LargeSendIPv6 = false, false
	}
	if n, ok := e.number(Miniport, "RxTrustedState"); ok {
		s.TrustDSCP = n == 2
	}
	for name, on := range map[string]*bool{"*RscIPv4": &s.CoalesceIPv4, "*RscIPv6": &s.CoalesceIPv6} {
		if n, ok := e.number(Miniport, name); ok {
			*on = n != 0
		}
	}
	if n, ok := e.number(Miniport, "*EncapOverhead"); ok {
		s.MaxFrame = min(s.MaxFrame+int(n), maxFrame)
	}
	e.address(&s)
	e.rdma(&s)
	e.marking(&s)
	e.stack(&s)
	e.flowControl(&s)
	e.congestion(&s)
	e.functions(&s)
	e.resources(&s)
	return s
}

// maxFrame is the longest frame that any port takes, in bytes.
const maxFrame = 9614

// bothTags are the valid bits of *PriorityVLANTag.
const bothTags = 3

// maxProcessors exceeds the processors of any host; the registry does not limit their number.
const maxProcessors = 1024

// processors sets the processors, within the bounds of other keys.
func (e *Effective) processors(s *setup.Port) {
	if n, ok := e.number(Miniport, "MaxNumRssCpus"); ok {
		s.MaxProcessors = min(s.MaxProcessors, int(n))
	}
	e.firstProcessor(s)
	if n, ok := e.number(Miniport, "RssMaxProcNumber"); ok && int(n) >= s.BaseProcessor {
		s.MaxProcessors = min(s.MaxProcessors, int(n)-s.BaseProcessor+1)
	}
	s.MaxProcessors = min(s.MaxProcessors, maxProcessors)
	if n, ok := e.number(Miniport, "DefaultRecvRingProcessor"); ok {
		s.DefaultProcessor = int(int32(n))
	}
	if n, ok := e.number(Miniport, "TxHashDisrtibution"); ok {
		s.SendDistribution = ring.Distribution(n)
	}
	if n, ok := e.number(Miniport, "TxInterruptProcessor"); ok {
		s.SendProcessor = max(-1, min(int(int32(n)), maxProcessors))
	}
}

// firstProcessor sets the first processor: RssBaseCpu of the adapter, or of Windows, if the adapter does not have the standard
// key. It turns RSS off if the port offers VMQ instead, or Windows has RSS off.
func (e *Effective) firstProcessor(s *setup.Port) {
	if n, ok := e.number(Miniport, "*RssOrVmqPreference"); ok && n == 1 {
		vmq, known := e.number(Miniport, "*VMQ")
		s.RSS, s.MachineQueues = false, !known || vmq != 0
	}
	if n, ok := e.number(System, "EnableRSS"); ok && n == 0 {
		s.RSS = false
	}
	if standard, ok := e.catalogue.Find("*RssBaseProcNumber", Miniport); ok && e.Reading(standard).Stored.Exists() {
		return
	}
	for _, scope := range []Scope{Miniport, System} {
		if r, ok := e.catalogue.Find("RssBaseCpu", scope); ok && e.Reading(r).Stored.Exists() {
			s.BaseProcessor = min(int(e.Reading(r).Value.Number()), maxProcessors)
			return
		}
	}
}

// address sets the MAC address that an administrator has set; a multicast address keeps the adapter from starting.
func (e *Effective) address(s *setup.Port) {
	if r, ok := e.catalogue.Find("NetworkAddress", Miniport); ok {
		s.Address = description.MAC{}
		if address, ok := hardwareAddress(e.Reading(r).Value.String()); ok && !isMulticast(address) {
			s.Address = address
		}
	}
	if mask, ok := e.number(Miniport, "GUIDMask"); ok && s.Address == (description.MAC{}) && mask != 0 && mask != usualGUIDMask {
		s.Address = addressOf(e.facts.GUID, mask)
	}
}

// MulticastAddress returns the address that an administrator has set if it is a multicast address, as
// "01:00:5E:00:00:01"; else it is empty.
func (e *Effective) MulticastAddress() string {
	if r, ok := e.catalogue.Find("NetworkAddress", Miniport); ok {
		if address, ok := hardwareAddress(e.Reading(r).Value.String()); ok && isMulticast(address) {
			return strings.ToUpper(description.MAC(address).String())
		}
	}
	return ""
}

// rdma sets the RoCE mode and the packet size of RDMA. A fresh installation stores a size of 1024, and hosts of the lab use the
// size of their description, so that only another value takes effect.
func (e *Effective) rdma(s *setup.Port) {
	mode, ok := e.number(Miniport, "roce_mode")
	if !ok {
		mode, ok = e.number(RoCE, "roce_mode")
	}
	if on, known := e.number(Miniport, "*NetworkDirect"); known && on == 0 {
		mode, ok = NoRoCE, true
	}
	const plain, routed = 3, 4 // values of *NetworkDirectTechnology
	if n, known := e.number(Miniport, "*NetworkDirectTechnology"); known && mode != NoRoCE && (n == plain || n == routed) {
		mode, ok = map[uint32]uint32{plain: RoCEv1, routed: RoCEv2}[n], true
	}
	switch {
	case !ok || e.facts.Link != description.Ethernet:
	case mode == NoRoCE:
		s.RoCE = description.NoRoCE
	case mode == RoCEv2:
		s.RoCE = description.RoCEv2
	default: // addressed by MAC or by IP: incompatible with v2 peers
		s.RoCE = description.RoCEv1
	}
	if port, known := e.number(RoCE, "roce_udp_dport"); known && s.RoCE == description.RoCEv2 {
		s.RoCEUnheard = port != roce.DestinationPort
	}
	if tries, known := e.number(BusDriver, "MaxCMRetries"); known && tries == 1 { // a known issue of the driver
		s.RoCEUnheard = true
	}
	if on, known := e.number(BusDriver, "RoceRcE2EFlowControlEnable"); known {
		s.SendsWithoutCredit = on == 0
	}
	r, ok := e.catalogue.Find("RoceMaxFrameSize", Miniport)
	if n, known := e.number(Miniport, "RoceMaxFrameSize"); ok && known && n != r.Default(e.facts.Link).Number() {
		s.RDMAPayload = int(n)
	}
}

// flowControl sets PFC while adapter QoS is on, else global pause (QOS-1).
func (e *Effective) flowControl(s *setup.Port) {
	if !s.QoS {
		s.Lossless = 0
	}
	const obeys, asks = 1, 2 // Tx and Rx flow control in the words of the manual
	if n, ok := e.number(Miniport, "*FlowControl"); ok {
		s.ObeysPause, s.AsksPause = n&obeys != 0, n&asks != 0
	}
	if n, ok := e.existing(Miniport, "RxPause"); ok {
		s.AsksPause = n != 0
	}
	if n, ok := e.existing(Miniport, "TxPause"); ok {
		s.ObeysPause = n != 0
	}
	if n, ok := e.existing(Miniport, "PerPriRxPause"); ok && n != 0 {
		s.PauseSends = uint8(n)
	}
	if n, ok := e.existing(Miniport, "PerPriTxPause"); ok && n != 0 {
		s.PauseObeys = uint8(n)
	}
	if s.Lossless != 0 {
		s.ObeysPause, s.AsksPause = false, false
	}
	n, ok := e.number(System, "AllowFlowControlUnderDebugger")
	s.PauseUnderDebugger = ok && n != 0
}

// marking is the DSCP of RDMA by priority: the value of the newer of two names of a key, where both are stored.
func (e *Effective) marking(s *setup.Port) {
	for priority := range s.DSCP {
		for _, name := range []string{"RroceDscpMarkPriorityFlowControl_", "PriorityToDscpMappingTable_"} {
			if n, ok := e.existing(Miniport, fmt.Sprint(name, priority)); ok {
				s.DSCP[priority] = uint8(n)
			}
		}
	}
}

// existing returns the number that the driver takes for a key that is stored.
func (e *Effective) existing(scope Scope, name string) (uint32, bool) {
	r, ok := e.catalogue.Find(name, scope)
	if !ok || !e.Reading(r).Stored.Exists() {
		return 0, false
	}
	return e.number(scope, name)
}

// stack holds the packet processing of Windows and of the driver's threads.
func (e *Effective) stack(s *setup.Port) {
	s.Reserve, s.HeadLimit = min(s.Reserve, maxReserve), max(1, min(s.HeadLimit, maxHeadLimit))
	if n, ok := e.number(Miniport, "TxForwardingProcessor"); ok {
		s.ForwardProcessor = max(-1, min(int(int32(n)), maxProcessors))
	}
	if n, ok := e.existing(BusDriver, "ThreadDpcEnable"); ok {
		s.ThreadedDPC = n != 0
	}
	switch n, _ := e.number(Miniport, "AsyncReceiveIndicate"); n { // how packets beyond the ring are found
	case 1:
		s.ThreadedDPC = true
	case 2:
		s.Completion = setup.Polling
	}
	if n, ok := e.existing(System, "FastSendDatagramThreshold"); ok {
		s.FastDatagram = int(min(n, maxDatagram))
	}
	if n, ok := e.existing(System, "TcpWindowSize"); ok {
		s.Window = int(min(n, maxWindow))
	}
	if n, ok := e.existing(System, "SackOpts"); ok {
		s.SlowRecovery = n == 0
	}
}

// Bounds of keys whose ranges the manuals don't give.
const (
	maxReserve   = 64
	maxHeadLimit = 60_000
	maxDatagram  = 65536
	maxWindow    = 1 << 30
)

// congestion sets the parameters of congestion control, also from the keys that each set two of them.
func (e *Effective) congestion(s *setup.Port) {
	for _, p := range dcqcn.All() {
		if n, ok := e.number(Congestion, p.String()); ok {
			s.Congestion[p] = n
		}
	}
	if mode, ok := e.number(Congestion, "DcqcnCnpPrioMode"); ok && mode == 0 {
		if n, known := e.number(Congestion, "DcqcnCnp802pPrio"); known {
			s.NoticePriority = int(n)
		}
	}
	if n, ok := e.number(Congestion, "DcqcnCnpDscp"); ok {
		s.CNPDSCP = int(n)
	}
	for priority := range dcqcn.Parameter(dcqcn.Priorities) {
		if n, ok := e.number(Congestion, fmt.Sprintf("DcqcnEnablePrio%d", priority)); ok {
			s.Congestion[dcqcn.RPEnable+priority] = n
			s.Congestion[dcqcn.NPEnable+priority] = n
		}
	}
}
