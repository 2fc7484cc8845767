// Package teams holds the teams and VLANs of a host: their state and rules, failover, views, saved form and commands, and the
// Operations that change them. It gets facts about the host through Ports.
package teams
