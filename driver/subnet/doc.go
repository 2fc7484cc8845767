// Package subnet changes the InfiniBand subnet around a host: cables, ports, subnet managers and counters. Ports are named after their node
// and number ("IB1/12"), managers after their node.
package subnet
