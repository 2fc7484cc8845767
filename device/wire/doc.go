// Package wire computes the capacity of links and slots: the overhead of a packet, rates after line coding, and the results
// that the manuals expect of a healthy adapter (model rules PERF-1 to PERF-8; both manuals, "Performance Related
// Troubleshooting"). Rates are in bits or bytes per second, as each function says. The state of a link belongs to the lab.
package wire
