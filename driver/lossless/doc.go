// Package lossless compares the two ends of a port's cable: the settings of host, adapter and switch port for priorities, pause
// frames and frame sizes. RDMA over Ethernet works only if they agree (model QOS-1, ROCE-6). It reads settings, no counters.
package lossless
