// Package dcqcn models the congestion control of RoCE v2 (model rules DCQ-1 to DCQ-23; WinOF-2 manual, "RoCEv2 Congestion
// Management"): a switch marks packets where a queue grows (Marking), the receiver answers marked packets with
// congestion notification packets, CNPs (Notifier), and the sender slows down and recovers (Flow).
//
// The state of a flow is a plain value without pointers, so that a lab keeps its flows in one slice and steps them in order.
// What a set of Parameters means is worked out once for each port, in a Control. Rates are in Mbit/s, as the parameters have
// them, and instants in microseconds on a clock that the caller owns. Which frames are marked, and what flows do with their
// rates, belongs to the lab.
package dcqcn
