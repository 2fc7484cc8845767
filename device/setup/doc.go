// Package setup holds what a lab is set up with: ports as their drivers configure them, switch ports, slots, what is bound
// to ports, virtual machines and faults, with the checks of each. What a step does with it is package device's.
package setup
