// Package dcqcn models the congestion control of RoCE v2 (model rules DCQ-1 to DCQ-23; WinOF-2 manual, "RoCEv2 Congestion
// Management"): a switch marks packets where a queue grows (Marking), the receiver answers marked packets with
// congestion notification packets, CNPs (Notifier), and the sender slows down and recovers (Flow).
//
// The state of a flow is a plain value without pointers, so that a lab keeps its flows in one slice and steps them in order. A
// Control holds the Parameters of a port in converted form. Rates are in Mbit/s, as in the parameters, and times in
// microseconds on the caller's clock. The lab marks frames and applies the rates.
package dcqcn
