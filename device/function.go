package device

// countFunctions adds frames to the traffic of the virtual functions of a port.
func countFunctions(port []uint64, s *stream, n uint64) {
	at, rdma := FunctionsReceivedBytes, FunctionsReceivedRDMABytes
	if s.direction == send {
		at, rdma = FunctionsSentBytes, FunctionsSentRDMABytes
	} else if s.multicast {
		port[FunctionsReceivedMulticastBytes] += n * s.frame
		port[FunctionsReceivedMulticastPackets] += n
	}
	port[at] += n * s.frame
	port[at+1] += n
	if s.rdma {
		port[rdma] += n * s.frame
		port[rdma+1] += n
	}
}

// functionSources are the counters of a port that its virtual functions share, in the order of FunctionCounter.
var functionSources = [functionCounters]Counter{
	FunctionReceivedBytes:            FunctionsReceivedBytes,
	FunctionReceivedPackets:          FunctionsReceivedPackets,
	FunctionReceivedMulticastBytes:   FunctionsReceivedMulticastBytes,
	FunctionReceivedMulticastPackets: FunctionsReceivedMulticastPackets,
	FunctionSentBytes:                FunctionsSentBytes,
	FunctionSentPackets:              FunctionsSentPackets,
	FunctionReceivedRDMABytes:        FunctionsReceivedRDMABytes,
	FunctionReceivedRDMAPackets:      FunctionsReceivedRDMAPackets,
	FunctionSentRDMABytes:            FunctionsSentRDMABytes,
	FunctionSentRDMAPackets:          FunctionsSentRDMAPackets,
	FunctionDropped:                  FunctionsDropped,
}

// fillFunctions brings the counters of the virtual functions up to date: each has a fixed share of what all of a port
// moved, so that it costs nothing until someone looks.
func (l *Lab) fillFunctions() {
	if l.filled == l.steps {
		return
	}
	l.filled = l.steps
	for port, shares := range l.plant.functions {
		totals := l.counters[port*portStride : (port+1)*portStride]
		at := l.plant.layout.functions[port]
		for _, share := range shares {
			for c, source := range functionSources {
				l.counters[at+c] = uint64(share * float64(totals[source]))
			}
			at += int(functionCounters)
		}
	}
}

// functionShares are the parts that the virtual functions of a port have of their traffic: a few have most of it.
func functionShares(n int, port int) []float64 {
	shares, total := make([]float64, n), 0.0
	for i := range shares {
		shares[i] = 1/float64(i+2) + 0.02*newDice(uint64(port), functionDice, i).draw(0)
		total += shares[i]
	}
	for i := range shares {
		shares[i] *= wholeShare / total
	}
	return shares
}

// wholeShare keeps the sum of rounded shares from exceeding what is shared.
const wholeShare = 1 - 1e-9
