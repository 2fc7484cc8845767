// Package description holds the description of a lab: the host, its adapters with their ports and cables, the traffic and the
// faults, with the kinds of values that they have. It reads descriptions from TOML, checks them, and contains the embedded
// labs. Package device builds labs from descriptions.
package description
