// Package complete completes lines that operators type: names of commands, flags, and the names of objects on the host.
package complete
