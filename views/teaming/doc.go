// Package teaming implements the screen of teams and VLANs: how teams are and who carries their traffic, drills, and the
// wizards that make, change and remove them. All that it changes, it changes by Operations.
package teaming
