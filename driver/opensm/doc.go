// Package opensm models OpenSM as a program of the host: its options, the instances that run, which of them is the master of the
// subnet, and their logs. It gets facts about the host through Ports. Which ports are managed is decided in device/setup; this package
// says only which ports an instance serves.
package opensm
