// Package overview implements the screen that shows all adapters at once: a tree of adapters, ports, functions and teams with
// their state and rates, the selected one's identity and health, and the newest events. Its few changes are reviewed by
// views/change.
package overview
