// Package device is the hardware of the lab: adapters, ports, functions, the fabric they are cabled to and the
// traffic on it, with the counters that hardware keeps. It knows nothing of Windows, of registry keys or of perfmon
// names. Time and randomness come in from outside: the same description, seed and actions give the same numbers,
// whatever the step.
package device
