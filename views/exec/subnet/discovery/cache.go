package discovery

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// A saved discovery is a file of numbers in little-endian order: a heading, the nodes, and the ports.
const (
	cacheMagic   = 0x8fe7832b
	cacheVersion = 1
	cacheHeader  = 28
	cacheNode    = 15 + 3*mad.Size
	cachePort    = 31 + mad.Size
	cacheKey     = 9
	buckets      = 137
)

var errCache = errors.New("not a saved discovery")

// bucket is the place of a GUID in the table of ports, by which the ports of a file are ordered.
func bucket(guid uint64) uint32 {
	return (uint32(guid)*101 ^ uint32(guid>>32)*103) % buckets
}

// saveScan writes a discovery.
func saveScan(s *scan) []byte {
	var b []byte
	le := binary.LittleEndian
	var table [buckets][]*foundPort
	nodes, ports := uint32(0), uint32(0)
	var from uint64
	if s.from != nil {
		from = s.from.guid
	}
	for _, p := range s.order {
		i := bucket(p.guid)
		table[i] = append([]*foundPort{p}, table[i]...)
	}
	b = le.AppendUint32(b, cacheMagic)
	b = le.AppendUint32(b, cacheVersion)
	b = append(b, make([]byte, 8)...)
	b = le.AppendUint64(b, from)
	b = le.AppendUint32(b, uint32(s.hops))
	for _, n := range s.nodes {
		nodes++
		b = le.AppendUint16(b, uint16(n.lid))
		b = append(b, byte(n.lmc), byte(mad.EnhancedPort0.Get(n.switchInfo)))
		b = append(b, fit(n.switchInfo)...)
		b = le.AppendUint64(b, n.guid)
		b = append(b, byte(n.kind), byte(len(n.ports)-1))
		b = append(b, fit(n.info)...)
		b = append(b, fit([]byte(n.name))...)
		count := len(b)
		b = append(b, 0)
		for _, p := range n.ports {
			if p != nil {
				b[count]++
				b = append(le.AppendUint64(b, p.guid), byte(p.number))
			}
		}
	}
	for _, chain := range table {
		for _, p := range chain {
			ports++
			b = le.AppendUint64(b, p.guid)
			b = append(b, byte(p.number), 0)
			b = le.AppendUint16(b, uint16(p.lid))
			b = append(b, byte(p.lmc))
			b = append(b, fit(p.info)...)
			b = le.AppendUint64(b, p.found.guid)
			if p.far == nil {
				b = append(b, make([]byte, 10)...)
				continue
			}
			b = append(b, 1)
			b = append(le.AppendUint64(b, p.far.guid), byte(p.far.number))
		}
	}
	le.PutUint32(b[8:], nodes)
	le.PutUint32(b[12:], ports)
	return b
}

// fit returns data as long as an attribute.
func fit(data []byte) []byte {
	fitted := make([]byte, mad.Size)
	copy(fitted, data)
	return fitted
}

// reader takes numbers from a file. After its end it returns zeros, and short is true.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) bytes(n int) (taken []byte) {
	if len(r.data) < n {
		r.short = true
		return make([]byte, n)
	}
	taken, r.data = r.data[:n], r.data[n:]
	return taken
}

func (r *reader) number(n int) uint64 {
	var value [8]byte
	copy(value[:], r.bytes(n))
	return binary.LittleEndian.Uint64(value[:])
}

type portKey struct {
	guid   uint64
	number int
}

// loadScan reads a saved discovery.
func loadScan(s *subnet.Session, name string) (*scan, error) {
	data, err := s.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return readScan(data)
}

func readScan(data []byte) (*scan, error) {
	r := &reader{data: data}
	if r.number(4) != cacheMagic || r.number(4) != cacheVersion {
		return nil, errCache
	}
	nodes, ports := int(r.number(4)), int(r.number(4))
	from := r.number(8)
	loaded := &scan{hops: int(r.number(4))}
	if r.short || nodes > len(data)/cacheNode || ports > len(data)/cachePort {
		return nil, errCache
	}
	byGUID := map[uint64]*found{}
	stored := map[uint64][]portKey{}
	for range nodes {
		n := &found{}
		n.lid, n.lmc = r.number(2), r.number(1)
		r.number(1)
		n.switchInfo = r.bytes(mad.Size)
		n.guid, n.kind = r.number(8), r.number(1)
		n.ports = make([]*foundPort, r.number(1)+1)
		n.info = r.bytes(mad.Size)
		n.name, _, _ = strings.Cut(string(r.bytes(mad.Size)), "\x00")
		for range int(r.number(1)) {
			stored[n.guid] = append(stored[n.guid], portKey{r.number(8), int(r.number(1))})
		}
		if byGUID[n.guid] != nil {
			return nil, errCache
		}
		byGUID[n.guid] = n
		loaded.nodes = append(loaded.nodes, n)
	}
	type end struct {
		port *foundPort
		far  portKey
		has  bool
	}
	var ends []end
	byKey := map[portKey]*foundPort{}
	for range ports {
		p := &foundPort{guid: r.number(8), number: int(r.number(1)), vendor: make([]byte, mad.Size)}
		r.number(1)
		p.lid, p.lmc = r.number(2), r.number(1)
		p.info = r.bytes(mad.Size)
		owner := byGUID[r.number(8)]
		has := r.number(1) != 0
		far := portKey{r.number(8), int(r.number(1))}
		if r.short || owner == nil || p.number >= len(owner.ports) || owner.ports[p.number] != nil || byKey[portKey{p.guid, p.number}] != nil {
			return nil, errCache
		}
		p.found = owner
		owner.ports[p.number] = p
		byKey[portKey{p.guid, p.number}] = p
		ends = append(ends, end{p, far, has})
	}
	for _, e := range ends {
		if e.has {
			if e.port.far = byKey[e.far]; e.port.far == nil {
				return nil, errCache
			}
		}
	}
	for _, n := range slices.Backward(loaded.nodes) {
		for _, key := range stored[n.guid] {
			p := byKey[key]
			if p == nil || p.found != n {
				return nil, errCache
			}
			delete(byKey, key) // a node names each port once
			loaded.order = append(loaded.order, p)
		}
	}
	if loaded.from = byGUID[from]; r.short || loaded.from == nil || len(byKey) > 0 {
		return nil, errCache
	}
	return loaded, nil
}
