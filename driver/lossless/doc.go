// Package lossless compares the ends of a port's cable: what the host, its adapter and the switch port are set up with for
// priorities, pauses and frame sizes. RDMA over Ethernet works only where they agree (model QOS-1, ROCE-6). It reads settings
// and counts nothing.
package lossless
