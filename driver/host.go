package driver

// Host is the lab with Windows and the driver on it. One goroutine owns it.
type Host struct{}
