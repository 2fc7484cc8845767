// Package qos holds the QoS settings of Windows on a host: policies, which give traffic its priority, traffic classes, PFC, the
// willingness to accept settings from the switch, and the adapters with QoS on; with their rules and the Operations that change
// them (model rules QOS-1, QOS-5 to QOS-7, QOS-15, QOS-16). It reads facts about the host through Ports.
package qos
