// Package qos holds the quality of service that Windows has on a host: policies, which give traffic its priority, traffic
// classes, priority flow control, the willingness to take settings from the switch, and which adapters act on it; with their
// rules and the Operations that change them (model rules QOS-1, QOS-5 to QOS-7, QOS-15, QOS-16). What it needs of the host it
// asks for through Ports.
package qos
