// Package qos implements the QoS screen: for one port at a time, the settings of adapter and switch port side by side with
// what does not fit together, the eight priorities with their classes, pauses and traffic, and the plans that fix a mismatch.
package qos
