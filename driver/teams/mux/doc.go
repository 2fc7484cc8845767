// Package mux models the multiplexer of teams as a state machine: the types of teams, which member is active, which one carries a
// flow in each direction, the address of a team, and what may be a member or a VLAN. It is independent of the host: the package
// driver reports the state of the members, and applies the result. Rules are TEAM-1 to TEAM-11 of docs/model.md.
package mux
