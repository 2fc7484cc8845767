// Package apply changes settings of the machine that it runs on. It holds the only calls of cxdeck that change a machine; nothing
// is called without the operator's --allow-changes.
package apply
