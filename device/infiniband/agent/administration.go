package agent

import (
	"encoding/binary"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
)

// Offsets in a datagram of subnet administration: the length of a record in units of 8 bytes, the mask of the fields that choose
// records, and the record.
const (
	recordLengthAt = 44
	maskAt         = 48
	recordAt       = 56
)

const pathRecord mad.Attribute = 0x35

// The bits of the mask of a path record, and the offsets of its fields.
const (
	byService, byTargetGID, byTargetLID, bySourceGID, bySourceLID = 3, 1 << 2, 1 << 4, 1 << 3, 1 << 5

	targetGIDAt, sourceGIDAt, targetLIDAt, sourceLIDAt      = 8, 24, 40, 42
	reversibleAt, keyAt, levelAt, mtuAt, rateAt, lifetimeAt = 49, 50, 53, 54, 55, 56
	pathSize                                                = 64
	exactly                                                 = 2 << 6 // the selector before a packet size and a rate
)

// lifetime is the code of the time that a packet may travel, as OpenSM tells it of every path between two ports.
const lifetime = 0x12

// noRecords is the status of an answer without a record.
const noRecords mad.Status = 3 << 8

// The header of an answer in segments, here always one: version, type and flags, number of the segment, and length.
const (
	segmentsAt      = 24
	segmentNumberAt = 28
	segmentLengthAt = 32
	segmentHeader   = 20 // bytes before the record that count to the length
)

// administration answers a request for a record, or for a list of records. Only a master manager has an administration.
func (a *Agent) administration(at infiniband.Place, packet, answer []byte) ([]byte, mad.Status) {
	if !a.isMaster(at) {
		return answer, mad.NoAnswer
	}
	size, unit := pathSize, pathSize
	var status mad.Status
	attribute := mad.Attribute(binary.BigEndian.Uint16(packet[attributeAt:]))
	if r := records(attribute, binary.BigEndian.Uint64(packet[trustedKeyAt:]) == trustedKey); r == nil || packet[2] != 2 || packet[3] != methodGet && packet[3] != getTable {
		status = a.findPath(packet, answer)
	} else {
		unit = r.size
		size, status = a.findRecords(r, packet, answer)
	}
	if packet[3] != getTable || status != mad.OK && status != noRecords {
		return answer, status
	}
	length := recordAt
	if status == mad.OK {
		length += size
	}
	answer[3] = getTable | response
	copy(answer[segmentsAt:], []byte{1, 1, 7, 0})
	binary.BigEndian.PutUint32(answer[segmentNumberAt:], 1)
	binary.BigEndian.PutUint32(answer[segmentLengthAt:], uint32(segmentHeader+length-recordAt))
	binary.BigEndian.PutUint16(answer[recordLengthAt:], uint16(unit/8))
	return answer[:length], mad.OK
}

// findPath writes the record of a path.
func (a *Agent) findPath(packet, answer []byte) mad.Status {
	switch {
	case packet[2] != 2:
		return unsupportedVersion
	case packet[3] != methodGet && packet[3] != getTable || mad.Attribute(binary.BigEndian.Uint16(packet[attributeAt:])) != pathRecord:
		return unsupportedMethod
	}
	mask, asked := binary.BigEndian.Uint64(packet[maskAt:]), packet[recordAt:]
	end := func(gidAt, lidAt int, byGID, byLID uint64, otherwise infiniband.Place) (infiniband.Place, bool) {
		switch {
		case mask&byGID != 0:
			return a.FindGUID(description.GUID(binary.BigEndian.Uint64(asked[gidAt+8:])))
		case mask&byLID != 0:
			return a.Find(binary.BigEndian.Uint16(asked[lidAt:]))
		}
		return otherwise, otherwise != infiniband.Nowhere
	}
	from, known := end(sourceGIDAt, sourceLIDAt, bySourceGID, bySourceLID, a.From)
	to, found := end(targetGIDAt, targetLIDAt, byTargetGID, byTargetLID, infiniband.Nowhere)
	record, service := answer[recordAt:recordAt+pathSize], uint64(0)
	if mask&byService == byService {
		service = binary.BigEndian.Uint64(asked)
	}
	clear(answer[recordAt:])
	if !known || !found || !a.path(from, to, service, record) {
		return noRecords
	}
	binary.BigEndian.PutUint16(answer[recordLengthAt:], pathSize/8)
	return mad.OK
}

func (a *Agent) isMaster(at infiniband.Place) bool {
	for _, m := range a.Managers {
		if m.Running && m.Role == opensm.Master && a.End(m.Place) == a.End(at) {
			return true
		}
	}
	return false
}

// path writes the record of a path along the forwarding tables; it reports false without one.
func (a *Agent) path(from, to infiniband.Place, service uint64, record []byte) bool {
	source, target := a.End(from), a.End(to)
	if source.LID == 0 || target.LID == 0 || len(source.PKeys) == 0 {
		return false
	}
	mtu, rate, slowest := min(source.MTU, target.MTU), infiniband.RateCode(source.Width, source.Speed), 0.0
	at := from
	for range mad.MaxHops {
		node, out := a.Of(at), at.Port
		if at.Node == to.Node {
			for i, end := range []infiniband.Place{from, to} {
				gid := record[[]int{sourceGIDAt, targetGIDAt}[i]:]
				binary.BigEndian.PutUint64(gid, 0xfe80<<48)
				binary.BigEndian.PutUint64(gid[8:], uint64(a.End(end).GUID))
			}
			binary.BigEndian.PutUint16(record[targetLIDAt:], target.LID)
			binary.BigEndian.PutUint16(record[sourceLIDAt:], source.LID)
			binary.BigEndian.PutUint16(record[keyAt:], uint16(source.PKeys[0]))
			record[reversibleAt] = 1 << 7
			record[levelAt] = a.LevelOf(service, source.PKeys[0], to) // with the class 0
			record[mtuAt], record[rateAt], record[lifetimeAt] = exactly|mtu, exactly|rate, exactly
			if from != to {
				record[lifetimeAt] |= lifetime
			}
			return true
		}
		switch {
		case node.Kind == infiniband.Switch && int(target.LID) < len(node.Routes):
			out = int(node.Routes[target.LID])
		case node.Kind == infiniband.Switch || at != from:
			return false
		}
		if out > node.External() {
			return false
		}
		link := infiniband.Place{Node: at.Node, Port: out}
		far, up := a.Far(link)
		if !up {
			return false
		}
		port := a.At(link)
		if gbps := infiniband.DataGbps(port.Width, port.Speed); slowest == 0 || gbps < slowest {
			slowest, rate = gbps, infiniband.RateCode(port.Width, port.Speed)
		}
		mtu = min(mtu, port.MTU)
		at = far
	}
	return false
}
