// Package pause models link-level flow control: global pause of IEEE 802.3 annex 31B and priority flow control, PFC, of
// 802.1Qbb (model rules QOS-1 to QOS-4; WinOF manual, "Flow Control Options"; WinOF-2 manual, "Receive Path Activity
// Monitoring"). The lab decides when a buffer fills, and computes how long frames wait.
package pause
