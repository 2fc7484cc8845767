// Package fit makes the workloads of a lab from a log of counters, so that the curves of the lab follow the curves of the log. It
// measures in the lab what each kind of workload does to the main counters of a port, solves for the rates that give the logged values, and
// runs the lab to find what is left. It draws nothing, and it opens no file.
package fit
