// Package driver models the operating system's side of the lab: the host with its adapters, their driver, the event log, and the
// Operations that change them. It uses the hardware through device, and does not depend on screens, files or terminals. Time and
// randomness come in from outside.
package driver
