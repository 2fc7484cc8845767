// Package measurement has the traffic of the Network Direct performance tools, such as nd_write_bw: messages of one size after another over
// one RDMA connection, between two hosts or in loopback, and the results.
package measurement
