// Package site holds the subnet that a lab's InfiniBand ports are cabled to: it builds it from the lab's description, moves its traffic and
// its managers, and saves and restores it.
package site
