package administration

import (
	"fmt"
	"net/netip"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

func (q *saQuery) linearRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	for _, end := range q.ends {
		node := q.Of(end)
		if node.Kind != infiniband.Switch || !q.owns(f.lid, end) {
			continue
		}
		for block := range (len(node.Routes) + mad.Size - 1) / mad.Size {
			if !matches(f.first, block) {
				continue
			}
			q.dump("LFT Record dump:", 27, "LID", q.End(end).LID, "Block", block)
			q.Printf("\t\tLFT:\n\t\tLID\tPort Number\n")
			for i, port := range q.get(end, mad.LinearTable, uint32(block)) {
				q.Printf("\t\t%d\t%d\n", block*mad.Size+i, port)
			}
			q.Printf("\n")
		}
	}
	return nil
}

func (q *saQuery) multicastRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	for _, end := range q.ends {
		node := q.Of(end)
		if node.Kind != infiniband.Switch || !q.owns(f.lid, end) {
			continue
		}
		for block := range (len(node.Multicast) + 31) / 32 {
			for position := range len(node.Ports)/16 + 1 {
				if !matches(f.first, position) || !matches(f.second, block) {
					continue
				}
				q.dump("MFT Record dump:", 27, "LID", q.End(end).LID, "Position", position, "Block", block)
				q.Printf("\t\tMFT:\n\t\tMLID\tPort Mask\n")
				data := q.get(end, mad.MulticastTable, uint32(position)<<28|uint32(block))
				for i := range 32 {
					q.Printf("\t\t0x%04x\t0x%04x\n", infiniband.FirstMulticastLID+block*32+i, uint16(data[2*i])<<8|uint16(data[2*i+1]))
				}
				q.Printf("\n")
			}
		}
	}
	return nil
}

func (q *saQuery) guidRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	for _, end := range q.ends {
		if !q.owns(f.lid, end) {
			continue
		}
		port := q.get(end, mad.PortInfo, 0)
		for block := range (int(mad.GUIDCap.Get(port)) + 7) / 8 {
			if !matches(f.first, block) {
				continue
			}
			data := q.get(end, mad.GUIDInfo, uint32(block))
			pairs := []any{"LID", q.End(end).LID, "Block", block}
			for i := range 8 {
				pairs = append(pairs, fmt.Sprintf("GUID %d", i), guidText(mad.Field{Offset: 64 * i, Bits: 64}.Get(data)))
			}
			q.dump("GUIDInfo Record dump:", 27, pairs...)
		}
	}
	return nil
}

func (q *saQuery) switchRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	for _, end := range q.ends {
		if q.Of(end).Kind != infiniband.Switch || !q.owns(f.lid, end) {
			continue
		}
		data := q.get(end, mad.SwitchInfo, 0)
		bits := func(offset, count int) uint64 { return mad.Field{Offset: offset, Bits: count}.Get(data) }
		q.Printf("SwitchInfoRecord dump:\n\t\tRID\n%s", dotted(40, "LID", q.End(end).LID))
		q.dump("\t\tSwitchInfo dump:", 40, "LinearFDBCap", hexText(bits(0, 16)), "RandomFDBCap", hexText(bits(16, 16)), "MulticastFDBCap", hexText(bits(32, 16)),
			"LinearFDBTop", hexText(bits(48, 16)), "DefaultPort", bits(64, 8), "DefaultMulticastPrimaryPort", bits(72, 8),
			"DefaultMulticastNotPrimaryPort", bits(80, 8), "LifeTimeValue/PortStateChange/OpSL2VL", hexText(bits(88, 8)),
			"LIDsPerPort", hexText(bits(96, 16)), "PartitionEnforcementCap", hexText(bits(112, 16)), "flags", hexText(bits(128, 8)), "MulticastFDBTop", hexText(bits(144, 16)))
	}
	return nil
}

func (q *saQuery) managerRecords(words []string) error {
	f, err := q.filter(words, 0)
	if err != nil {
		return err
	}
	for _, m := range q.Managers {
		port := q.End(m.Place)
		if !m.Running || port.ManagerLID != q.manager || !q.owns(f.lid, m.Place) {
			continue
		}
		q.Printf("SMInfoRecord dump:\n\t\tRID\n%s", dotted(22, "LID", port.LID))
		q.dump("\t\tSMInfo dump:", 22, "GUID", guidText(uint64(port.GUID)), "SM_Key", guidText(0), "ActCount", m.Activity, "Priority", m.Priority, "SMState", uint8(m.Role))
	}
	return nil
}

// managers lists the ports with a subnet manager.
func (q *saQuery) managers() error {
	q.Printf("IsSM ports\n")
	for _, end := range q.ends {
		if !q.End(end).IsManager {
			continue
		}
		data := q.get(end, mad.PortInfo, 0)
		q.dump("PortInfoRecord dump:", 24, "EndPortLid", q.End(end).LID, "PortNum", end.Port, "base_lid", mad.LID.Get(data),
			"master_sm_base_lid", mad.SMLID.Get(data), "capability_mask", hexText(mad.CapMask.Get(data)))
	}
	q.Printf("\nIsSMdisabled ports\n")
	return nil
}

// informRecords and serviceRecords: nobody has subscribed, and no service is registered.
func (q *saQuery) informRecords(words []string) error {
	if len(words) > 0 {
		if a, err := netip.ParseAddr(words[0]); err != nil || !a.Is6() {
			q.Complain("Invalid SubscriberGID specified: \"%s\"\n", words[0])
			return subnet.CodeError(errInvalid)
		}
	}
	return nil
}

func (q *saQuery) serviceRecords([]string) error { return nil }
