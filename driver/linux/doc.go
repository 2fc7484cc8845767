// Package linux models what the lab needs of the Linux host beside it: its files. Its OpenSM is an instance of package opensm.
package linux
