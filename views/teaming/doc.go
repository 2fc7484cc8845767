// Package teaming implements the screen for teams and VLANs: the state of teams and their active members, failover drills,
// and the wizards that create, change and remove teams and VLANs. All changes are Operations.
package teaming
