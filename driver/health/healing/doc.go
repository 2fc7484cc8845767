// Package healing holds the faults of drivers and firmware, and the self-healing that answers them (SH-1 to SH-20): the periodic
// check of a port, its sensors, the manager that applies the policy of the registry, and the second tier at virtual functions. The
// faults are rows of faults.json. Starting and stopping a driver, and the event log, belong to the host.
package healing
