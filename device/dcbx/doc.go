// Package dcbx decides which end of a link has its settings used when both exchange them by DCBX, the Data Center Bridging
// Exchange of IEEE 802.1Qaz (model rule QOS-15; WinOF-2 manual, "Data Center Bridging Exchange").
package dcbx
