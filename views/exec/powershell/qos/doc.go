// Package qos has the cmdlets for QoS of Windows: policies, and the traffic classes, flow control and DCBX of Data Center
// Bridging, on this host and on a remote one.
package qos
