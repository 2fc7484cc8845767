// Package mux models the multiplexer of teams as a state machine: the types of teams, which member is active, which one
// carries a flow in each direction, the address of a team, and what may be a member or a VLAN. It knows no host: the
// package driver tells it how the members are, and does what it says. Rules that comments name, such as TEAM-4, are
// explained in docs/model.md.
package mux
