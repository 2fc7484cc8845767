// Package teams holds the teams and VLANs of a host: their state, what may be made of which ports, who carries their
// traffic and when another member takes over, how they are shown, saved and typed, and the Operations that change them. What
// it needs of the host it asks for through Ports.
package teams
